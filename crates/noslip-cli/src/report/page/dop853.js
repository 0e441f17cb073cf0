// ---- The motion computed here: the method of Dormand and Prince of order 8, kept on the constraints ----
//
// The same method, step control and projection as `noslip simulate --method dop853`. PROGRAM holds the straight-line
// programs of the model: see `noslip::simulate::Playable`.

/** Solves the saddle system M a − Aᵀλ = f, A a = b; the row or column that is singular otherwise. */
function saddle(n, k, mass, rows, force, rates) {
  const size = n + k;
  const m = Array.from({ length: size }, () => new Float64Array(size + 1));
  for (let i = 0; i < n; i += 1) {
    for (let j = 0; j < n; j += 1) m[i][j] = mass[i * n + j];
    for (let j = 0; j < k; j += 1) {
      m[i][n + j] = -rows[j * n + i];
      m[n + j][i] = rows[j * n + i];
    }
    m[i][size] = force[i];
  }
  for (let j = 0; j < k; j += 1) m[n + j][size] = rates[j];
  // Rows of one size, then the largest element of the rest each time.
  for (const row of m) {
    let largest = 0;
    for (let j = 0; j < size; j += 1) largest = Math.max(largest, Math.abs(row[j]));
    if (!Number.isFinite(largest)) return { failed: 'infinite' };
    if (largest > 0) for (let j = 0; j <= size; j += 1) row[j] /= largest;
  }
  const order = Array.from({ length: size }, (_, i) => i);
  for (let step = 0; step < size; step += 1) {
    let [best, at, column] = [0, step, step];
    for (let i = step; i < size; i += 1) {
      for (let j = step; j < size; j += 1) {
        const value = Math.abs(m[i][j]);
        if (value > best) [best, at, column] = [value, i, j];
      }
    }
    if (!(best > 1e-13)) return { failed: order[step] < n ? 'inertia' : 'constraint', index: order[step] < n ? order[step] : order[step] - n };
    [m[step], m[at]] = [m[at], m[step]];
    if (column !== step) {
      for (const row of m) [row[step], row[column]] = [row[column], row[step]];
      [order[step], order[column]] = [order[column], order[step]];
    }
    for (let i = step + 1; i < size; i += 1) {
      const factor = m[i][step] / m[step][step];
      if (factor !== 0) for (let j = step; j <= size; j += 1) m[i][j] -= factor * m[step][j];
    }
  }
  const solution = new Float64Array(size);
  for (let i = size - 1; i >= 0; i -= 1) {
    let sum = m[i][size];
    for (let j = i + 1; j < size; j += 1) sum -= m[i][j] * solution[order[j]];
    solution[order[i]] = sum / m[i][i];
  }
  return { accelerations: solution.subarray(0, n), multipliers: solution.subarray(n) };
}

/** The system with values of its parameters: rates, loads, constraints. */
class Mechanics {
  constructor(play, program) {
    Object.assign(this, { play, program });
    this.n = play.positions.length;
    this.k = play.constraints.length;
    this.kept = play.kept.length;
    const parameters = play.parameters.length;
    this.input = new Float64Array(1 + 2 * this.n + parameters);
    this.probe = new Float64Array(1 + 3 * this.n + this.k + parameters);
    this.out = new Float64Array(2 * this.n + this.k + 1);
    this.system = new Float64Array(this.n * this.n + this.k * this.n + this.n + this.k);
    this.phi = new Float64Array(this.kept * (this.n + 1));
    this.mass = new Float64Array(this.n * this.n);
    this.values = new Float64Array(play.targets.length);
  }

  set parameters(list) {
    this.input.set(list, 1 + 2 * this.n);
    this.probe.set(list, 1 + 3 * this.n + this.k);
  }

  state(t, y) {
    this.input[0] = t;
    this.input.set(y, 1);
  }

