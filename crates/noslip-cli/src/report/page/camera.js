// ---- The scene in numbers, and the camera that looks at it ----

class Camera {
  constructor(clock, scene) {
    this.clock = clock;
    this.scene = scene;
    this.flat = scene.view.dimension === 2;
    this.where = [0, 0];
    this.measure();
    this.reset();
  }

  // -- numbers of the scene --

  /** A sampled value at a time: numbers, lists, text; null where something in it is a gap. */
  resolve(value, where) {
    if (typeof value === 'number' || typeof value === 'string') return value;
    if (value === null) return null;
    if (Array.isArray(value)) {
      const parts = value.map((v) => this.resolve(v, where));
      return parts.includes(null) ? null : parts;
    }
    return valueAt(this.scene.columns[value.column], where);
  }

  point(value, where) {
    const p = this.resolve(value, where);
    return p === null ? null : [p[0], p[1], p[2] ?? 0];
  }

  fields(item, where) {
    const out = {};
    for (const [name, value] of Object.entries(item.fields)) {
      out[name] = this.resolve(value, where);
      if (out[name] === null) return null;
      if (['at', 'center', 'from', 'to', 'of', 'vector', 'through', 'normal'].includes(name)) {
        out[name] = [out[name][0], out[name][1], out[name][2] ?? 0];
      }
      if (name === 'points') out[name] = out[name].map((p) => [p[0], p[1], p[2] ?? 0]);
    }
    return out;
  }

  /** Where everything is at all times: the box to fit into the picture, and the tracks. */
  measure() {
    const { clock, scene } = this;
    const count = clock.times.length;
    const stride = Math.max(1, Math.floor(count / 200));
    this.cloud = [];
    this.world = [[Infinity, Infinity, Infinity], [-Infinity, -Infinity, -Infinity]];
    const see = (p, origin) => {
      this.cloud.push(sub(p, origin));
      for (let k = 0; k < 3; k += 1) {
        this.world[0][k] = Math.min(this.world[0][k], p[k]);
        this.world[1][k] = Math.max(this.world[1][k], p[k]);
      }
    };
    const arrows = [];
    for (let i = 0; i < count; i += stride) {
      const origin = this.followed([i, 0]);
      for (const item of scene.items) {
        const f = this.fields(item, [i, 0]);
        if (!f) continue;
        const round = f.radius ?? (f.axes ? Math.max(...f.axes) : f.size && Array.isArray(f.size) ? Math.hypot(...f.size) / 2 : 0);
        if (item.shape === 'circle' || item.shape === 'disk') {
          const axes = orientation(f);
          for (const [c, s] of circle(12)) see(add(f.center, turn(axes, [f.radius * c, f.radius * s, 0])), origin);
        } else if (f.center && round) {
          for (let k = 0; k < (this.flat ? 2 : 3); k += 1) {
            for (const side of [-round, round]) see(f.center.map((v, j) => (j === k ? v + side : v)), origin);
          }
        }
        if (f.points) for (const p of this.placed(f)) see(p, origin);
        for (const p of [f.at, f.from, f.to, f.of]) if (p) see(p, origin);
        if (f.vector && f.at) arrows.push([f.at, times(f.vector, f.scale ?? 1), origin]);
      }
    }
    // A force that grows beyond all others, as where a wheel falls flat, leaves the picture: with its arrow in it nothing else is seen.
    const lengths = arrows.map(([, arrow]) => Math.hypot(...arrow)).sort((a, b) => a - b);
    const whole = Math.hypot(...this.world[1].map((v, k) => v - this.world[0][k]));
    const longest = Math.max(whole, 4 * (lengths[Math.floor(lengths.length / 2)] ?? 0));
    for (const [at, arrow, origin] of arrows) {
      if (!(Math.hypot(...arrow) > longest)) see(add(at, arrow), origin);
    }
    if (!this.cloud.length) see([0, 0, 0], [0, 0, 0]);
    const spans = this.world[1].map((v, k) => v - this.world[0][k]);
    this.size = Math.hypot(...spans) / 2 || 1;
    this.follow();
  }

