// ---- Long formulas on lines ----
//
// Browsers do not break lines inside MathML; pieces side by side do break. A formula is first cut by the number of its
// letters, before relations and sums; what still turns out wider than its column is opened further: brackets, roots and
// fractions become rows that can be cut, products are cut between their factors. Nothing is too wide at the end but a symbol.

const isOperator = (n, signs) => n.localName === 'mo' && n.textContent.trim() !== '' && signs.includes(n.textContent.trim());
/** So many letters fill a line. */
const lineLength = () => (innerWidth < 640 ? 30 : 60);
let LONG = lineLength();

/** Extents of one formula: what is long is looked at again at every depth to which it is cut. */
let extents = new WeakMap();

/** How wide an expression is, in letters: a fraction is as wide as its wider part, scripts are small. */
function extent(part) {
  let wide = extents.get(part);
  if (wide === undefined) extents.set(part, wide = letters(part));
  return wide;
}

function letters(part) {
  const tag = part.localName;
  if (!part.firstElementChild) {
    const text = part.textContent.trim();
    if (tag !== 'mo') return text.length < 2 ? text.length : [...text].length;
    return text === APPLY || text === TIMES ? 0.2 : isOperator(part, '=+−-') ? 2.1 : 1;
  }
  const inside = Array.from(part.children, extent);
  const sum = inside.reduce((a, b) => a + b, 0);
  if (tag === 'mfrac') return Math.max(...inside) + 0.4;
  if (tag === 'mover' || tag === 'munder') return inside[0];
  if (tag.startsWith('msu')) return inside[0] + 0.7 * Math.max(0, ...inside.slice(1));
  return tag === 'msqrt' ? sum + 1.2 : sum;
}

const node = (tag, ...children) => {
  const made = document.createElementNS(MATHML, tag);
  made.append(...children);
  return made;
};
/** The children of a node, taken out of it. */
const taken = (parent) => {
  const children = [...parent.children];
  parent.replaceChildren();
  return children;
};
const sign = (text) => node('mo', text);
const inBrackets = (row) => row.length > 1 && isOperator(row[0], '([') && isOperator(row[row.length - 1], ')]');
const hasSum = (row) => row.some((n, i) => i > 0 && isOperator(n, '+−-'));
const asRow = (part) => (part.localName === 'mrow' ? taken(part) : [part]);
const bracketed = (row) => (inBrackets(row) ? row : [sign('('), ...row, sign(')')]);
const thinTimes = () => {
  const times = sign(TIMES);
  times.setAttribute('rspace', '0.1667em');
  return times;
};
/** A row in brackets whose closing bracket carries a power: (…)² as pieces. */
const raised = (row, power) => {
  const whole = bracketed(row);
  return [...whole.slice(0, -1), node('msup', whole[whole.length - 1], power)];
};

/** What a long expression can be written as so that it can be cut; null if it cannot. */
function opened(long) {
  const tag = long.localName;
  if (tag === 'mrow') return long.childElementCount > 0 ? taken(long) : null;
  if (tag === 'mfrac') return openedFraction(long);
  if (tag === 'msup') {
    // The closing bracket alone carries the power.
    const [base, power] = long.children;
    if (base.localName !== 'mrow' || !inBrackets([...base.children])) return null;
    return raised(taken(base), power);
  }
  if (tag === 'msqrt') return raised(taken(long), node('mrow', node('mn', '1'), sign('/'), node('mn', '2')));
  if (tag === 'mroot') {
    const [base, index] = long.children;
    return raised(asRow(base), node('mrow', node('mn', '1'), sign('/'), index));
  }
  return null;
}

function openedFraction(fraction) {
  const [above, below] = fraction.children;
  let row = asRow(above);
  if (extent(below) > 12) {
    // A long denominator: a factor with the power −1.
    if (hasSum(row)) row = bracketed(row);
    const power = node('mrow', sign('−'), node('mn', '1'));
    power.firstElementChild.setAttribute('form', 'prefix');
    return [...row, thinTimes(), ...raised(asRow(below), power)];
  }
  // A long numerator over a short denominator: one over the denominator, times the numerator.
  // Factors before a long bracket stay above the denominator.
  const last = row[row.length - 1];
  if (row.length > 2 && !hasSum(row) && last.localName === 'mrow' && inBrackets([...last.children])) {
    const head = row.slice(0, -2);
    if (head.reduce((sum, n) => sum + extent(n), 0) < 20) return [node('mfrac', node('mrow', ...head), below), row[row.length - 2], last];
  }
  if (hasSum(row)) row = bracketed(row);
  return [node('mfrac', node('mn', '1'), below), thinTimes(), ...row];
}

