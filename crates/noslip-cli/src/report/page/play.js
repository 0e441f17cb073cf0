// ---- The motion for other values: computed again while a slider moves ----

/** What is written of one number on a command line: all its digits. */
const exact = (value) => String(value);
const shellWord = (text) => (/^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

class Player {
  constructor(play, program, clock, data) {
    Object.assign(this, { play, clock, data });
    this.mechanics = new Mechanics(play, program);
    this.n = play.positions.length;
    this.knobs = [
      ...play.parameters.map((knob) => ({ ...knob, kind: 'set' })),
      ...play.positions.map((knob) => ({ ...knob, kind: 'initial' })),
      ...play.velocities.map((knob) => ({ ...knob, kind: 'initial' })),
    ];
    for (const knob of this.knobs) [knob.given, knob.touched] = [knob.value, false];
    this.columns = play.targets.map((target) => this.arrays(...target));
    this.mechanics.parameters = this.parameters.map((k) => k.value);
    this.listeners = [];
    this.said = [];
  }

  /** The columns that a program's output fills. */
  arrays(group, index, inner) {
    const { simulation, scene, figures, beyond } = this.data;
    if (group === 'scene') return [scene.columns[index]];
    if (group === 'up') return [figures[index].curves[inner].values];
    if (group === 'across') return figures[index].curves.slice(0, inner).map((curve) => curve.across);
    if (group === 'grip') return list(beyond.find((topic) => topic.id === 'grip')?.plots[0]?.series.slice(index, index + 1)).map((s) => s.values);
    if (group === 'guards' || group === 'names') return [];
    return [simulation[group][index].values];
  }

  listen(listener) {
    this.listeners.push(listener);
  }

  get parameters() {
    return this.knobs.slice(0, -2 * this.n);
  }

  get start() {
    return this.knobs.slice(-2 * this.n);
  }

  /** Something was changed by hand. */
  get changed() {
    return this.knobs.some((knob) => knob.touched);
  }

  reset() {
    for (const knob of this.knobs) [knob.value, knob.touched] = [knob.given, false];
    this.begin(this.play.tolerance);
  }

  /** One value changes; the rest follows where it has to. False if it cannot. */
  change(knob, value, tolerance = this.play.tolerance) {
    const before = this.knobs.map((k) => k.value);
    knob.value = value;
    knob.touched = true;
    const good = this.complete(knob);
    if (!good) {
      const why = `No state satisfies \`${this.mechanics.worst}\` with ${knob.name} = ${number(value)}: the value stays as it was.`;
      for (const [i, k] of this.knobs.entries()) k.value = before[i];
      this.said = [why];
      for (const listener of this.listeners) listener({ refused: true, done: true });
      return false;
    }
    this.begin(tolerance);
    return true;
  }

  /** A start that satisfies the constraints: what was chosen is kept as long as it can be, `held` always. */
  complete(held) {
    const { mechanics: m, n } = this;
    m.parameters = this.parameters.map((k) => k.value);
    const start = this.start;
    const t = this.play.time;
    const attempt = (chosen) => {
      const y = Float64Array.from(start, (k) => k.value);
      const fixed = (from) => start.slice(from, from + n).map(chosen);
      if (m.project(t, y, 'position', 1e-14, fixed(0)) === null) return null;
      const free = start.slice(n).map((k) => !chosen(k));
      // Velocities that nobody chose are as small as the constraints allow, as in the program itself.
      const origin = Float64Array.from(start.slice(n), (k, i) => (free[i] && !k.free && !k.touched ? 0 : y[n + i]));
      if (m.project(t, y, 'velocity', 1e-14, fixed(n), origin) === null) return null;
      return y;
    };
    const y = attempt((k) => k.free || k.touched) ?? attempt((k) => k === held || (k.touched && held.kind === 'set')) ?? attempt((k) => k === held);
    if (!y) return false;
    this.said = [];
    const moved = [];
    for (const [i, k] of start.entries()) {
      if (k !== held && (k.free || k.touched) && Math.abs(y[i] - k.value) > 1e-9 * (1 + Math.abs(k.value))) moved.push(`${k.name} = ${number(y[i])}`);
      k.value = k === held ? k.value : y[i];
    }
    if (moved.length) this.said.push(`To keep the constraints at the start: ${moved.join(', ')}.`);
    return true;
  }

  /** Begins to compute; `advance` goes on with it. */
  begin(tolerance) {
    const { mechanics: m, play, clock } = this;
    m.parameters = this.parameters.map((k) => k.value);
    const y = this.start.map((k) => k.value);
    const samples = 601;
    const span = play.until - play.time;
    const times = Array.from({ length: samples }, (_, i) => (i === samples - 1 ? play.until : play.time + (span * i) / (samples - 1)));
    clock.times.splice(0, clock.times.length, ...times);
    [clock.start, clock.end] = [times[0], times[samples - 1]];
    for (const column of this.columns.flat()) column.length = samples;
    this.fixedScene();
    this.run = new Integrator(m, play.time, y, play.until, tolerance);
    this.index = 0;
    this.state = new Float64Array(2 * this.n);
    this.done = false;
    this.ending = null;
    this.take(play.time, Float64Array.from(y));
    const last = play.targets.findIndex(([group]) => group === 'guards');
    for (const [i, what] of play.guards.entries()) {
      if (Math.abs(m.values[last + i]) < 1e-9) this.said.push(`${what[0].toUpperCase()}${what.slice(1).replaceAll('`', '')} is singular at the start: no one point touches there, as where a disk lies flat.`);
    }
  }

  /** Columns of the scene that were one number are columns now. */
  fixedScene() {
    for (const column of this.data.scene?.columns ?? []) {
      if (column.length === 1) for (let i = 1; i < this.clock.times.length; i += 1) column[i] = column[0];
    }
  }

  take(t, y) {
    const good = this.mechanics.show(t, y);
    const { values } = this.mechanics;
    for (const [i, arrays] of this.columns.entries()) {
      for (const column of arrays) column[this.index] = good && Number.isFinite(values[i]) ? values[i] : null;
    }
    this.index += 1;
  }

  /** Computes until the clock on the wall says `deadline`. True when the motion is complete. */
  advance(deadline = Infinity) {
    const { run, clock } = this;
    while (!this.done) {
      if (this.index >= clock.times.length || run.t === run.until) {
        this.finish();
        break;
      }
      if (run.steps >= 200000 || !run.step()) {
        this.ending = this.reason(run);
        this.finish();
        break;
      }
      const forward = run.until >= run.before ? 1 : -1;
      while (this.index < clock.times.length && (clock.times[this.index] - run.t) * forward <= 0) {
        const t = clock.times[this.index];
        if (t === run.t) this.state.set(run.end);
        else if (!run.at(t, this.state)) break;
        this.take(t, this.state);
      }
      run.keep();
      run.close();
      if (performance.now() > deadline) break;
    }
    return this.done;
  }

  /** What was not reached is a gap. */
  finish() {
    for (const column of this.columns.flat()) column.fill(null, this.index);
    this.done = true;
    const energy = list(this.data.simulation.energies)[2];
    const relative = list(this.data.simulation.drift).find((s) => s.name === 'energy (relative)');
    if (energy && relative) {
      const scale = Math.max(...energy.values.map((v) => Math.abs(v ?? 0)));
      relative.values.length = energy.values.length;
      for (const [i, v] of energy.values.entries()) relative.values[i] = v === null ? null : scale > 0 ? (v - energy.values[0]) / scale : 0;
    }
  }

  reason(run) {
    const { play } = this;
    const at = `The motion ends at t = ${number(run.t, 5)}: `;
    const why = run.failure;
    if (!why) return `${at}the limit of steps was reached.`;
    if (why.failed === 'constraint') return `${at}the accelerations are not determined, \`${play.constraints[why.index]}\` loses rank.`;
    if (why.failed === 'inertia') return `${at}the acceleration of ${play.positions[why.index].name} is not determined, masses and constraints are too few.`;
    if (why.failed === 'infinite') return `${at}an acceleration is not finite.`;
    return `${at}the steps became too small, it may become singular there.`;
  }

  tell(done) {
    for (const listener of this.listeners) listener({ done });
  }

  // -- a state as words --

  /** The same run on the command line. */
  command(verb = 'simulate') {
    const set = this.parameters.filter((k) => k.value !== k.given).map((k) => `--set ${k.name}=${exact(k.value)}`);
    const initial = this.changed ? this.start.map((k) => `--initial "${k.name}=${exact(k.value)}"`) : [];
    return ['noslip', verb, shellWord(this.play.model), ...set, ...initial].join(' ');
  }

  /** What was changed, for an address. */
  address() {
    const out = new URLSearchParams();
    for (const k of this.knobs) if (k.touched && k.value !== k.given) out.set(`${k.kind}.${k.name}`, exact(k.value));
    return out;
  }

  /** Takes up what an address says. */
  follow(parameters) {
    let any = false;
    for (const k of this.knobs) {
      const value = Number(parameters.get(`${k.kind}.${k.name}`) ?? NaN);
      if (Number.isFinite(value) && value !== k.value) any = this.change(k, value) || any;
    }
    return any;
  }
}
