// ---- Plots ----

/** Round numbers between low and high, about `count` of them. */
function ticks(low, high, count) {
  const span = high - low;
  if (!(span > 0)) return [low];
  const rough = span / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough * 0.75) ?? 10 * power;
  const out = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + step * 1e-9; k += 1) {
    out.push(k === 0 ? 0 : Number((k * step).toPrecision(12)));
  }
  return out;
}

/** A little room above and below; a constant gets a range of its own size. */
function roomy(low, high) {
  if (!Number.isFinite(low) || !Number.isFinite(high)) return [-1, 1];
  // What differs only in the last digits is a constant, not a drama.
  const size = Math.max(Math.abs(low), Math.abs(high));
  if (high - low <= size * 1e-5) {
    const room = size > 0 ? size * 0.1 : 1;
    return [low - room, high + room];
  }
  const room = (high - low) * 0.06;
  return [low - room, high + room];
}

function bounds(columns) {
  let low = Infinity;
  let high = -Infinity;
  for (const column of columns) {
    for (const value of column) {
      if (value === null) continue;
      if (value < low) low = value;
      if (value > high) high = value;
    }
  }
  return [low, high];
}

/** The `d` of a path through points in the plane of the screen; gaps lift the pen, points closer than half a pixel go. */
function pathData(xs, ys) {
  let out = '';
  let pen = false;
  let lastX = 0;
  let lastY = 0;
  for (let i = 0; i < xs.length; i += 1) {
    const x = xs[i];
    const y = ys[i];
    if (x === null || y === null || !Number.isFinite(x) || !Number.isFinite(y)) {
      pen = false;
      continue;
    }
    if (pen && i + 1 < xs.length && Math.abs(x - lastX) + Math.abs(y - lastY) < 0.5) continue;
    out += `${pen ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}`;
    pen = true;
    lastX = x;
    lastY = y;
  }
  return out;
}

const FLOOR = 1e-17;

/** A symbol one line high; what is longer or taller goes by its name. */
function legendSymbol({ symbol, name }) {
  const math = inlineMath(symbol);
  const tall = math.querySelector?.('mfrac, mtable, msqrt') || extent(math) > 22;
  return el('span', { class: 'symbol', title: name }, tall ? short(name) : math);
}

// -- files --

function download(name, type, content) {
  const link = el('a', { download: name, href: type === 'image/png' ? content : `data:${type};charset=utf-8,${encodeURIComponent(content)}` });
  document.body.append(link);
  link.click();
  link.remove();
}

/** Columns as a table that spreadsheets read. */
function csv(columns) {
  const cell = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const rows = [columns.map(([name]) => cell(name)).join(',')];
  for (let i = 0; i < columns[0][1].length; i += 1) rows.push(columns.map(([, values]) => values[i] ?? '').join(','));
  return `${rows.join('\n')}\n`;
}

/** A drawing as a file of its own: what the style sheet says is written into it. */
function standalone(drawing) {
  const copy = drawing.cloneNode(true);
  const originals = [drawing, ...drawing.querySelectorAll('*')];
  for (const [i, element] of [copy, ...copy.querySelectorAll('*')].entries()) {
    const style = getComputedStyle(originals[i]);
    for (const name of ['stroke', 'stroke-width', 'stroke-dasharray', 'fill', 'opacity', 'font-size', 'font-family', 'font-style', 'text-anchor']) {
      const value = style.getPropertyValue(name);
      if (value) element.setAttribute(name, value);
    }
    element.removeAttribute('class');
  }
  copy.setAttribute('xmlns', SVG);
  const [, , wide, high] = drawing.getAttribute('viewBox').split(' ').map(Number);
  copy.setAttribute('width', wide);
  copy.setAttribute('height', high);
  const paper = svg('rect', { width: wide, height: high, fill: getComputedStyle(document.body).backgroundColor });
  copy.prepend(paper);
  return { text: new XMLSerializer().serializeToString(copy), wide, high };
}