/** Brackets that are cut apart have one size: that of a line, or of a fraction where one stands between them. */
function plainFences(row) {
  fencesOf(row);
  for (const part of row) fencesOf([...part.children]);
}

function fencesOf(row) {
  // A closing bracket may carry a power.
  const fence = (part) => (part.localName === 'msup' ? part.firstElementChild : part);
  const isTall = (part) => part.localName === 'mfrac' || part.querySelector('mfrac') !== null;
  const open = [];
  for (const [i, part] of row.entries()) {
    if (isOperator(part, '([')) open.push(i);
    if (!isOperator(fence(part), ')]') || !open.length) continue;
    const from = open.pop();
    const tall = row.slice(from + 1, i).some(isTall);
    for (const one of [row[from], fence(part)]) {
      one.setAttribute('stretchy', tall);
      if (tall) ['minsize', 'maxsize'].forEach((size) => one.setAttribute(size, '2em'));
    }
  }
}

const cutsHere = (part) => isOperator(part, '=+−-') && part.getAttribute('form') !== 'prefix';

/** A row of mathematics cut before its relations, then its sums; where a piece is too long for a line, what is in it is cut too. */
function pieces(row, out, depth) {
  let current = [];
  for (const part of row) {
    if (current.length && cutsHere(part)) {
      out.push(current);
      current = [];
    }
    const inside = extent(part) > LONG && depth < 8 ? opened(part) : null;
    if (!inside) {
      current.push(part);
      continue;
    }
    plainFences(inside);
    const inner = [];
    pieces(inside, inner, depth + 1);
    inner[0] = current.concat(inner[0]);
    current = inner.pop();
    out.push(...inner);
  }
  if (current.length) out.push(current);
}

/** At the head of a piece an operator would be taken for a sign and lose its room. */
function piece(part, first) {
  if (!first && isOperator(part[0], '=+−-')) part[0].setAttribute('form', 'infix');
  const made = node('math', ...part);
  made.setAttribute('displaystyle', 'true');
  return made;
}

/** The pieces between which a formula may be cut; null if it cannot be read. */
function cutMath(formula) {
  const whole = mathRow(formula.mathml || '');
  if (!whole) return null;
  extents = new WeakMap();
  let row = taken(whole);
  while (row.length === 1 && row[0].localName === 'mrow') row = taken(row[0]);
  const parts = [];
  pieces(row, parts, 0);
  // A right side as short as `= 0` does not stand on a line of its own.
  const wide = (part) => part.reduce((sum, n) => sum + extent(n), 0);
  if (parts.length > 1 && wide(parts.at(-1)) < 4 && wide(parts.at(-2)) < LONG - 4) parts.push([...parts.splice(-2).flat()]);
  return parts.map((part, index) => piece(part, index === 0));
}

/** A formula within a line of text that may be longer than the line. */
function wrappingMath(formula) {
  const line = el('span', { class: 'wrapping' });
  known.set(line, { formula });
  return setMath(line);
}

/** Beyond this many letters of MathML a browser takes seconds: the reader decides. */
const HUGE = 150000;

/** A displayed equation; one too long to read is set only when asked for. */
function displayMath(formula) {
  if ((formula.mathml || '').length < HUGE) return brokenMath(formula);
  const said = `An expression of ${Math.round(formula.latex.length / 1000)} thousand letters. `;
  const show = () => {
    const line = brokenMath(formula);
    box.replaceWith(line);
    renew([line]);
  };
  const box = el('div', { class: 'display huge' }, said, el('button', { type: 'button', class: 'quiet', onclick: show }, 'Show it all the same'));
  return box;
}

/**
 * Of the lines on the page, for setting them anew in another width: the formula, the number of letters it was cut for, whether it had to
 * be opened further, and the era in which it was found to fit.
 */
const known = new WeakMap();

