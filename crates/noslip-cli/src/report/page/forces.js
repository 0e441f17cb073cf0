// ---- Reactions in the picture ----
//
// A force at a point P does the virtual work F · δP. A constraint with the covector a whose reaction λ a does the same work as
// a force at a point that is drawn, a = (∂P/∂q)ᵀ d, is drawn there as the force λ d. The derivatives are differences of the
// picture itself, so that this holds for any drawing. Contacts with friction get the circle their force must stay in.

const LOST = [200, 40, 30];
/** So many forces have their names in the legend. */
const NAMED = 6;

class Forces {
  constructor(player, figure, scene, contacts) {
    Object.assign(this, { player, figure, scene, contacts });
    const { play } = player;
    this.first = play.targets.findIndex(([group]) => group === 'scene');
    this.n = play.positions.length;
    this.lambda = play.targets.findIndex(([group]) => group === 'multipliers');
    this.arrows = [];
    this.explicit();
    this.implicit();
    for (const arrow of this.arrows) {
      arrow.contact = this.contactOf(arrow);
      arrow.label ??= arrow.contact?.name ?? (arrow.constraints.map((j) => play.constraints[j]).join(', ') || 'force');
    }
    this.scale();
  }

  /** The state at a sample, in all digits that the page has. */
  stateAt(index) {
    const { simulation } = this.player.data;
    return Float64Array.from([...simulation.coordinates, ...simulation.velocities], (s) => valueAt(s.values, index) ?? NaN);
  }

  /** The scene's columns at a state that need not be one of the motion. */
  columnsAt(t, y) {
    const { mechanics } = this.player;
    if (!mechanics.show(t, y)) return null;
    return mechanics.values.slice(this.first, this.first + this.scene.columns.length);
  }

  /** Arrows of the role `force` that the model draws itself. */
  explicit() {
    for (const item of this.scene.items) {
      if (item.shape !== 'arrow' || item.role !== 'force') continue;
      this.arrows.push({ item, label: item.label ?? null, constraints: this.sameSize(item) });
    }
  }

  samples() {
    const count = this.player.clock.times.length;
    return [0.13, 0.37, 0.71].map((part) => Math.round(part * (count - 1)));
  }

  /** The constraints or the contact whose reaction is as large as this arrow, all along the motion. */
  sameSize(item) {
    const { multipliers } = this.player.data.simulation;
    const sizes = this.samples().map((i) => {
      const v = this.figure.resolve(item.fields.vector, [i, 0]);
      return v ? Math.hypot(...v) : NaN;
    });
    const alike = (force) => this.samples().every((i, k) => Math.abs(force(i) - sizes[k]) <= 1e-4 * (1e-9 + sizes[k]));
    const one = multipliers.findIndex((s) => alike((i) => Math.abs(s.values[i])));
    if (one >= 0) return [one];
    for (let a = 0; a < multipliers.length; a += 1) {
      for (let b = a + 1; b < multipliers.length; b += 1) {
        if (alike((i) => Math.hypot(multipliers[a].values[i], multipliers[b].values[i]))) return [a, b];
      }
    }
    const all = multipliers.map((_, j) => j);
    return alike((i) => Math.hypot(...multipliers.map((s) => s.values[i]))) ? all : [];
  }

  /** Points that are drawn: those of the shapes, and the middles of segments. */
  points() {
    const out = [];
    for (const item of this.scene.items) {
      const f = item.fields;
      for (const name of ['at', 'of', 'center']) if (f[name] && item.shape !== 'text' && item.shape !== 'arrow') out.push([f[name]]);
      if (f.from && f.to) out.push([f.from, f.to]);
    }
    return out;
  }

  /** A point from the columns of the scene; two ends give their middle. */
  place(ends, columns) {
    const number = (v) => (typeof v === 'number' ? v : columns[v.column]);
    const points = ends.map((p) => [0, 1, 2].map((k) => (p[k] === undefined ? 0 : number(p[k]))));
    return points.length === 1 ? points[0] : times(add(points[0], points[1]), 0.5);
  }