/** Buttons that save a plot. */
function savers(plot, columns) {
  const name = (ending) => `${(plot.root.id || 'plot').replace(/[^\w-]/g, '')}.${ending}`;
  const picture = () => standalone(plot.frame.querySelector('svg'));
  const png = async () => {
    const { text, wide, high } = picture();
    const image = new Image();
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
    await image.decode();
    const canvas = el('canvas', { width: 2 * wide, height: 2 * high });
    canvas.getContext('2d').drawImage(image, 0, 0, 2 * wide, 2 * high);
    download(name('png'), 'image/png', canvas.toDataURL('image/png'));
  };
  const button = (text, onclick) => el('button', { type: 'button', class: 'quiet', title: `Save as ${text}`, onclick }, text);
  return el('span', { class: 'save' }, button('SVG', () => download(name('svg'), 'image/svg+xml', picture().text)),
    button('PNG', png), button('CSV', () => download(name('csv'), 'text/csv', csv(columns()))));
}

/** The width of a plot; measured only where it may have changed, for to measure is to lay out the whole page. */
const plotWidth = ({ frame, width }, anew) => (!anew && width ? width : Math.max(240, frame.clientWidth || width || 640));

/** Numbers over time, in one frame or in one strip each, with a cursor that all plots share. */
class TimePlot {
  constructor(clock, { title, series, log = false, hue = 0, id }) {
    Object.assign(this, { clock, title, log, id });
    this.series = series.map((s, i) => ({
      ...s,
      style: `var(--series-${((i + hue) % 8) + 1})`,
      dash: i < 1 || log ? 'none' : ['7 3', '2 3', '9 3 2 3', '4 2'][(i - 1) % 4],
      on: true,
    }));
    this.apart = !log && this.differs();
    this.build();
    clock.listen((time, where) => this.mark(time, where));
    new ResizeObserver(() => this.draw()).observe(this.frame);
  }

  /** Very different sizes, or very many: better one strip each. */
  differs() {
    if (this.series.length > 6) return true;
    const spans = this.series.map((s) => {
      const [low, high] = bounds([s.values]);
      // What is constant fits into any frame.
      return high - low > 1e-5 * Math.max(Math.abs(low), Math.abs(high)) ? high - low : 0;
    }).filter((s) => s > 0 && Number.isFinite(s));
    return spans.length > 1 && Math.max(...spans) > 12 * Math.min(...spans);
  }