/** An equation that wraps where a person would wrap it. */
function brokenMath(formula) {
  const line = el('div', { class: 'display', role: 'math', 'aria-label': formula.latex });
  known.set(line, { formula });
  return setMath(line);
}

function setMath(line) {
  const state = known.get(line);
  const { formula } = state;
  [state.long, state.opened] = [LONG, false];
  const cut = cutMath(formula);
  if (cut && line.classList.contains('wrapping')) cut.forEach((part) => part.removeAttribute('displaystyle'));
  if (!cut) line.replaceChildren(el('code', {}, formula.latex || ''));
  else line.replaceChildren(...cut.flatMap((part, index) => [part, index + 1 < cut.length ? '\u200b' : '']));
  return line;
}

// ---- What is still too wide ----

/** More rounds than there are brackets in brackets. */
const ROUNDS = 40;

/** The room for a piece on a line of its own. */
function room(line) {
  // Far from the window a line is laid out when its place is asked for: `clientWidth` alone would tell an old width.
  line.getBoundingClientRect();
  const style = getComputedStyle(line);
  const padding = parseFloat(style.paddingLeft) + parseFloat(style.paddingRight);
  const row = line.parentElement;
  // Slanted letters reach a little beyond their boxes.
  const slant = 8;
  if (line.classList.contains('wrapping')) {
    const box = line.closest('li, p, dd, td, figcaption') ?? row;
    const outer = getComputedStyle(box);
    return box.clientWidth - parseFloat(outer.paddingLeft) - parseFloat(outer.paddingRight) - slant;
  }
  // On narrow screens a line is as wide as its formula, up to the whole row.
  return (getComputedStyle(row).display === 'flex' ? row.clientWidth : line.clientWidth) - padding - slant;
}

/** How a piece that is too wide is made of several: the row of its parts and where to cut it; null if it is one symbol. */
function plan(math, width) {
  const parts = [...math.children];
  const wide = parts.map((p) => p.getBoundingClientRect().width);
  const factors = parts.some((p, i) => i > 0 && i + 1 < parts.length && p.localName === 'mo' && p.textContent === TIMES);
  const order = parts.map((_, i) => i).sort((a, b) => wide[b] - wide[a]);
  const openable = order.find((i) => ['mrow', 'mfrac', 'msqrt', 'mroot', 'msup'].includes(parts[i].localName) && parts[i].childElementCount > 0
    && !(parts[i].localName === 'msup' && !inBrackets([...parts[i].firstElementChild.children])));
  // Factors that fit go on lines of their own; else the widest is opened.
  if (factors && wide[order[0]] <= width) return { math, parts, wide, width };
  if (openable !== undefined && parts.length + parts[openable].childElementCount > 1) return { math, open: parts[openable], width };
  return factors ? { math, parts, wide, width } : null;
}

function carryOut({ math, parts, wide, width, open }) {
  const groups = [];
  if (open) {
    const inside = opened(open);
    if (!inside) return false;
    plainFences(inside);
    open.replaceWith(...inside);
    atSums([...math.children], groups);
  } else {
    // As many factors as fit, then a cut before the next.
    const factors = [];
    for (const [i, part] of parts.entries()) {
      if (!factors.length || (part.localName === 'mo' && part.textContent === TIMES)) factors.push({ row: [], size: 0 });
      factors.at(-1).row.push(part);
      factors.at(-1).size += wide[i];
    }
    let sum = 0;
    for (const [i, { row, size }] of factors.entries()) {
      const full = sum + size > 0.92 * width || (groups.length === 1 && i === factors.length - 1);
      if (i && full) {
        row[0].textContent = '·';
        row[0].setAttribute('form', 'infix');
        row[0].removeAttribute('lspace');
        row[0].removeAttribute('rspace');
      }
      if (!i || full) {
        groups.push([]);
        sum = 0;
      }
      groups.at(-1).push(...row);
      sum += size;
    }
    if (groups.length < 2) return false;
  }
  const first = !math.previousElementSibling;
  const made = groups.map((part, i) => piece(part, first && i === 0));
  if (!math.hasAttribute('displaystyle')) made.forEach((m) => m.removeAttribute('displaystyle'));
  math.replaceWith(...made.flatMap((m, i) => (i ? ['\u200b', m] : [m])));
  return true;
}