  /** ∂P/∂q by differences: a list of vectors, one for each coordinate. */
  jacobian(ends, t, y) {
    const out = [];
    for (let i = 0; i < this.n; i += 1) {
      const h = 1e-5 * (1 + Math.abs(y[i]));
      const [up, down] = [h, -h].map((step) => {
        const moved = Float64Array.from(y);
        moved[i] += step;
        return this.columnsAt(t, moved);
      });
      if (!up || !down) return null;
      out.push(times(sub(this.place(ends, up), this.place(ends, down)), 1 / (2 * h)));
    }
    return out;
  }

  /** d with a = Jᵀ d, nearest; and what is left of a. */
  direction(jacobian, a) {
    const m = [0, 1, 2].map((r) => [0, 1, 2].map((c) => jacobian.reduce((sum, p) => sum + p[r] * p[c], 0)));
    const trace = m[0][0] + m[1][1] + m[2][2];
    if (!(trace > 1e-12)) return null;
    const right = [0, 1, 2].map((r) => jacobian.reduce((sum, p, i) => sum + p[r] * a[i], 0));
    // Directions in which the point cannot move carry no work: a small weight decides for no force there.
    const heavy = m.flatMap((row, r) => row.map((v, c) => v + (r === c ? 1e-10 * trace : 0)));
    const solved = saddle(3, 0, heavy, [], right, []);
    if (solved.failed) return null;
    const d = [...solved.accelerations];
    const left = a.reduce((sum, v, i) => sum + (v - dot(jacobian[i], d)) ** 2, 0);
    return Math.sqrt(left) <= 1e-5 * Math.hypot(...a) ? d : null;
  }

  row(j, t, y) {
    const { mechanics, play } = this.player;
    const place = play.kept.indexOf(play.constraints[j]);
    if (place < 0) return null;
    mechanics.constraints(t, y);
    return [...mechanics.phi.subarray(mechanics.kept + place * this.n, mechanics.kept + (place + 1) * this.n)];
  }

  implicit() {
    const { play, clock } = this.player;
    const drawn = new Set(this.arrows.flatMap((arrow) => arrow.constraints));
    const points = this.points();
    for (const [j, name] of play.constraints.entries()) {
      if (drawn.has(j) || points.length > 60) continue;
      const states = this.samples().map((i) => [clock.times[i], this.stateAt([i, 0])]).filter(([, y]) => finite(y));
      if (!states.length) continue;
      const fits = (ends) => states.every(([t, y]) => {
        const [a, jacobian] = [this.row(j, t, y), this.jacobian(ends, t, y)];
        return a && jacobian && this.direction(jacobian, a) !== null;
      });
      const ends = points.find(fits);
      if (ends) this.arrows.push({ ends, label: name, constraints: [j] });
    }
  }

  contactOf(arrow) {
    return this.contacts.find((c) => c.constraints.length > 0 && c.constraints.every((j) => arrow.constraints.includes(j))) ?? null;
  }

  /** Where an arrow begins and the force it stands for. */
  force(arrow, where) {
    const { clock } = this.player;
    if (arrow.item) {
      const f = this.figure.fields(arrow.item, where);
      return f ? { at: f.at, vector: f.vector } : null;
    }
    const y = this.stateAt(where);
    if (!finite(y)) return null;
    const t = clock.times[where[0]];
    const columns = this.columnsAt(t, y);
    if (!columns) return null;
    const lambda = this.player.mechanics.values[this.lambda + arrow.constraints[0]];
    const at = this.place(arrow.ends, columns);
    const [a, jacobian] = [this.row(arrow.constraints[0], t, y), this.jacobian(arrow.ends, t, y)];
    const d = a && jacobian ? this.direction(jacobian, a) : null;
    return d ? { at, vector: times(d, lambda) } : null;
  }

  /** One scale for all: the model's own, or such that the largest force is a fifth of the picture. */
  scale() {
    const own = this.arrows.map((a) => a.item?.fields.scale).find((s) => typeof s === 'number');
    let largest = 0;
    for (const arrow of this.arrows) {
      const count = this.player.clock.times.length;
      for (let i = 0; i < count; i += Math.max(1, Math.floor(count / 40))) {
        const force = this.force(arrow, [i, 0]);
        if (force) largest = Math.max(largest, Math.hypot(...force.vector) || 0);
      }
    }
    const extent = this.scene.view.extent ?? this.figure.size;
    this.length = own ?? (largest > 0 ? (0.42 * extent) / largest : 0);
    this.largest = largest;
  }