  build() {
    this.legend = el('ul', { class: 'legend' });
    for (const s of this.series) {
      s.value = el('output', { class: 'value' }, '');
      const swatch = svg('svg', { class: 'swatch', viewBox: '0 0 26 8', 'aria-hidden': 'true' },
        svg('line', { x1: 1, x2: 25, y1: 4, y2: 4, stroke: s.style, 'stroke-dasharray': s.dash }));
      s.button = el('button', {
        type: 'button', 'aria-pressed': 'true', title: `Show or hide ${s.name}`,
        onclick: () => this.toggle(s),
      }, swatch, legendSymbol(s));
      this.legend.append(el('li', {}, s.button, s.value));
    }
    const modes = this.series.length > 1 && !this.log
      ? el('button', { type: 'button', class: 'quiet', onclick: () => { this.apart = !this.apart; this.draw(); } }, '')
      : null;
    this.mode = modes;
    this.clockText = el('output', { class: 'value at' }, '');
    this.frame = el('div', { class: 'frame' });
    const caption = el('figcaption', {}, el('span', { class: 'title' }, this.title), this.clockText, modes,
      savers(this, () => [['t', this.clock.times], ...this.series.map((s) => [s.name, s.values])]));
    this.root = el('figure', { class: 'plot', id: this.id }, caption, this.legend, this.frame);
    this.frame.tabIndex = 0;
    this.frame.setAttribute('role', 'slider');
    this.frame.setAttribute('aria-label', `${this.title} over time`);
    this.frame.setAttribute('aria-valuemin', this.clock.start);
    this.frame.setAttribute('aria-valuemax', this.clock.end);
    this.frame.addEventListener('keydown', (event) => this.key(event));
    this.frame.addEventListener('pointermove', (event) => {
      const time = this.timeUnder(event);
      if (event.buttons === 1) this.clock.seek(time);
      this.clock.look(time);
    });
    this.frame.addEventListener('pointerdown', (event) => {
      if (event.button === 0) this.clock.seek(this.timeUnder(event));
    });
    this.frame.addEventListener('pointerleave', () => this.clock.look(null));
    this.frame.addEventListener('pointercancel', () => this.clock.look(null));
    // A plot one has chosen zooms, around the time under the pointer; sideways it moves.
    this.frame.addEventListener('wheel', (event) => {
      if (document.activeElement !== this.frame && !event.ctrlKey) return;
      event.preventDefault();
      const [from, to] = this.window;
      const span = to - from;
      if (Math.abs(event.deltaX) > Math.abs(event.deltaY) || event.shiftKey) {
        this.zoomTo(from + ((event.deltaX || event.deltaY) / 600) * span, span);
      } else {
        const next = span * Math.exp(event.deltaY * 0.0015);
        const time = this.timeUnder(event);
        this.zoomTo(time - ((time - from) / span) * next, next);
      }
    }, { passive: false });
    this.frame.addEventListener('dblclick', () => this.zoomTo(this.clock.start, this.clock.end - this.clock.start));
    this.frame.title = 'Click, then scroll to zoom, with Shift to move; double-click for the whole';
  }

  /** The times that are shown. */
  get window() {
    return this.seen ?? [this.clock.start, this.clock.end];
  }

  zoomTo(from, span) {
    const { start, end } = this.clock;
    const wide = Math.min(end - start, Math.max((end - start) / 500, span));
    const first = Math.min(end - wide, Math.max(start, from));
    this.seen = wide >= (end - start) * 0.999 ? null : [first, first + wide];
    this.draw();
  }

  toggle(series) {
    series.on = !series.on;
    // Something must stay.
    if (!this.series.some((s) => s.on)) series.on = true;
    series.button.setAttribute('aria-pressed', String(series.on));
    this.draw();
  }

  key(event) {
    const { clock } = this;
    const step = (clock.end - clock.start) / 200;
    const moves = { ArrowLeft: -step, ArrowDown: -step, ArrowRight: step, ArrowUp: step, PageUp: 10 * step, PageDown: -10 * step };
    if (event.key in moves) clock.seek(clock.time + moves[event.key]);
    else if (event.key === 'Home') clock.seek(clock.start);
    else if (event.key === 'End') clock.seek(clock.end);
    else return;
    event.preventDefault();
  }

  timeUnder(event) {
    const box = this.frame.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * this.width;
    const part = (x - this.left) / (this.width - this.left - this.right);
    const [from, to] = this.window;
    return from + part * (to - from);
  }

  x(time) {
    const [from, to] = this.window;
    return this.left + ((time - from) / (to - from || 1)) * (this.width - this.left - this.right);
  }

