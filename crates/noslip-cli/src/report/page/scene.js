// ---- The animation: a small painter's-algorithm renderer on a canvas ----

const SOLID = new Set(['disk', 'sphere', 'ellipsoid', 'box', 'polygon']);

/** `#rrggbb` as three numbers. */
const parseColour = (text) => [1, 3, 5].map((i) => parseInt(text.trim().slice(i, i + 2), 16) || 0);
const mix = (a, b, part) => a.map((v, i) => v + (b[i] - v) * part);
const css = (rgb, alpha = 1) => `rgb(${rgb.map(Math.round).join(' ')} / ${alpha})`;

class Figure extends Camera {
  constructor(clock, scene) {
    super(clock, scene);
    this.canvas = el('canvas', {
      tabindex: '0', role: 'img',
      'aria-label': `Animation. ${scene.view.caption || ''} ${this.flat ? 'Drag to move' : 'Drag or use the arrow keys to turn'}, plus and minus to zoom, 0 to reset, space to play.`,
    });
    this.context = this.canvas.getContext('2d');
    this.pointers = new Map();
    this.attach();
    clock.listen((time, where) => { this.where = where; this.redraw(); });
    new ResizeObserver(() => this.resize()).observe(this.canvas);
  }

  // -- painting --

  resize() {
    const box = this.canvas.getBoundingClientRect();
    const ratio = Math.min(3, Math.max(window.devicePixelRatio || 1, 2));
    if (!box.width) return;
    [this.wide, this.high] = [box.width, box.height];
    this.canvas.width = Math.round(box.width * ratio);
    this.canvas.height = Math.round(box.height * ratio);
    this.ratio = ratio;
    this.fit();
    this.paint();
  }

