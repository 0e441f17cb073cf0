// ---- Elements, mathematics, copying ----

const SVG = 'http://www.w3.org/2000/svg';
const MATHML = 'http://www.w3.org/1998/Math/MathML';

/** An element with properties and children; text always goes in as text. */
function el(tag, properties = {}, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith('on')) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value === true ? '' : value);
  }
  node.append(...children.flat().filter((c) => c !== null && c !== undefined));
  return node;
}

// The s of Lagrange's is no name.
const NAME = /(?<![A-Za-z]'|[A-Za-z])[A-Za-z][A-Za-z0-9_]*(?:'{1,2}(?![A-Za-z'])|[°*])?/g;

/** Words with the names of the model among them set as mathematics. */
function sentence(text) {
  const out = [];
  let end = 0;
  for (const { 0: name, index } of text.matchAll(NAME)) {
    if (!Object.hasOwn(data.vocabulary ?? {}, name)) continue;
    out.push(text.slice(end, index), inlineMath(data.vocabulary[name]));
    end = index + name.length;
  }
  return [...out, text.slice(end)];
}

/** Words with those of the glossary among them explained. */
function explained(parts) {
  const known = Object.keys(data.glossary ?? {}).sort((a, b) => b.length - a.length);
  if (!known.length) return parts;
  const pattern = new RegExp(`(?<![\\p{L}-])(${known.map((w) => w.replace(/[^\p{L}\d ]/gu, '')).join('|')})(?![\\p{L}-])`, 'giu');
  return parts.flatMap((part) => (typeof part !== 'string' ? [part] : part.split(pattern).map((text, i) => (i % 2 === 0 ? text
    : el('span', { 'data-term': data.glossary[text.toLowerCase()] ?? null, tabindex: '0' }, text)))));
}

/** Text in which names and expressions stand between backticks: mathematics where they are known, else as they are. */
const words = (text) => String(text).split('`').flatMap((part, i) => {
  if (i % 2 === 0) return sentence(part);
  return Object.hasOwn(data.vocabulary ?? {}, part) ? wrappingMath(data.vocabulary[part]) : el('code', {}, part);
});

function svg(tag, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

/** A number for people: six digits at most, a true minus, powers of ten. */
function number(value, digits = 6) {
  if (value === null || !Number.isFinite(value)) return '–';
  if (value === 0) return '0';
  const size = Math.abs(value);
  let text;
  if (size >= 1e6 || size < 1e-4) {
    const [mantissa, exponent] = value.toExponential(Math.max(0, Math.min(digits, 4) - 1)).split('e');
    const power = [...String(Number(exponent))].map((c) => (c === '-' ? '⁻' : '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(c)])).join('');
    const short = String(Number(mantissa));
    text = (short === '1' ? '' : short === '-1' ? '-' : short + ' × ') + '10' + power;
  } else {
    text = String(Number(value.toPrecision(digits)));
  }
  return text.replace('-', '−');
}

const ELEMENTS = new Set(('math mrow mi mn mo ms mtext mspace mfrac msqrt mroot msub msup msubsup mover munder ' +
  'munderover mmultiscripts mprescripts none mtable mtr mtd mstyle mpadded mphantom').split(' '));
const ATTRIBUTES = new Set(('display displaystyle scriptlevel form stretchy fence separator lspace rspace symmetric ' +
  'minsize maxsize largeop movablelimits mathvariant accent accentunder linethickness width height depth dir').split(' '));

const TOKEN = /<(\/?)([A-Za-z][\w:.-]*)((?:\s+[\w:.-]+="[^"<]*")*)\s*(\/?)>|([^<]+)/y;
const ATTRIBUTE = /([\w:.-]+)="([^"]*)"/g;
const ENTITIES = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };
const unescaped = (text) => text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/gi, (whole, hex, decimal, name) => {
  const code = hex ? parseInt(hex, 16) : decimal ? Number(decimal) : null;
  if (code !== null) return code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
  return ENTITIES[name] ?? whole;
});

/**
 * The inside of a <math> element, holding nothing but mathematics; null if the text is not well-formed MathML.
 * Read by hand: a parser of browsers would also build what is not mathematics. The row is a plain fragment: a long
 * row inside a MathML element costs the square of its length, for each change to it is looked at as a whole.
 */
function mathRow(text) {
  const stack = [];
  let root = null;
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const [found, closing, name, attributes, empty, words] = TOKEN.exec(text) || [];
    const top = stack[stack.length - 1];
    if (!found || (root && !top)) return null;
    if (words !== undefined) {
      if (!top) return null;
      top.to.append(unescaped(words));
    } else if (closing) {
      if (!top || top.name !== name) return null;
      stack.pop();
    } else {
      if (!top && name !== 'math') return null;
      // What is not mathematics stays visible as text, so that nothing is lost silently.
      const known = ELEMENTS.has(name) && !(top && name === 'math');
      const made = top?.text ? top.to
        : top ? document.createElementNS(MATHML, known ? name : 'mtext') : document.createDocumentFragment();
      if (!top) root = made;
      else if (!top.text) top.to.append(made);
      if (known && top && !top.text) {
        for (const [, key, value] of attributes.matchAll(ATTRIBUTE)) {
          if (ATTRIBUTES.has(key)) made.setAttribute(key, unescaped(value));
        }
      }
      if (!empty) stack.push({ name, to: made, text: !known || Boolean(top?.text) });
    }
  }
  if (!root || stack.length) return null;
  refine(root);
  return root;
}

const APPLY = '\u2061';
const TIMES = '\u2062';
/** A name of a function stands at the head of it, perhaps with a power. */
function headsFunction(part) {
  if (!part) return false;
  if (part.localName === 'mi') return [...part.textContent].length > 1;
  return ['msup', 'mrow'].includes(part.localName) && headsFunction(part.firstElementChild);
}

/** A function with its argument ends here. */
function endsFunction(part) {
  if (!part) return false;
  if (part.previousElementSibling?.textContent === APPLY) return true;
  return part.localName === 'mrow' && endsFunction(part.lastElementChild);
}

/** Brackets of the right size, and thin spaces around the names of functions, which browsers leave out: r cos φ ψ̇. */
function refine(root) {
  for (const sign of root.querySelectorAll('mo')) {
    const text = sign.textContent;
    if (sign.hasAttribute('lspace') || sign.hasAttribute('rspace')) continue;
    const next = sign.nextElementSibling;
    const before = sign.previousElementSibling;
    const bracket = next?.localName === 'mrow' && next.firstElementChild?.localName === 'mo';
    if ('()[]'.includes(text) && text) {
      // Brackets as tall as what they hold: made symmetric, they would reach far below a fraction with a tall numerator;
      // stretched around a single line, they would be too large for it.
      const tall = sign.parentNode.querySelector('mfrac, msqrt, mroot, mtable');
      sign.setAttribute(tall ? 'symmetric' : 'stretchy', 'false');
    }
    if (text === APPLY && next && !bracket) sign.setAttribute('rspace', '0.1667em');
    // cos 2φ: the factors of an argument stand together.
    const inArgument = before?.previousElementSibling?.textContent === APPLY;
    if (text === TIMES && !inArgument && (headsFunction(next) || endsFunction(before))) sign.setAttribute('lspace', '0.1667em');
  }
}

/** A formula within a line of text. */
function inlineMath(formula) {
  const row = mathRow(formula.mathml || '');
  return row ? node('math', row) : el('code', {}, formula.latex || '');
}

function say(text) {
  document.getElementById('said').textContent = text;
}

/** Copies text: the clipboard of the browser, else the old way, else shows it selected for copying by hand. */
async function copyText(text, button, what = 'as LaTeX') {
  let done = false;
  try {
    await navigator.clipboard.writeText(text);
    done = true;
  } catch {
    const area = el('textarea', { class: 'unseen', readonly: true, 'aria-hidden': 'true' });
    area.value = text;
    document.body.append(area);
    area.select();
    try {
      done = document.execCommand('copy');
    } catch {
      done = false;
    }
    area.remove();
    button.focus();
  }
  if (!done) {
    showForCopying(text);
    return;
  }
  const before = button.dataset.words || button.textContent;
  button.dataset.words = before;
  button.textContent = 'Copied';
  say(`Copied ${what}`);
  clearTimeout(button.timer);
  button.timer = setTimeout(() => { button.textContent = before; }, 1400);
}

function showForCopying(text) {
  const area = el('textarea', { readonly: true, rows: '8', 'aria-label': 'What to copy' });
  area.value = text;
  const dialog = el('dialog', { 'aria-label': 'Copy by hand' },
    el('p', {}, 'This browser does not let the page copy. The text is selected: copy it with Ctrl+C or ⌘C.'),
    area, el('button', { type: 'button', onclick: () => dialog.close() }, 'Close'));
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  area.select();
}

function copyButton(latex, what = 'LaTeX', title = 'Copy as LaTeX') {
  return el('button', {
    class: 'copy', type: 'button', title, 'aria-label': title,
    onclick: (event) => copyText(typeof latex === 'function' ? latex() : latex, event.currentTarget),
  }, what);
}