  draw(anew = true) {
    this.width = plotWidth(this, anew);
    this.left = this.width < 420 ? 46 : 58;
    this.right = 12;
    const shown = this.series.filter((s) => s.on);
    // A logarithmic axis shows sizes; exact zeros lie on its floor.
    const size = (v) => (v === null ? null : Math.log10(Math.max(Math.abs(v), FLOOR)));
    for (const s of this.series) s.drawn = this.log ? s.values.map(size) : s.values;
    const strips = this.apart ? shown.map((s) => [s]) : [shown];
    const tall = this.apart ? Math.max(64, Math.min(104, 420 / strips.length)) : 208;
    const gap = 14;
    const height = strips.length * (tall + gap) + 32;
    const root = svg('svg', { viewBox: `0 0 ${this.width} ${height}`, class: 'drawing', 'aria-hidden': 'true' });
    const bottom = strips.length * (tall + gap) - gap + 6;
    const across = ticks(...this.window, this.width / 90);
    for (const time of across) {
      const x = this.x(time);
      root.append(svg('line', { class: 'grid', x1: x, x2: x, y1: 6, y2: bottom }));
      const label = svg('text', { class: 'tick', x, y: bottom + 16, 'text-anchor': 'middle' });
      label.textContent = number(time);
      root.append(label);
    }
    // The name of the axis stands at its end, below a number that is there already.
    const free = across.length === 0 || this.x(across[across.length - 1]) < this.width - this.right - 26;
    const name = svg('text', { class: 'axis', x: this.width - this.right, y: bottom + (free ? 16 : 29), 'text-anchor': 'end' });
    name.textContent = 't';
    root.append(name);
    this.dots = [];
    this.strips = strips.map((group, index) => {
      const top = 6 + index * (tall + gap);
      this.strip(root, group, top, tall);
      return { top, tall };
    });
    this.cursor = svg('line', { class: 'cursor', y1: 6, y2: bottom, x1: 0, x2: 0 });
    root.append(this.cursor, ...this.dots.map((d) => d.node));
    this.frame.replaceChildren(root);
    if (this.mode) this.mode.textContent = this.apart ? 'in one frame' : 'in strips';
    this.mark(this.clock.shown, locate(this.clock.times, this.clock.shown));
  }

  strip(root, group, top, tall) {
    // What lies outside the times shown neither is drawn nor makes room.
    const [from, to] = this.window;
    const { times } = this.clock;
    const inside = (values) => (this.seen ? values.map((v, i) => (times[i] < from || times[i] > to ? null : v)) : values);
    let [low, high] = bounds(group.map((s) => inside(s.drawn)));
    if (this.log) {
      [low, high] = Number.isFinite(low) ? [Math.floor(low), Math.max(Math.ceil(high), Math.floor(low) + 1)] : [-16, 0];
    } else {
      [low, high] = roomy(low, high);
    }
    const y = (value) => top + tall - ((value - low) / (high - low)) * tall;
    const up = this.log
      ? ticks(low, high, tall / 30).filter(Number.isInteger)
      : ticks(low, high, tall / (tall < 90 ? 30 : 40));
    for (const tick of up) {
      root.append(svg('line', { class: tick === 0 && !this.log ? 'zero' : 'grid', x1: this.left, x2: this.width - this.right, y1: y(tick), y2: y(tick) }));
      const label = svg('text', { class: 'tick', x: this.left - 7, y: y(tick) + 3.5, 'text-anchor': 'end' });
      label.textContent = number(this.log ? 10 ** tick : tick);
      root.append(label);
    }
    root.append(svg('rect', { class: 'box', x: this.left, y: top, width: this.width - this.left - this.right, height: tall }));
    const xs = this.clock.times.map((t) => this.x(t));
    for (const s of group) {
      const ys = inside(s.drawn).map((v) => (v === null ? null : y(v)));
      root.append(svg('path', { class: 'curve', d: pathData(xs, ys), stroke: s.style, 'stroke-dasharray': this.apart ? 'none' : s.dash }));
      this.dots.push({ s, y, node: svg('circle', { class: 'dot', r: 3.4, fill: s.style }) });
    }
  }

  mark(time, where) {
    if (!this.cursor) return;
    const x = this.x(time);
    const [from, to] = this.window;
    const seen = time >= from && time <= to;
    this.cursor.setAttribute('visibility', seen ? 'visible' : 'hidden');
    this.cursor.setAttribute('x1', x);
    this.cursor.setAttribute('x2', x);
    for (const { s, y, node } of this.dots) {
      const value = valueAt(s.drawn, where);
      node.setAttribute('visibility', value === null || !seen ? 'hidden' : 'visible');
      if (value !== null) {
        node.setAttribute('cx', x);
        node.setAttribute('cy', y(value));
      }
    }
    const spoken = [];
    for (const s of this.series) {
      const text = number(valueAt(s.values, where));
      s.value.textContent = text;
      if (s.on) spoken.push(`${s.name} ${text}`);
    }
    const at = `t = ${number(time, 4)}`;
    this.clockText.textContent = at;
    this.frame.setAttribute('aria-valuenow', time);
    this.frame.setAttribute('aria-valuetext', `${at}; ${spoken.join(', ')}`);
  }
}