  /** Force and limit of a contact, where there are any. */
  load(contact, where) {
    const [force, limit] = contact ? [valueAt(contact.force, where), valueAt(contact.limit, where)] : [null, null];
    return force === null || limit === null ? null : { force, limit, lost: force > limit };
  }

  paint(figure, pieces, labels) {
    for (const arrow of this.arrows) {
      const force = this.force(arrow, figure.where);
      if (!force || !force.vector.every(Number.isFinite)) continue;
      const load = this.load(arrow.contact, figure.where);
      const colour = load?.lost ? LOST : figure.colours.force;
      if (load) this.limit(figure, force, load, colour, pieces);
      figure.arrow({ at: force.at, vector: force.vector, scale: this.length }, colour, pieces);
      const tip = add(force.at, times(force.vector, this.length));
      labels.push([tip, arrow.label, colour, 8]);
    }
    this.tell?.();
  }

  /** The friction cone, cut by the plane of contact: the circle, or in the plane the span, that the force must stay in. */
  limit(figure, { at, vector }, { limit, lost }, colour, pieces) {
    const radius = limit * this.length;
    if (!(radius > 0)) return;
    const along = unit(Math.hypot(...vector) > 0 ? vector : [1, 0, 0]);
    const one = (figure.flat && !lost) || this.isLine(vector);
    if (one) {
      const across = times([-along[1], along[0], 0], 0.04 * figure.size);
      for (const side of [1, -1]) {
        const end = add(at, times(along, side * radius));
        figure.line([add(end, across), sub(end, across)], colour, 1.6, pieces, { alpha: 0.8 });
      }
      return;
    }
    const ring = circle(48).map(([x, y]) => add(at, [radius * x, radius * y, 0]));
    figure.line(ring, colour, lost ? 2.2 : 1.4, pieces, { close: true, alpha: lost ? 0.9 : 0.55 });
  }

  isLine(vector) {
    return this.figure.flat && vector[2] === 0;
  }

  /** What the arrows are, with a piece as long as a round force. */
  legend() {
    if (!this.arrows.length || !(this.length > 0)) return null;
    const pixels = () => {
      const unitLength = this.length * this.figure.scale * this.figure.zoom;
      const power = 10 ** Math.floor(Math.log10(100 / unitLength));
      const round = [5, 2, 1].map((m) => m * power).find((f) => f * unitLength <= 100) ?? power;
      return [round, round * unitLength];
    };
    const bar = svg('svg', { class: 'force-scale', height: 8, 'aria-hidden': 'true' });
    const text = el('span', { class: 'value' });
    const said = el('span', { class: 'lost-said' });
    const update = () => {
      if (!(this.figure.scale > 0)) return;
      const [round, wide] = pixels();
      bar.setAttribute('width', (wide + 2).toFixed(0));
      bar.replaceChildren(svg('path', { d: `M1 4H${wide.toFixed(1)}m-6 -3l6 3l-6 3`, fill: 'none', stroke: 'var(--role-force)', 'stroke-width': 2 }));
      text.textContent = number(round, 3);
      const lost = this.arrows.some((arrow) => this.load(arrow.contact, this.figure.where)?.lost);
      said.textContent = lost ? 'grip is lost' : '';
    };
    // With every picture: the scale is known when the first is painted, and changes as one zooms.
    this.tell = update;
    const labels = this.arrows.map((a) => a.label);
    const more = labels.length - NAMED;
    const names = labels.slice(0, NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '');
    const cone = this.arrows.some((a) => a.contact) ? ' The circle or the two bars: what friction can hold.' : '';
    return el('p', { class: 'forces', id: 'forces' }, bar, text, el('span', { class: 'what' }, ` Forces: ${names}.${cone} `), said);
  }
}

/** Times at which a contact would have to give more than it can, as parts of the whole. */
function lostSpans(contacts, times) {
  const spans = [];
  const whole = times.at(-1) - times[0];
  const lost = times.map((_, i) => contacts.some((c) => c.force[i] !== null && c.force[i] > c.limit[i]));
  for (let i = 0; i < times.length; i += 1) {
    if (!lost[i]) continue;
    let end = i;
    while (end + 1 < times.length && lost[end + 1]) end += 1;
    spans.push([(times[i] - times[0]) / whole, (times[end] - times[0]) / whole]);
    i = end;
  }
  return spans;
}