  solved() {
    const { n, k, system: s } = this;
    this.program.full(this.input, s);
    return saddle(n, k, s.subarray(0, n * n), s.subarray(n * n, n * n + k * n), s.subarray(n * n + k * n, n * n + k * n + n), s.subarray(n * n + k * n + n));
  }

  /** dy = (q̇, q̈); what is singular or infinite otherwise. */
  rates(t, y, dy) {
    const { n } = this;
    this.state(t, y);
    if (this.program.rates) {
      this.program.rates(this.input, this.out);
      if (this.out[2 * n] < this.play.growth) {
        for (let i = 0; i < 2 * n; i += 1) dy[i] = this.out[i];
        return finite(dy) ? null : { failed: 'infinite' };
      }
    }
    const solved = this.solved();
    if (solved.failed) return solved;
    for (let i = 0; i < n; i += 1) [dy[i], dy[n + i]] = [y[n + i], solved.accelerations[i]];
    return finite(dy) ? null : { failed: 'infinite' };
  }

  /** Everything the page shows at a state, into `values`; false where accelerations and multipliers have no value. */
  show(t, y) {
    const { n, k, probe } = this;
    this.state(t, y);
    let good = false;
    if (this.program.loads) {
      this.program.loads(this.input, this.out);
      good = this.out[n + k] < this.play.growth;
      for (let i = 0; i < n + k && good; i += 1) probe[1 + 2 * n + i] = this.out[i];
    }
    if (!good) {
      const solved = this.solved();
      if (solved.failed) return false;
      probe.set(solved.accelerations, 1 + 2 * n);
      probe.set(solved.multipliers, 1 + 3 * n);
    }
    probe[0] = t;
    probe.set(y, 1);
    this.program.shown(probe, this.values);
    return true;
  }

  /** Residuals φ and rows A of the constraints on velocities, holonomic ones first, at (t, y). */
  constraints(t, y) {
    this.state(t, y);
    this.program.velocity(this.input, this.phi);
  }

  /**
   * Moves what is free of `y` (positions or velocities, from `start`) to the first `count` constraints, each step by the
   * least change in the metric of the kinetic energy, or to what is nearest to `origin`. The largest relative residual
   * found at first; null where they cannot be met: `this.worst` names the constraint.
   */
  project(t, y, level, tolerance, fixed = null, origin = null) {
    const { n } = this;
    const count = level === 'position' ? this.play.holonomic : this.kept;
    if (count === 0 && !origin) return 0;
    const at = level === 'position' ? 0 : n;
    const free = [];
    for (let i = 0; i < n; i += 1) if (!fixed?.[i]) free.push(i);
    const residual = new Float64Array(count);
    let [before, best, stalled] = [null, Infinity, 0];
    let step = origin ? Infinity : 0;
    for (let round = 0; ; round += 1) {
      this.constraints(t, y);
      if (level === 'position') this.program.position(this.input, residual);
      else residual.set(this.phi.subarray(0, count));
      let [worst, which] = [0, 0];
      for (let j = 0; j < count; j += 1) {
        if (!Number.isFinite(residual[j])) return this.blame(j);
        let terms = 0;
        for (let i = 0; i < n; i += 1) terms += Math.abs(this.phi[this.kept + j * n + i] * y[at + i]);
        const relative = residual[j] === 0 ? 0 : Math.abs(residual[j]) / Math.max(terms, Math.abs(residual[j]), 1e-300);
        // Beside terms that vanish themselves, a residual counts by itself.
        const size = terms > 1e-9 ? relative : Math.abs(residual[j]);
        if (size > worst) [worst, which] = [size, j];
      }
      before ??= worst;
      const left = Math.max(worst, step);
      if (left <= tolerance) return before;
      if (left < 0.5 * best) [best, stalled] = [left, 0];
      else stalled += 1;
      if (stalled >= 3 && left <= 1e3 * tolerance) return before;
      if (round === 50 || stalled >= 12 || free.length === 0) return worst <= 1e3 * tolerance ? before : this.blame(which);
      const change = this.newton(t, y, at, count, free, residual, origin);
      if (!change) return this.blame(which);
      let [moved, size] = [0, 0];
      for (const [p, i] of free.entries()) {
        y[at + i] += change[p];
        moved = Math.max(moved, Math.abs(change[p]));
        size = Math.max(size, Math.abs(y[at + i]));
      }
      if (origin) step = moved === 0 ? 0 : moved / Math.max(size, 1e-300);
    }
  }