/** Values on the paper; gaps stay gaps. */
const placed = (values, scale) => values.map((v) => (v === null ? null : scale(v)));

/** A frame with ticks in which one quantity runs over another; `square(ratio)` says whether both have the same scale. */
function planeFrame(width, foot, across, up, square) {
  const [left, right, top] = [58, 14, 8];
  let [x0, x1] = roomy(...bounds(across));
  let [y0, y1] = roomy(...bounds(up));
  const wide = width - left - right;
  let tall = Math.min(420, wide * 0.62);
  const ratio = (x1 - x0) / (y1 - y0);
  if (square(ratio)) {
    tall = Math.min(Math.max(140, wide / ratio), 440);
    const unit = Math.max((x1 - x0) / wide, (y1 - y0) / tall);
    const [growX, growY] = [(unit * wide - (x1 - x0)) / 2, (unit * tall - (y1 - y0)) / 2];
    [x0, x1, y0, y1] = [x0 - growX, x1 + growX, y0 - growY, y1 + growY];
  }
  const x = (v) => left + ((v - x0) / (x1 - x0)) * wide;
  const y = (v) => top + tall - ((v - y0) / (y1 - y0)) * tall;
  const root = svg('svg', { viewBox: `0 0 ${width} ${tall + top + foot}`, class: 'drawing', 'aria-hidden': 'true' });
  const text = (content, attributes) => {
    const node = svg('text', { class: 'tick', ...attributes });
    node.textContent = content;
    root.append(node);
  };
  for (const tick of ticks(x0, x1, wide / 80)) {
    root.append(svg('line', { class: tick === 0 ? 'zero' : 'grid', x1: x(tick), x2: x(tick), y1: top, y2: top + tall }));
    text(number(tick), { x: x(tick), y: top + tall + 16, 'text-anchor': 'middle' });
  }
  for (const tick of ticks(y0, y1, tall / 46)) {
    root.append(svg('line', { class: tick === 0 ? 'zero' : 'grid', x1: left, x2: left + wide, y1: y(tick), y2: y(tick) }));
    text(number(tick), { x: left - 7, y: y(tick) + 3.5, 'text-anchor': 'end' });
  }
  root.append(svg('rect', { class: 'box', x: left, y: top, width: wide, height: tall }));
  return { root, text, x, y, left, top, wide, tall };
}

/** One quantity against another. */
class PathPlot {
  constructor(clock, { choices, x, y, equal }) {
    Object.assign(this, { clock, choices, equal });
    this.pick = (which, start) => {
      const list = el('select', { 'aria-label': which, onchange: () => this.draw() });
      for (const [i, s] of choices.entries()) list.append(el('option', { value: i, selected: i === start }, short(s.name)));
      return list;
    };
    this.across = this.pick('Across', x);
    this.up = this.pick('Up', y);
    this.same = el('input', { type: 'checkbox', id: 'equal-scales', onchange: () => { this.equal = this.same.checked; this.draw(); } });
    this.same.checked = equal;
    this.text = el('output', { class: 'value at' }, '');
    this.frame = el('div', { class: 'frame' });
    const bar = el('div', { class: 'bar' }, el('label', {}, 'up ', this.up), el('label', {}, 'across ', this.across),
      el('label', { for: 'equal-scales' }, this.same, ' equal scales'), this.text,
      savers(this, () => [['t', this.clock.times], [this.a.name, this.a.values], [this.b.name, this.b.values]]));
    this.root = el('figure', { class: 'plot path', id: 'plot-path' }, bar, this.frame);
    this.frame.tabIndex = 0;
    this.frame.setAttribute('role', 'slider');
    this.frame.setAttribute('aria-label', 'Path');
    this.frame.setAttribute('aria-valuemin', clock.start);
    this.frame.setAttribute('aria-valuemax', clock.end);
    this.frame.addEventListener('keydown', (event) => TimePlot.prototype.key.call(this, event));
    this.frame.addEventListener('pointermove', (event) => {
      const time = this.timeUnder(event);
      if (event.buttons === 1 && time !== null) this.clock.seek(time);
      this.clock.look(time);
    });
    this.frame.addEventListener('pointerdown', (event) => {
      const time = this.timeUnder(event);
      if (event.button === 0 && time !== null) this.clock.seek(time);
    });
    this.frame.addEventListener('pointerleave', () => this.clock.look(null));
    clock.listen((time, where) => this.mark(time, where));
    new ResizeObserver(() => this.draw()).observe(this.frame);
  }