/** A row cut before its sums, and nothing else. */
function atSums(row, out) {
  let current = [];
  for (const part of row) {
    if (current.length && cutsHere(part)) {
      out.push(current);
      current = [];
    }
    current.push(part);
  }
  if (current.length) out.push(current);
}

/** Opens what is wider than its column, until nothing is. All lines are measured at once, then changed at once. */
function fit(lines) {
  let open = lines;
  for (let round = 0; round < ROUNDS && open.length; round += 1) {
    const plans = [];
    for (const line of open) {
      const width = room(line);
      for (const math of line.children) {
        if (math.localName === 'math' && width > 0 && math.getBoundingClientRect().width > width) {
          const how = plan(math, width);
          if (how) plans.push([line, how]);
        }
      }
    }
    const changed = new Set();
    for (const [line, how] of plans) if (carryOut(how)) changed.add(line);
    for (const line of changed) known.get(line).opened = true;
    open = [...changed];
  }
}

// ---- When ----
//
// A long page has a hundred thousand symbols, and to lay them out takes seconds. Browsers leave out what is far from the window
// (`content-visibility`, in the styles) until somebody asks for its size. So it is asked for what is in the window at once, and for
// the rest in slices, between which the page answers. `data-fitted` is the width for which all of it is done.

/** Grows with every width of the page: what fitted before has to be looked at again. */
let era = 0;
/** The width of the window in it. */
let eraWidth = innerWidth;
/** Lines that were not looked at in this era. */
const unfitted = new Set();
/** The page stands still no longer than this, in milliseconds. */
const SLICE = 50;
/** Measured together, then changed together. */
const BATCH = 16;

/** What holds the place of a line: to ask where it is does not lay out what is in it. */
const holder = (line) => line.closest('.equation') ?? line;

function inWindow(line) {
  const box = holder(line).getBoundingClientRect();
  return box.bottom > 0 && box.top < innerHeight && box.height > 0;
}

/** Cuts lines for the width there is. Hidden ones stay as they are: they are asked for again when they are shown. */
function renew(lines) {
  for (const line of lines) unfitted.delete(line);
  const shown = lines.filter((line) => line.isConnected && holder(line).getClientRects().length);
  for (const line of shown) {
    const { long, opened } = known.get(line);
    if (long !== LONG || opened) setMath(line);
  }
  fit(shown);
  for (const line of shown) known.get(line).era = era;
  holdPlaces(shown);
}

/** An equation far from the window takes as much room as it will when it is near. */
function holdPlaces(lines) {
  const rows = lines.map(holder).filter((row) => row.classList.contains('equation'));
  const heights = rows.map((row) => {
    const boxes = [...row.children].map((child) => child.getBoundingClientRect());
    return Math.max(...boxes.map((box) => box.bottom)) - Math.min(...boxes.map((box) => box.top));
  });
  for (const [i, row] of rows.entries()) row.style.containIntrinsicBlockSize = `${heights[i]}px`;
}

/** Fits all formulas within an element that are on the screen. */
function fitAll(root = document) {
  for (const line of root.querySelectorAll('.display, .wrapping')) {
    if (known.has(line) && known.get(line).era !== era) unfitted.add(line);
  }
  document.documentElement.classList.toggle('fitting', unfitted.size > 0);
  renew([...unfitted].filter(inWindow));
  fitLater();
}

let later = null;
function fitLater() {
  if (!unfitted.size) {
    document.documentElement.classList.remove('fitting');
    document.documentElement.dataset.fitted = eraWidth;
    return;
  }
  delete document.documentElement.dataset.fitted;
  later ??= setTimeout(() => {
    later = null;
    const until = performance.now() + SLICE;
    // The window may have moved on meanwhile.
    const lines = [...unfitted];
    const next = [...lines.filter(inWindow), ...lines];
    for (let i = 0; i < next.length && performance.now() < until; i += BATCH) renew(next.slice(i, i + BATCH).filter((line) => unfitted.has(line)));
    fitLater();
  });
}

/** Fits what is left, however long it takes. */
function fitNow() {
  renew([...unfitted]);
  fitLater();
}

/** Sets everything anew, for another width of the page. */
function setAnew() {
  LONG = lineLength();
  era += 1;
  eraWidth = innerWidth;
  fitAll();
}