  newton(t, y, at, count, free, residual, origin) {
    const { n } = this;
    this.state(t, y);
    this.program.inertia(this.input, this.mass);
    const l = free.length;
    const metric = new Float64Array(l * l);
    const rows = new Float64Array(count * l);
    for (let p = 0; p < l; p += 1) {
      for (let q = 0; q < l; q += 1) metric[p * l + q] = this.mass[free[p] * n + free[q]];
      for (let j = 0; j < count; j += 1) rows[j * l + p] = this.phi[this.kept + j * n + free[p]];
    }
    const away = free.map((i) => (origin ? origin[i] - y[at + i] : 0));
    const solve = (weight, slack) => {
      const pull = away.map((_, p) => away.reduce((sum, x, q) => sum + metric[p * l + q] * x, weight * away[p]));
      const heavy = metric.slice();
      for (let p = 0; p < l; p += 1) heavy[p * l + p] += weight;
      return solveSlack(l, count, heavy, rows, pull, residual.map((c) => -c), slack);
    };
    const trace = free.reduce((sum, _, p) => sum + metric[p * l + p], 0);
    const weight = trace > 0 ? (1e-6 * trace) / l : 1;
    // Massless directions have no weight: they get a little. Constraints that what is held fixed makes redundant get slack.
    for (const [w, s] of [[0, 0], [weight, 0], [weight, 1e-12]]) {
      const solved = solve(w, s);
      if (!solved.failed) return solved.accelerations;
    }
    return null;
  }

  blame(index) {
    this.worst = this.play.kept[index];
    return null;
  }
}

/** The saddle system with A a + slack λ = b. */
function solveSlack(n, k, mass, rows, force, rates, slack) {
  if (slack === 0) return saddle(n, k, mass, rows, force, rates);
  // As one more coordinate for each constraint, held by a stiff spring.
  const m = n + k;
  const wide = new Float64Array(m * m);
  const long = new Float64Array(k * m);
  for (let i = 0; i < n; i += 1) for (let j = 0; j < n; j += 1) wide[i * m + j] = mass[i * n + j];
  for (let j = 0; j < k; j += 1) {
    wide[(n + j) * m + n + j] = 1 / slack;
    for (let i = 0; i < n; i += 1) long[j * m + i] = rows[j * n + i];
    long[j * m + n + j] = 1;
  }
  const solved = saddle(m, k, wide, long, [...force, ...new Array(k).fill(0)], rates);
  return solved.failed ? solved : { ...solved, accelerations: solved.accelerations.subarray(0, n) };
}

function finite(list) {
  for (let i = 0; i < list.length; i += 1) if (!Number.isFinite(list[i])) return false;
  return true;
}

/** An integration by DOP853 that can be interrupted and taken up again. */
class Integrator {
  constructor(mechanics, t, y, until, tolerance) {
    Object.assign(this, { mechanics, t, until, tolerance });
    const n = y.length;
    this.y = Float64Array.from(y);
    this.old = new Float64Array(n);
    this.end = new Float64Array(n);
    this.stage = new Float64Array(n);
    this.carry = new Float64Array(n);
    this.carried = new Float64Array(n);
    this.k = Array.from({ length: 16 }, () => new Float64Array(n));
    this.dense = Array.from({ length: 8 }, () => new Float64Array(n));
    [this.h, this.errorOld, this.steps, this.failure, this.known] = [0, 1e-4, 0, null, false];
  }

