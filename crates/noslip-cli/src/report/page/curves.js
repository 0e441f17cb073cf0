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
      legendSymbol(c)))) : null;
    const axes = el('p', { class: 'axes' }, up ? wrappingMath(up) : '', ' against ', wrappingMath(across));
    const caption = el('figcaption', {}, el('span', { class: 'title', dir: 'auto' }, title), this.text,
      savers(this, () => this.curves.flatMap((c) => [[`across, ${c.name}`, c.across], [c.name, c.values]])));
    this.root = el('figure', { class: 'plot curves', id }, caption, axes, legend, this.frame);
    this.frame.setAttribute('role', 'img');
    this.frame.setAttribute('aria-label', title);
    clock.listen((time, where) => this.mark(time, where));
    new ResizeObserver(() => this.draw()).observe(this.frame);
  }

  draw(anew = true) {
    this.width = plotWidth(this, anew);
    // A path in the plane keeps its shape; quantities of different sizes fill the frame.
    const { root, x, y } = planeFrame(this.width, 24, this.curves.map((c) => c.across), this.curves.map((c) => c.values),
      (ratio) => ratio < 12 && ratio > 1 / 12);
    for (const c of this.curves) {
      [c.xs, c.ys] = [placed(c.across, x), placed(c.values, y)];
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