  redraw() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.paint();
    });
  }

  readColours() {
    const style = getComputedStyle(document.documentElement);
    const read = (name) => parseColour(style.getPropertyValue(name));
    this.colours = { paper: read('--figure'), ink: read('--ink'), rule: read('--rule') };
    for (const role of ['body', 'wheel', 'frame', 'mark', 'path', 'velocity', 'force', 'ground', 'muted', 'accent']) {
      this.colours[role] = read(`--role-${role}`);
    }
    this.font = style.getPropertyValue('--sans').trim() || 'sans-serif';
  }

  paint() {
    if (!this.wide) return;
    const { context: c } = this;
    this.readColours();
    this.aim();
    c.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    c.fillStyle = css(this.colours.paper);
    c.fillRect(0, 0, this.wide, this.high);
    c.lineJoin = 'round';
    c.lineCap = 'round';
    if (this.flat) this.paper();
    const below = [];
    const pieces = [];
    const labels = [];
    const ground = this.scene.items.find((i) => i.shape === 'plane');
    const level = ground && this.fields(ground, this.where);
    for (const [index, item] of this.scene.items.entries()) {
      const f = this.fields(item, this.where);
      if (!f || (this.forces && item.shape === 'arrow' && item.role === 'force')) continue;
      const own = [];
      const colour = this.colours[item.role] || this.colours.ink;
      if (item.shape === 'plane') below.push(() => this.grid(f, colour));
      else if (item.shape === 'trail') this.trail(index, f, colour, own, level, below);
      else this.shape(item.shape, f, colour, own, labels);
      if (level && !this.flat && SOLID.has(item.shape)) this.shadow(own, level, below);
      if (item.label) labels.push([this.anchor(f), item.label, this.colours.ink, 12]);
      // In the plane the order of the file decides what lies on top; in space, the distance.
      if (this.flat) own.sort((a, b) => a.depth - b.depth);
      pieces.push(...own);
    }
    // Forces and what is pointed at lie on top of everything.
    const above = [];
    this.forces?.paint(this, above, labels);
    this.showPointed(above, labels);
    if (!this.flat) pieces.sort((a, b) => a.depth - b.depth);
    for (const draw of below) draw();
    for (const piece of [...pieces, ...above]) piece.draw();
    if (!this.flat) this.triad();
    for (const [p, text, colour, away] of labels) this.label(p, text, colour, away);
    this.canvas.dataset.time = this.clock.shown;
  }

  // -- a coordinate that somebody points at --

  /** Shows what moves when this coordinate grows, and how. */
  indicate(coordinate, symbol) {
    if (coordinate === (this.pointed?.coordinate ?? null)) return;
    this.pointed = coordinate === null ? null : { coordinate, symbol };
    this.canvas.dataset.pointed = coordinate === null ? '' : symbol;
    this.redraw();
  }

  /** The way of the point that moves farthest: an arc for an angle, a line for a distance. */
  showPointed(pieces, labels) {
    if (!this.pointed || !this.forces) return;
    const { clock } = this;
    const y = this.forces.stateAt(this.where);
    if (!finite(y)) return;
    const i = this.pointed.coordinate;
    const way = (length, steps) => {
      const out = [];
      for (let k = 0; k <= steps; k += 1) {
        const moved = Float64Array.from(y);
        moved[i] += (length * k) / steps;
        const columns = this.forces.columnsAt(clock.times[this.where[0]], moved);
        if (!columns) return null;
        out.push(this.marks(columns));
      }
      return out;
    };
    const small = way(1e-3, 1);
    if (!small) return;
    const speed = (k) => Math.hypot(...sub(small[1][k], small[0][k])) / 1e-3;
    let fastest = -1;
    for (let k = 0; k < small[0].length; k += 1) if (speed(k) > 1e-9 && (fastest < 0 || speed(k) > speed(fastest) * 1.001)) fastest = k;
    if (fastest < 0) return;
    const extent = this.scene.view.extent ?? this.size;
    const length = Math.min(1.2, (0.35 * extent) / speed(fastest));
    const path = way(length, 24)?.map((marks) => marks[fastest]);
    if (!path) return;
    const colour = this.colours.accent;
    this.line(path, colour, 2.6, pieces, { bias: 1e-3 * this.size });
    const [a, b] = [path.at(-2), path.at(-1)];
    this.arrow({ at: a, vector: sub(b, a), scale: 1 }, colour, pieces);
    this.dot({ at: path[0], size: 4 }, colour, pieces);
    labels.push([b, this.pointed.symbol, colour, 10]);
  }

  /** Points of all bodies at a state: centres, ends, corners, rims. */
  marks(columns) {
    const out = [];
    const value = (v) => (Array.isArray(v) ? v.map(value) : v !== null && typeof v === 'object' ? columns[v.column] : v);
    for (const item of this.scene.items) {
      if (['trail', 'plane', 'text', 'arrow'].includes(item.shape)) continue;
      const f = {};
      for (const [name, v] of Object.entries(item.fields)) f[name] = value(v);
      for (const name of ['at', 'center', 'from', 'to']) if (f[name]) f[name] = [f[name][0], f[name][1], f[name][2] ?? 0];
      if (f.points) out.push(...this.placed({ ...f, points: f.points.map((p) => [p[0], p[1], p[2] ?? 0]) }));
      for (const name of ['at', 'center', 'from', 'to']) if (f[name]) out.push(f[name]);
      if (f.center && (f.radius || f.axes || f.size)) {
        const axes = orientation(f);
        const reach = f.radius ? [f.radius, f.radius, 0] : f.axes ?? f.size.map((s) => s / 2);
        for (const corner of [[1, 0, 0], [0, 1, 0], [-1, 0, 0], [0, -1, 0]]) out.push(add(f.center, turn(axes, corner.map((c, k) => c * (reach[k] ?? 0)))));
      }
      if (f.at && f.heading !== undefined) out.push(add(f.at, times([Math.cos(f.heading), Math.sin(f.heading), 0], this.size * 0.1)));
    }
    return out;
  }

  anchor(f) {
    return f.at || f.center || (f.from && f.to && times(add(f.from, f.to), 0.5)) || f.of || (f.points && f.points[0]) || [0, 0, 0];
  }

  trace(points, close) {
    const { context: c } = this;
    c.beginPath();
    for (const [i, p] of points.entries()) {
      if (i) c.lineTo(p[0], p[1]);
      else c.moveTo(p[0], p[1]);
    }
    if (close) c.closePath();
  }

  stroke(points, colour, width, { close = false, alpha = 1, dash = [] } = {}) {
    const { context: c } = this;
    this.trace(points, close);
    c.setLineDash(dash);
    c.lineWidth = width;
    c.strokeStyle = css(colour, alpha);
    c.stroke();
    c.setLineDash([]);
  }

  /** A line in space, cut into pieces so that each finds its place among the solids. */
  line(points, colour, width, out, options = {}) {
    const seen = points.map((p) => this.project(p));
    if (options.close) seen.push(seen[0]);
    const bias = options.bias || 0;
    if (this.flat) {
      out.push({ depth: Math.max(...seen.map((p) => p[2])) + bias, draw: () => this.stroke(seen, colour, width, options) });
      return;
    }
    for (let i = 0; i + 1 < seen.length; i += 1) {
      const parts = seen.length === 2 ? 12 : 1;
      for (let k = 0; k < parts; k += 1) {
        const [a, b] = [k / parts, (k + 1) / parts].map((s) => mix(seen[i], seen[i + 1], s));
        out.push({ depth: (a[2] + b[2]) / 2 + bias, draw: () => this.stroke([a, b], colour, width, { alpha: options.alpha }) });
      }
    }
  }

  face({ points, normal, tone, both, edge, rim }, colour, out) {
    const seen = points.map((p) => this.project(p));
    const facing = this.flat ? normal[2]
      : dot(normal, sub(add(this.target, times(this.axes[2], this.distance)), points[0]));
    if (facing <= 0 && !both) return;
    const lit = Math.max(0, dot(facing < 0 ? times(normal, -1) : normal, this.light));
    let rgb = tone === 1 ? mix(colour, this.colours.paper, 0.42) : tone === 2 ? mix(colour, this.colours.mark, 0.8) : colour;
    rgb = this.flat && Math.abs(normal[2]) > 0.999 ? rgb : mix(mix(rgb, [0, 0, 0], 0.38), rgb, 0.25 + 0.75 * lit);
    const depth = seen.reduce((sum, p) => sum + p[2], 0) / seen.length;
    out.push({
      depth, points,
      draw: () => {
        const { context: c } = this;
        this.trace(seen, true);
        c.fillStyle = css(rgb);
        c.fill();
        // A hairline of the same colour hides the seams between faces.
        c.lineWidth = edge ? 1 : 0.7;
        const dark = mix(colour, this.colours.ink, 0.6);
        c.strokeStyle = css(edge ? dark : rgb);
        c.stroke();
        if (rim) this.stroke(seen.slice(1), dark, 1.5);
      },
    });
  }

  shape(shape, f, colour, out, labels) {
    const width = f.width ?? 2.4;
    if (shape === 'point') this.dot(f, colour, out);
    else if (shape === 'segment') this.line([f.from, f.to], colour, f.width ?? 3, out);
    else if (shape === 'polyline') this.line(this.placed(f), colour, width, out);
    else if (shape === 'spring') {
      const radius = f.radius ?? 0.06 * Math.hypot(...sub(f.to, f.from));
      this.line(helix(f.from, f.to, Math.max(1, f.coils ?? 8), radius), colour, 1.8, out);
    } else if (shape === 'polygon') {
      const points = this.placed(f);
      const normal = points.length > 2 ? unit(cross(sub(points[1], points[0]), sub(points[2], points[0]))) : [0, 0, 1];
      this.face({ points, normal, tone: 0, both: true, edge: true }, colour, out);
    } else if (shape === 'circle') {
      const axes = orientation(f);
      const ring = circle(72).map(([x, y]) => add(f.center, turn(axes, [f.radius * x, f.radius * y, 0])));
      this.line(ring, colour, width, out, { close: true });
    } else if (shape === 'disk') {
      for (const face of diskFaces(f.center, orientation(f), f.radius, f.thickness ?? 0, f.spokes ?? 4)) this.face(face, colour, out);
    } else if (shape === 'sphere') {
      for (const face of ellipsoidFaces(f.center, orientation(f), [f.radius, f.radius, f.radius])) this.face(face, colour, out);
    } else if (shape === 'ellipsoid') {
      for (const face of ellipsoidFaces(f.center, orientation(f), f.axes)) this.face(face, colour, out);
    } else if (shape === 'box') {
      const flat = f.size.length < 3;
      for (const face of boxFaces(f.center, orientation(f), [f.size[0], f.size[1], flat ? 0 : f.size[2]])) this.face(face, colour, out);
    } else if (shape === 'arrow') this.arrow(f, colour, out);
    else if (shape === 'text') labels.push([f.at, f.text, colour, 0]);
  }

  dot(f, colour, out) {
    const p = this.project(f.at);
    const size = f.size ?? (f.heading === undefined ? 5 : 13);
    const { context: c } = this;
    let heading = null;
    if (f.heading !== undefined) {
      const ahead = this.project(add(f.at, times([Math.cos(f.heading), Math.sin(f.heading), 0], this.size * 0.01)));
      heading = Math.atan2(ahead[1] - p[1], ahead[0] - p[0]);
    }
    out.push({
      // In front of what it touches.
      depth: p[2] + (1.5 * size) / (this.scale * this.zoom),
      draw: () => {
        c.save();
        c.translate(p[0], p[1]);
        c.fillStyle = css(colour);
        c.strokeStyle = css(this.colours.paper);
        c.lineWidth = 1.5;
        c.beginPath();
        if (heading === null) {
          c.arc(0, 0, size, 0, 2 * Math.PI);
        } else {
          c.rotate(heading);
          c.moveTo(size * 1.25, 0);
          c.lineTo(-size * 0.85, size * 0.62);
          c.lineTo(-size * 0.45, 0);
          c.lineTo(-size * 0.85, -size * 0.62);
          c.closePath();
        }
        c.fill();
        c.stroke();
        c.restore();
      },
    });
  }

  arrow(f, colour, out) {
    const tip = add(f.at, times(f.vector, f.scale ?? 1));
    const [a, b] = [this.project(f.at), this.project(tip)];
    const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
    if (length < 2) return;
    const [ux, uy] = [(b[0] - a[0]) / length, (b[1] - a[1]) / length];
    const head = Math.min(11, length * 0.6);
    const neck = [b[0] - ux * head * 0.8, b[1] - uy * head * 0.8];
    out.push({
      depth: Math.max(a[2], b[2]),
      draw: () => {
        const { context: c } = this;
        this.stroke([a, neck], colour, 2.2);
        this.trace([b, [b[0] - ux * head - uy * head * 0.42, b[1] - uy * head + ux * head * 0.42],
          [b[0] - ux * head + uy * head * 0.42, b[1] - uy * head - ux * head * 0.42]], true);
        c.fillStyle = css(colour);
        c.fill();
      },
    });
  }

  /** What has been travelled, plain; what will be, faint. On the ground it lies below all bodies. */
  trail(index, f, colour, out, level, below) {
    const track = this.tracks[index];
    if (track.length < 2) return;
    const [now] = this.where;
    const { times: t } = this.clock;
    const from = f.duration === undefined ? -Infinity : this.clock.shown - f.duration;
    const past = track.filter(([i]) => i <= now && t[i] >= from).map(([, p]) => p);
    past.push(f.of);
    const whole = track.map(([, p]) => p);
    // Not the whole track: in space, pieces of two lines in one place would take turns in front of each other.
    const future = [f.of, ...track.filter(([i]) => i > now).map(([, p]) => p)];
    const seen = (list) => list.map((p) => this.project(p));
    const paint = () => {
      if (f.duration === undefined) this.stroke(seen(future), colour, 1.1, { alpha: 0.42 });
      this.stroke(seen(past), colour, 1.9);
    };
    const normal = level && unit(level.normal || [0, 0, 1]);
    const through = level && (level.through || [0, 0, 0]);
    if (this.flat) out.push({ depth: -Infinity, draw: paint });
    else if (level && whole.every((p) => Math.abs(dot(sub(p, through), normal)) < this.size * 1e-3)) below.push(paint);
    else {
      if (f.duration === undefined) this.line(future, colour, 1.1, out, { alpha: 0.42 });
      this.line(past, colour, 1.9, out);
    }
  }

  /** What a solid covers of the ground when lit from straight above. */
  shadow(pieces, level, below) {
    const normal = unit(level.normal || [0, 0, 1]);
    const through = level.through || [0, 0, 0];
    if (dot(normal, this.axes[2]) <= 0) return;
    const [u, v] = frameOf(normal);
    const points = [];
    for (const piece of pieces) {
      for (const p of piece.points || []) {
        const q = sub(p, through);
        points.push([dot(q, u), dot(q, v)]);
      }
    }
    if (points.length < 3) return;
    const outline = hull(points).map(([a, b]) => this.project(add(through, add(times(u, a), times(v, b)))));
    below.push(() => {
      this.trace(outline, true);
      this.context.fillStyle = css([0, 0, 0], 0.13);
      this.context.fill();
    });
  }

  /** A grid on a plane, under everything that ever happens above it. */
  grid(f, colour) {
    const normal = unit(f.normal || [0, 0, 1]);
    const through = f.through || [0, 0, 0];
    // The axes of space themselves where the plane is level, so that its lines are round numbers of x and y.
    const [u, v] = Math.abs(normal[2]) > 0.999 ? [[1, 0, 0], [0, 1, 0]] : frameOf(normal);
    const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((b) => [0, 1, 2].map((k) => this.world[(b >> k) & 1][k]));
    const range = (axis) => {
      const values = corners.map((p) => dot(sub(p, through), axis));
      return [Math.min(...values), Math.max(...values)];
    };
    const [[u0, u1], [v0, v1]] = [range(u), range(v)];
    const span = Math.max(u1 - u0, v1 - v0, this.size * 0.2);
    const step = f.spacing > 0 ? Math.max(f.spacing, span / 200) : ticks(0, span, 9)[1] || span / 8;
    const cells = (a, b) => [Math.floor(a / step - 0.5), Math.ceil(b / step + 0.5)];
    const [[a0, a1], [b0, b1]] = [cells(u0, u1), cells(v0, v1)];
    const at = (a, b) => this.project(add(through, add(times(u, a * step), times(v, b * step))));
    const { context: c } = this;
    this.trace([at(a0, b0), at(a1, b0), at(a1, b1), at(a0, b1)], true);
    c.fillStyle = css(colour, 0.35);
    c.fill();
    const line = mix(colour, this.colours.ink, 0.28);
    for (let a = a0; a <= a1; a += 1) this.stroke([at(a, b0), at(a, b1)], line, 0.8, { alpha: 0.55 });
    for (let b = b0; b <= b1; b += 1) this.stroke([at(a0, b), at(a1, b)], line, 0.8, { alpha: 0.55 });
    this.step = step;
  }

  /** Graph paper for plane pictures, with its numbers at the edge. */
  paper() {
    const scale = this.scale * this.zoom;
    const origin = this.project([0, 0, 0]);
    const x = (v) => origin[0] + v * scale;
    const y = (v) => origin[1] - v * scale;
    const [left, right] = [(0 - origin[0]) / scale, (this.wide - origin[0]) / scale];
    const [low, high] = [(origin[1] - this.high) / scale, origin[1] / scale];
    const across = ticks(left, right, this.wide / 80);
    const step = across.length > 1 ? across[1] - across[0] : 1;
    const { context: c } = this;
    c.font = `10.5px ${this.font}`;
    const note = mix(this.colours.paper, this.colours.ink, 0.62);
    for (const v of across) {
      this.stroke([[x(v), 0], [x(v), this.high]], this.colours.rule, v === 0 ? 1.4 : 0.7, { alpha: 0.8 });
      c.fillStyle = css(note);
      c.textAlign = 'center';
      c.textBaseline = 'alphabetic';
      if (x(v) > 26 && x(v) < this.wide - 20) c.fillText(number(v, 4), x(v), this.high - 6);
    }
    for (let k = Math.ceil(low / step); k * step <= high; k += 1) {
      const v = Number((k * step).toPrecision(12));
      this.stroke([[0, y(v)], [this.wide, y(v)]], this.colours.rule, v === 0 ? 1.4 : 0.7, { alpha: 0.8 });
      c.fillStyle = css(note);
      c.textAlign = 'left';
      c.textBaseline = 'middle';
      if (y(v) > 12 && y(v) < this.high - 22) c.fillText(number(v, 4), 6, y(v));
    }
    const [ax, ay] = this.scene.view.axes;
    c.font = `italic 13px ${this.font}`;
    c.fillStyle = css(this.colours.ink);
    c.textBaseline = 'alphabetic';
    c.textAlign = 'right';
    if (ax) c.fillText(short(ax), this.wide - 8, this.high - 20);
    c.textAlign = 'left';
    if (ay) c.fillText(short(ay), 8, 16);
  }

  /** The directions of the axes, in a corner. */
  triad() {
    const { context: c } = this;
    const centre = [38, this.high - 38];
    const names = this.scene.view.axes.length === 3 ? this.scene.view.axes : ['x', 'y', 'z'];
    const colour = mix(this.colours.paper, this.colours.ink, 0.66);
    c.font = `italic 12px ${this.font}`;
    c.textAlign = 'center';
    c.textBaseline = 'middle';
    for (let k = 0; k < 3; k += 1) {
      const [dx, dy] = [this.axes[0][k], -this.axes[1][k]];
      this.stroke([centre, [centre[0] + 20 * dx, centre[1] + 20 * dy]], colour, 1.3);
      c.fillStyle = css(colour);
      if (Math.hypot(dx, dy) > 0.15) c.fillText(short(names[k]), centre[0] + 29 * dx, centre[1] + 29 * dy);
    }
  }

  label(p, text, colour, away) {
    const { context: c } = this;
    const [x, y] = this.project(p);
    c.font = `13px ${this.font}`;
    c.textAlign = away ? 'left' : 'center';
    c.textBaseline = 'middle';
    c.lineWidth = 4;
    c.strokeStyle = css(this.colours.paper, 0.85);
    c.strokeText(short(text), x + away, y - away);
    c.fillStyle = css(colour);
    c.fillText(short(text), x + away, y - away);
  }

  // -- hands on the picture --

  attach() {
    const { canvas } = this;
    canvas.addEventListener('pointerdown', (event) => {
      canvas.setPointerCapture(event.pointerId);
      this.pointers.set(event.pointerId, [event.clientX, event.clientY]);
    });
    canvas.addEventListener('pointermove', (event) => {
      const before = this.pointers.get(event.pointerId);
      if (!before) return;
      const now = [event.clientX, event.clientY];
      if (this.pointers.size === 2) {
        const other = [...this.pointers].find(([id]) => id !== event.pointerId)[1];
        const length = (p) => Math.hypot(p[0] - other[0], p[1] - other[1]) || 1;
        this.zoomBy(length(now) / length(before));
      } else {
        this.drag(now[0] - before[0], now[1] - before[1]);
      }
      this.pointers.set(event.pointerId, now);
    });
    for (const name of ['pointerup', 'pointercancel']) {
      canvas.addEventListener(name, (event) => this.pointers.delete(event.pointerId));
    }
    canvas.addEventListener('wheel', (event) => {
      // Scrolling the page past the picture must stay scrolling; a picture one has chosen zooms.
      if (document.activeElement !== canvas && !event.ctrlKey) return;
      event.preventDefault();
      this.zoomBy(Math.exp(-event.deltaY * 0.0015));
    }, { passive: false });
    canvas.addEventListener('dblclick', () => { this.reset(); this.redraw(); });
    canvas.addEventListener('keydown', (event) => this.key(event));
  }

  drag(dx, dy) {
    if (this.flat) {
      this.shift = [this.shift[0] + dx, this.shift[1] + dy];
    } else {
      this.azimuth -= dx * 0.008;
      this.elevation = Math.min(1.55, Math.max(-1.55, this.elevation + dy * 0.008));
    }
    this.redraw();
  }

  zoomBy(factor) {
    this.zoom = Math.min(40, Math.max(0.1, this.zoom * factor));
    this.redraw();
  }

  key(event) {
    const moves = { ArrowLeft: [-12, 0], ArrowRight: [12, 0], ArrowUp: [0, -12], ArrowDown: [0, 12] };
    if (event.key in moves) this.drag(...moves[event.key]);
    else if (event.key === '+' || event.key === '=') this.zoomBy(1.15);
    else if (event.key === '-') this.zoomBy(1 / 1.15);
    else if (event.key === '0') { this.reset(); this.redraw(); }
    else if (event.key === ' ') this.clock[this.clock.playing ? 'pause' : 'play']();
    else return;
    event.preventDefault();
  }
}