  /** out = from + h Σ aⱼ kⱼ */
  combine(from, h, [stages, weights]) {
    const { stage, k } = this;
    for (let i = 0; i < stage.length; i += 1) {
      let sum = 0;
      for (let j = 0; j < stages.length; j += 1) sum += weights[j] * k[stages[j]][i];
      stage[i] = from[i] + h * sum;
    }
  }

  evaluate(s, t) {
    this.why = this.mechanics.rates(t, this.stage, this.k[s]);
    return this.why === null;
  }

  scaled(v) {
    let sum = 0;
    for (let i = 0; i < v.length; i += 1) sum += (v[i] / (this.tolerance + this.tolerance * Math.abs(this.y[i]))) ** 2;
    return sum;
  }

  startingStep() {
    const limit = Math.abs(this.until - this.t);
    const [rate, size] = [this.scaled(this.k[0]), this.scaled(this.y)];
    const guess = Math.min(rate <= 1e-10 || size <= 1e-10 ? 1e-6 : 0.01 * Math.sqrt(size / rate), limit);
    const signed = guess * Math.sign(this.until - this.t);
    this.combine(this.y, signed, [[0], [1]]);
    if (!this.evaluate(1, this.t + signed)) return guess;
    for (let i = 0; i < this.y.length; i += 1) this.k[1][i] -= this.k[0][i];
    const steepest = Math.max(Math.sqrt(this.scaled(this.k[1])) / guess, Math.sqrt(rate));
    const h = steepest <= 1e-15 ? Math.max(guess * 1e-3, 1e-6) : (0.01 / steepest) ** (1 / 8);
    return Math.min(h, 100 * guess, limit);
  }

  /** One accepted step, or `failure`. */
  step() {
    const { tableau } = this.mechanics.program;
    if (!this.known) {
      this.stage.set(this.y);
      if (!this.evaluate(0, this.t)) return this.giveUp(0);
      this.known = true;
    }
    if (this.h === 0) this.h = this.startingStep();
    let shrunk = false;
    for (;;) {
      const rest = this.until - this.t;
      const proposed = this.h;
      const ends = 1.01 * proposed >= Math.abs(rest);
      const h = ends ? rest : 2 * proposed > Math.abs(rest) ? 0.5 * rest : Math.sign(rest) * proposed;
      const shortest = Math.max(8 * Number.EPSILON * Math.abs(this.t), 1e-4 * Number.EPSILON * Math.abs(rest));
      if (((shrunk || !ends) && Math.abs(h) < shortest) || Number.isNaN(h)) return this.giveUp(h);
      let good = true;
      for (let s = 1; s < 12 && good; s += 1) {
        this.combine(this.y, h, tableau.stages[s - 1]);
        good = this.evaluate(s, this.t + tableau.c[s] * h);
      }
      const error = good ? this.advance(h) : NaN;
      if (!good || !finite(this.stage)) {
        this.h = 0.25 * Math.abs(h);
        shrunk = true;
        continue;
      }
      if (!this.accepts(h, proposed, error, shrunk)) {
        shrunk = true;
        continue;
      }
      const end = ends ? this.until : this.t + h;
      if (!this.evaluate(12, end)) {
        this.h = 0.25 * Math.abs(h);
        shrunk = true;
        continue;
      }
      [this.before, this.length] = [this.t, h];
      this.t = end;
      this.old.set(this.y);
      this.y.set(this.stage);
      this.end.set(this.stage);
      [this.carry, this.carried] = [this.carried, this.carry];
      this.steps += 1;
      this.ready = false;
      return true;
    }
  }