  /** The tracks, which are drawn whole. */
  follow() {
    const { clock, scene } = this;
    const count = clock.times.length;
    this.tracks = scene.items.map((item) => {
      if (item.shape !== 'trail') return null;
      const keep = Math.max(1, Math.floor(count / 700));
      const points = [];
      for (let i = 0; i < count; i += keep) points.push([i, this.point(item.fields.of, [i, 0])]);
      return points.filter(([, p]) => p);
    });
  }

  followed(where) {
    const { follow } = this.scene.view;
    return (follow && this.point(follow, where)) || [0, 0, 0];
  }

  /** Points given in a body's own axes, in space. */
  placed(f) {
    if (!f.center && !this.turned(f)) return f.points;
    const axes = orientation(f);
    return f.points.map((p) => add(f.center || [0, 0, 0], turn(axes, p)));
  }

  turned(f) {
    return ['angle', 'euler', 'normal', 'quaternion', 'matrix', 'spin'].some((name) => f[name] !== undefined);
  }

  // -- the camera --

  reset() {
    const { view } = this.scene;
    this.azimuth = (view.azimuth * Math.PI) / 180;
    this.elevation = (view.elevation * Math.PI) / 180;
    this.zoom = 1;
    this.shift = [0, 0];
    if (this.wide) this.fit();
  }

  basis() {
    if (this.flat) return IDENTITY;
    const [ca, sa, ce, se] = [Math.cos(this.azimuth), Math.sin(this.azimuth), Math.cos(this.elevation), Math.sin(this.elevation)];
    return [[-sa, ca, 0], [-se * ca, -se * sa, ce], [ce * ca, ce * sa, se]];
  }

  fit() {
    const [right, up, toward] = this.basis();
    const box = [[Infinity, Infinity, Infinity], [-Infinity, -Infinity, -Infinity]];
    for (const p of this.cloud) {
      for (let k = 0; k < 3; k += 1) {
        box[0][k] = Math.min(box[0][k], p[k]);
        box[1][k] = Math.max(box[1][k], p[k]);
      }
    }
    this.middle = box[0].map((v, k) => (v + box[1][k]) / 2);
    const radius = Math.hypot(...box[1].map((v, k) => v - box[0][k])) / 2 || 1;
    this.distance = this.flat ? Infinity : 6 * radius;
    let [x0, x1, y0, y1] = [Infinity, -Infinity, Infinity, -Infinity];
    for (const p of this.cloud) {
      const q = sub(p, this.middle);
      const near = this.flat ? 1 : this.distance / (this.distance - dot(q, toward));
      const [x, y] = [dot(q, right) * near, dot(q, up) * near];
      [x0, x1, y0, y1] = [Math.min(x0, x), Math.max(x1, x), Math.min(y0, y), Math.max(y1, y)];
    }
    const { extent } = this.scene.view;
    if (extent) {
      this.scale = Math.min(this.wide, this.high) / (2 * extent);
    } else {
      const room = 0.86;
      this.scale = Math.min((this.wide * room) / Math.max(x1 - x0, 1e-9), (this.high * room) / Math.max(y1 - y0, 1e-9));
      // A thing at rest in one place: look at it from a little way off.
      if (!(Math.max(x1 - x0, y1 - y0) > 1e-9)) this.scale = Math.min(this.wide, this.high) / 2;
    }
    this.offset = [(x0 + x1) / 2, (y0 + y1) / 2];
  }

  aim() {
    this.axes = this.basis();
    this.target = add(this.followed(this.where), this.middle);
    this.light = unit(turn(this.axes, [-0.45, 0.75, 0.9]));
  }

  project(p) {
    const q = sub(p, this.target);
    const depth = dot(q, this.axes[2]);
    const near = this.flat ? 1 : this.distance / Math.max(this.distance - depth, this.distance * 0.08);
    const scale = this.scale * this.zoom;
    return [
      this.wide / 2 + this.shift[0] + scale * (dot(q, this.axes[0]) * near - this.offset[0]),
      this.high / 2 + this.shift[1] - scale * (dot(q, this.axes[1]) * near - this.offset[1]),
      depth,
    ];
  }
}
