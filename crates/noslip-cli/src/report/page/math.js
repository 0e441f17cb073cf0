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
  node.append(...children.filter((c) => c !== null && c !== undefined));
  return node;
}

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

/** MathML text as an element that holds nothing but mathematics; null if it is not MathML. */
function mathElement(text) {
  const parsed = new DOMParser().parseFromString(text || '', 'application/xml').documentElement;
  if (!parsed || parsed.localName !== 'math') return null;
  const root = document.createElementNS(MATHML, 'math');
  const pending = [[parsed, root]];
  while (pending.length) {
    const [from, to] = pending.pop();
    for (const { localName, value } of from.attributes) {
      if (ATTRIBUTES.has(localName)) to.setAttribute(localName, value);
    }
    for (const child of from.childNodes) {
      if (child.nodeType === Node.TEXT_NODE) {
        to.append(child.data);
      } else if (child.nodeType === Node.ELEMENT_NODE) {
        // What is not mathematics stays visible as text, so that nothing is lost silently.
        const known = ELEMENTS.has(child.localName) && child.localName !== 'math';
        const copy = document.createElementNS(MATHML, known ? child.localName : 'mtext');
        to.append(copy);
        if (known) pending.push([child, copy]);
        else copy.textContent = child.textContent;
      }
    }
  }
  return root;
}

/** A formula within a line of text. */
function inlineMath(formula) {
  const math = mathElement(formula.mathml);
  if (!math) return el('code', {}, formula.latex || '');
  math.removeAttribute('display');
  return math;
}

const isOperator = (node, signs) => node.localName === 'mo' && signs.includes(node.textContent.trim());
const LONG = 64;

/**
 * A row of mathematics cut before its relations, then its sums; a sum in brackets is cut too where a piece is
 * still too long for a line. MathML of browsers does not break lines; pieces side by side do.
 */
function pieces(row, out, depth) {
  let current = [];
  const flush = () => {
    if (current.length) out.push(current);
    current = [];
  };
  for (const node of row) {
    const first = current.length === 0;
    if (isOperator(node, '=+−-') && !first && node.getAttribute('form') !== 'prefix') flush();
    const inside = node.localName === 'mrow' ? [...node.children] : null;
    const long = node.textContent.length > LONG && inside && inside.length > 1 && depth < 6;
    if (!long) {
      current.push(node);
      continue;
    }
    for (const fence of inside) {
      if (isOperator(fence, '()[]')) fence.setAttribute('stretchy', 'false');
    }
    const inner = [];
    pieces(inside, inner, depth + 1);
    inner[0] = current.concat(inner[0]);
    current = inner.pop();
    out.push(...inner);
  }
  flush();
}

/** A displayed equation that wraps where a person would wrap it, and scrolls where even that is not enough. */
function displayMath(formula) {
  const math = mathElement(formula.mathml);
  if (!math) return el('div', { class: 'display' }, el('code', {}, formula.latex || ''));
  let row = [...math.children];
  while (row.length === 1 && row[0].localName === 'mrow') row = [...row[0].children];
  const parts = [];
  pieces(row, parts, 0);
  const line = el('div', { class: 'display', role: 'math', 'aria-label': formula.latex });
  for (const [index, part] of parts.entries()) {
    const piece = document.createElementNS(MATHML, 'math');
    piece.setAttribute('displaystyle', 'true');
    // At the head of a piece an operator would be taken for a sign and lose its room.
    if (index > 0 && part[0].localName === 'mo' && '=+−-'.includes(part[0].textContent.trim())) {
      part[0].setAttribute('form', 'infix');
    }
    piece.append(...part);
    line.append(piece, index + 1 < parts.length ? '\u200b' : '');
  }
  return line;
}

function say(text) {
  document.getElementById('said').textContent = text;
}

/** Copies text: the clipboard of the browser, else the old way, else shows it selected for copying by hand. */
async function copyText(text, button) {
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
  say('Copied as LaTeX');
  clearTimeout(button.timer);
  button.timer = setTimeout(() => { button.textContent = before; }, 1400);
}

function showForCopying(text) {
  const area = el('textarea', { readonly: true, rows: '8', 'aria-label': 'LaTeX' });
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
