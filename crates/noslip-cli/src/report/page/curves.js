// ---- Plots the model asks for: one quantity against another, one curve or several ----

class CurvePlot {
  constructor(clock, { title, across, up, curves, id }) {
    Object.assign(this, { clock, across, up });
    this.curves = curves.map((c, i) => ({
      ...c,
      style: `var(--series-${(i % 8) + 1})`,
      dash: i < 1 ? 'none' : ['7 3', '2 3', '9 3 2 3', '4 2'][(i - 1) % 4],
    }));
    this.text = el('output', { class: 'value at' }, '');
    this.frame = el('div', { class: 'frame' });
    const legend = curves.length > 1 ? el('ul', { class: 'legend' }, ...this.curves.map((c) => el('li', {},
      svg('svg', { class: 'swatch', viewBox: '0 0 26 8', 'aria-hidden': 'true' },
        svg('line', { x1: 1, x2: 25, y1: 4, y2: 4, stroke: c.style, 'stroke-dasharray': c.dash })),
      el('span', { class: 'symbol' }, inlineMath(c.symbol))))) : null;
    const axes = el('p', { class: 'axes' }, el('span', {}, up ? inlineMath(up) : '', ' against '), inlineMath(across));
    const caption = el('figcaption', {}, el('span', { class: 'title', dir: 'auto' }, title), this.text);
    this.root = el('figure', { class: 'plot curves', id }, caption, axes, legend, this.frame);
    this.frame.setAttribute('role', 'img');
    this.frame.setAttribute('aria-label', title);
    clock.listen((time, where) => this.mark(time, where));
    new ResizeObserver(() => this.draw()).observe(this.frame);
  }

  draw() {
    this.width = Math.max(240, this.frame.clientWidth || this.width || 640);
    const [left, right, top, foot] = [58, 14, 8, 24];
    let [x0, x1] = roomy(...bounds(this.curves.map((c) => c.across)));
    let [y0, y1] = roomy(...bounds(this.curves.map((c) => c.values)));
    const wide = this.width - left - right;
    let tall = Math.min(420, wide * 0.62);
    // A path in the plane keeps its shape; quantities of different sizes fill the frame.
    const ratio = (x1 - x0) / (y1 - y0);
    if (ratio < 12 && ratio > 1 / 12) {
      tall = Math.min(Math.max(140, wide / ratio), 440);
      const unit = Math.max((x1 - x0) / wide, (y1 - y0) / tall);
      const [growX, growY] = [(unit * wide - (x1 - x0)) / 2, (unit * tall - (y1 - y0)) / 2];
      [x0, x1, y0, y1] = [x0 - growX, x1 + growX, y0 - growY, y1 + growY];
    }
    const x = (v) => left + ((v - x0) / (x1 - x0)) * wide;
    const y = (v) => top + tall - ((v - y0) / (y1 - y0)) * tall;
    const root = svg('svg', { viewBox: `0 0 ${this.width} ${tall + top + foot}`, class: 'drawing', 'aria-hidden': 'true' });
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
    const place = (values, scale) => values.map((v) => (v === null ? null : scale(v)));
    for (const c of this.curves) {
      [c.xs, c.ys] = [place(c.across, x), place(c.values, y)];
      root.append(svg('path', { class: 'curve', d: pathData(c.xs, c.ys), stroke: c.style, 'stroke-dasharray': c.dash }));
    }
    this.dots = this.curves.map((c) => svg('circle', { class: 'dot', r: 4.2, fill: c.style }));
    root.append(...this.dots);
    this.frame.replaceChildren(root);
    this.mark(this.clock.shown, locate(this.clock.times, this.clock.shown));
  }

  mark(time, where) {
    if (!this.dots) return;
    for (const [i, c] of this.curves.entries()) {
      const [x, y] = [valueAt(c.xs, where), valueAt(c.ys, where)];
      this.dots[i].setAttribute('visibility', x === null || y === null ? 'hidden' : 'visible');
      if (x === null || y === null) continue;
      this.dots[i].setAttribute('cx', x);
      this.dots[i].setAttribute('cy', y);
    }
    this.text.textContent = `t = ${number(time, 4)}`;
  }
}