  /** The time at which the path comes nearest to the pointer. */
  timeUnder(event) {
    const box = this.frame.getBoundingClientRect();
    const scale = this.width / box.width;
    const [px, py] = [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
    let best = null;
    let nearest = 60 * 60;
    for (let i = 0; i < this.xs.length; i += 1) {
      if (this.xs[i] === null || this.ys[i] === null) continue;
      const distance = (this.xs[i] - px) ** 2 + (this.ys[i] - py) ** 2;
      if (distance < nearest) [nearest, best] = [distance, this.clock.times[i]];
    }
    return best;
  }

  draw(anew = true) {
    this.width = plotWidth(this, anew);
    const [a, b] = [this.choices[this.across.value], this.choices[this.up.value]];
    const { root, text, x, y, left, top, wide, tall } = planeFrame(this.width, 38, [a.values], [b.values], () => this.equal);
    text(short(a.name), { class: 'axis', x: left + wide / 2, y: top + tall + 33, 'text-anchor': 'middle' });
    text(short(b.name), { class: 'axis', x: 0, y: 0, transform: `translate(11 ${top + tall / 2}) rotate(-90)`, 'text-anchor': 'middle' });
    [this.xs, this.ys, this.a, this.b] = [placed(a.values, x), placed(b.values, y), a, b];
    root.append(svg('path', { class: 'curve ghost', d: pathData(this.xs, this.ys), stroke: 'var(--series-1)' }));
    this.past = svg('path', { class: 'curve', stroke: 'var(--series-1)' });
    this.dot = svg('circle', { class: 'dot', r: 4.5, fill: 'var(--series-2)' });
    root.append(this.past, this.dot);
    this.frame.replaceChildren(root);
    this.mark(this.clock.shown, locate(this.clock.times, this.clock.shown));
  }

  mark(time, where) {
    if (!this.dot) return;
    const [x, y] = [valueAt(this.xs, where), valueAt(this.ys, where)];
    this.past.setAttribute('d', pathData([...this.xs.slice(0, where[0] + 1), x], [...this.ys.slice(0, where[0] + 1), y]));
    this.dot.setAttribute('visibility', x === null || y === null ? 'hidden' : 'visible');
    if (x !== null && y !== null) {
      this.dot.setAttribute('cx', x);
      this.dot.setAttribute('cy', y);
    }
    const [va, vb] = [valueAt(this.a.values, where), valueAt(this.b.values, where)];
    const text = `t = ${number(time, 4)}: ${short(this.a.name)} = ${number(va)}, ${short(this.b.name)} = ${number(vb)}`;
    this.text.textContent = text;
    this.frame.setAttribute('aria-valuenow', time);
    this.frame.setAttribute('aria-valuetext', text);
  }
}

function short(name) {
  const letters = [...name];
  return letters.length > 24 ? `${letters.slice(0, 23).join('')}…` : name;
}