  advance(h) {
    const { tableau } = this.mechanics.program;
    const { k, y, stage, carry, carried, tolerance } = this;
    const [stages, weights] = tableau.stages[11];
    let [error5, error3] = [0, 0];
    for (let i = 0; i < y.length; i += 1) {
      let [sum, e5] = [0, 0];
      for (let j = 0; j < 8; j += 1) {
        sum += weights[j] * k[stages[j]][i];
        e5 += tableau.e5[j] * k[stages[j]][i];
      }
      const e3 = sum - tableau.b3[0] * k[0][i] - tableau.b3[1] * k[8][i] - tableau.b3[2] * k[11][i];
      const change = h * sum + carry[i];
      stage[i] = y[i] + change;
      carried[i] = change - (stage[i] - y[i]);
      const scale = 1 / (tolerance + tolerance * Math.max(Math.abs(y[i]), Math.abs(stage[i])));
      error5 += (e5 * scale) ** 2;
      error3 += (e3 * scale) ** 2;
    }
    const denominator = error5 + 0.01 * error3;
    return (Math.abs(h) * error5) / Math.sqrt((denominator > 0 ? denominator : 1) * Math.max(1, y.length));
  }

  accepts(signed, proposed, error, shrunk) {
    const h = Math.abs(signed);
    const factor = error ** (1 / 8 - 0.2 * 0.04);
    if (!(error <= 1)) {
      this.h = Number.isFinite(error) ? h / Math.min(1 / 0.333, factor / 0.9) : 0.1 * h;
      return false;
    }
    const next = h / Math.min(1 / 0.333, Math.max(1 / 6, factor / this.errorOld ** 0.04 / 0.9));
    this.errorOld = Math.max(error, 1e-4);
    this.h = shrunk ? Math.min(next, h) : h < proposed ? Math.max(next, proposed) : next;
    return true;
  }

  /** After a step: back onto the constraints; and the derivative there. */
  keep() {
    const { mechanics: m, y } = this;
    const tolerance = Math.max(0.01 * this.tolerance, 1e-14);
    const kept = Float64Array.from(y);
    const a = m.project(this.t, kept, 'position', tolerance);
    const b = a === null ? null : m.project(this.t, kept, 'velocity', tolerance);
    if (a === null || b === null) return;
    if (kept.some((v, i) => v !== y[i])) {
      y.set(kept);
      this.carry.fill(0);
      this.known = false;
    } else {
      // The derivative at the end stays for the dense output: it is copied, not swapped.
      this.next = true;
    }
  }

  /** The state at a time inside the last step. */
  at(t, out) {
    const { tableau } = this.mechanics.program;
    const { k, dense } = this;
    if (!this.ready) {
      for (let s = 13; s < 16; s += 1) {
        this.combine(this.old, this.length, tableau.stages[s - 1]);
        if (!this.evaluate(s, this.before + tableau.c[s] * this.length)) return false;
      }
      for (let i = 0; i < this.y.length; i += 1) {
        const change = this.end[i] - this.old[i];
        dense[0][i] = this.old[i];
        dense[1][i] = change;
        dense[2][i] = this.length * k[0][i] - change;
        dense[3][i] = 2 * change - this.length * (k[12][i] + k[0][i]);
        for (const [row, d] of tableau.dense.entries()) {
          let sum = d[0] * k[0][i];
          for (let j = 1; j < 12; j += 1) sum += d[j] * k[j + 4][i];
          dense[row + 4][i] = this.length * sum;
        }
      }
      this.ready = true;
    }
    const x = (t - this.before) / this.length;
    const z = 1 - x;
    for (let i = 0; i < out.length; i += 1) {
      const inner = dense[4][i] + x * (dense[5][i] + z * (dense[6][i] + x * dense[7][i]));
      out[i] = dense[0][i] + x * (dense[1][i] + z * (dense[2][i] + x * (dense[3][i] + z * inner)));
    }
    return true;
  }

  /** What the next step begins with, when nothing of this one is asked for any more. */
  close() {
    if (this.next) this.k[0].set(this.k[12]);
    this.next = false;
  }

  giveUp(h) {
    const { mechanics: m } = this;
    if (!this.why || this.why.failed === undefined) {
      m.state(this.t, this.y);
      const solved = m.solved();
      this.why = solved.failed ? solved : { failed: 'step', h };
    }
    this.failure = this.why;
    return false;
  }
}
