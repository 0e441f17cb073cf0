// ---- Does my equation hold along this motion? ----

const FUNCTIONS = {
  sin: Math.sin, cos: Math.cos, tan: Math.tan, cot: (x) => 1 / Math.tan(x), sec: (x) => 1 / Math.cos(x), csc: (x) => 1 / Math.sin(x),
  asin: Math.asin, acos: Math.acos, atan: Math.atan, sinh: Math.sinh, cosh: Math.cosh, tanh: Math.tanh, exp: Math.exp, log: Math.log,
  ln: Math.log, sqrt: Math.sqrt, abs: Math.abs, sign: Math.sign, atan2: Math.atan2,
};

/** Reads an expression as in a model file; the value is a function of a look-up of names. */
class Expression {
  constructor(text, known) {
    this.text = text;
    this.known = known;
    this.tokens = [...text.matchAll(/\s*(?:(\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|([A-Za-z_]\w*'{0,3})|(\*\*|[-+*/^(),])|(\S))/g)];
    this.at = 0;
  }

  static read(text, known) {
    const reader = new Expression(text, known);
    const value = reader.sum();
    if (reader.at < reader.tokens.length) throw new Error(`“${reader.tokens[reader.at][0].trim()}” is not expected there`);
    return value;
  }

  peek(...signs) {
    const token = this.tokens[this.at];
    return token && signs.includes(token[3]);
  }

  take(sign) {
    if (!this.peek(sign)) throw new Error(`“${sign}” is missing`);
    this.at += 1;
  }

  /** Terms are kept apart, so that a difference can be judged beside them. */
  sum() {
    const terms = [];
    let negative = this.peek('-');
    if (this.peek('-', '+')) this.at += 1;
    for (;;) {
      const term = this.product();
      terms.push(negative ? (of) => -term(of) : term);
      if (!this.peek('+', '-')) break;
      negative = this.peek('-');
      this.at += 1;
    }
    const value = (of) => terms.reduce((sum, term) => sum + term(of), 0);
    value.terms = terms;
    return value;
  }

  product() {
    let value = this.power();
    while (this.peek('*', '/')) {
      const divide = this.peek('/');
      this.at += 1;
      const [left, right] = [value, this.power()];
      value = divide ? (of) => left(of) / right(of) : (of) => left(of) * right(of);
    }
    return value;
  }

  power() {
    if (this.peek('-')) {
      this.at += 1;
      const value = this.power();
      return (of) => -value(of);
    }
    const base = this.atom();
    if (!this.peek('^', '**')) return base;
    this.at += 1;
    const exponent = this.power();
    return (of) => base(of) ** exponent(of);
  }

  atom() {
    const token = this.tokens[this.at];
    if (!token) throw new Error('something is missing at the end');
    this.at += 1;
    if (token[1]) {
      const value = Number(token[1]);
      return () => value;
    }
    if (token[3] === '(') {
      const value = this.sum();
      this.take(')');
      return value;
    }
    const name = token[2];
    if (!name) throw new Error(`“${token[0].trim()}” is not expected there`);
    if (Object.hasOwn(FUNCTIONS, name) && this.peek('(')) {
      this.at += 1;
      const args = [this.sum()];
      while (this.peek(',')) {
        this.at += 1;
        args.push(this.sum());
      }
      this.take(')');
      const f = FUNCTIONS[name];
      if (args.length !== f.length) throw new Error(`${name} takes ${counted(f.length, 'argument')}`);
      return (of) => f(...args.map((a) => a(of)));
    }
    if (name === 'pi') return () => Math.PI;
    if (!this.known.has(name)) throw new Error(`“${name}” is no name of this model`);
    const place = this.known.get(name);
    return (of) => of(place);
  }
}

/** The field under the equations. */
class Checker {
  constructor(player) {
    Object.assign(this, { player });
    const { play } = player;
    this.names = new Map([['t', 0]]);
    const inputs = ['positions', 'velocities'].flatMap((group) => play[group].map((k) => k.name));
    const accelerations = play.positions.map((k) => `${k.name}''`);
    [...inputs, ...accelerations, ...player.data.simulation.multipliers.map((s) => s.name), ...play.parameters.map((k) => k.name)]
      .forEach((name, i) => this.names.set(name, i + 1));
    // Abbreviations and quasi-velocities with their derivatives are outputs of the programs.
    for (const [i, target] of play.targets.entries()) {
      if (target[0] === 'names') this.names.set(play.names[target[1]], -1 - i);
    }
    this.field = el('input', { type: 'text', id: 'claim', spellcheck: 'false', autocomplete: 'off', placeholder: "an equation, e.g. m*x'' = 0", 'aria-label': 'An equation to check' });
    this.answer = el('p', { class: 'answer', role: 'status', id: 'claim-answer' });
    this.field.addEventListener('input', () => this.judge());
    this.root = el('div', { class: 'check', id: 'check' }, el('h3', {}, 'Check my equation'),
      el('p', { class: 'remark' }, 'Written as in the model file: ', el('code', {}, "x'"), ' is the velocity, ', el('code', {}, "x''"), ' the acceleration.'),
      this.field, this.answer);
    player.listen(({ done }) => { if (done) this.judge(); });
  }

  /** States along the shown motion in all digits: computed here once for each motion. */
  states() {
    const { player } = this;
    const key = player.knobs.map((k) => k.value).join();
    if (this.key === key) return this.list;
    const { mechanics: m, play } = player;
    m.parameters = player.parameters.map((k) => k.value);
    const run = new Integrator(m, play.time, player.start.map((k) => k.value), play.until, Math.min(1e-11, play.tolerance));
    const list = [];
    const y = new Float64Array(2 * player.n);
    const note = (t, state) => { if (m.show(t, state)) list.push([Float64Array.from(m.probe), Float64Array.from(m.values)]); };
    note(play.time, run.y);
    const began = performance.now();
    for (let next = 1; next <= 60 && run.step() && performance.now() - began < 1500;) {
      const time = (k) => play.time + ((play.until - play.time) * k) / 60;
      while (next <= 60 && Math.abs(time(next) - play.time) <= Math.abs(run.t - play.time)) {
        if (run.at(time(next), y)) note(time(next), y);
        next += 1;
      }
      run.keep();
      run.close();
      if (run.t === run.until) break;
    }
    [this.key, this.list] = [key, list];
    return list;
  }

  judge() {
    const text = this.field.value.trim();
    this.answer.className = 'answer';
    if (!text) return this.answer.replaceChildren();
    const sides = text.split('=');
    let read;
    try {
      if (sides.length > 2) throw new Error('one “=” is enough');
      read = sides.map((side) => Expression.read(side, this.names));
    } catch (error) {
      return this.answer.replaceChildren(error.message, '.');
    }
    const [left, right = Object.assign(() => 0, { terms: [] })] = read;
    let [worst, at, scale] = [0, 0, 0];
    for (const [k, [inputs, outputs]] of this.states().entries()) {
      const of = (place) => (place >= 0 ? inputs[place] : outputs[-1 - place]);
      const terms = [...left.terms, ...right.terms].map((term) => Math.abs(term(of)));
      const difference = Math.abs(left(of) - right(of));
      if (!Number.isFinite(difference)) return this.answer.replaceChildren(`It has no value at t = ${number(inputs[0], 4)}.`);
      scale = Math.max(scale, ...terms);
      if (difference > worst) [worst, at] = [difference, k];
    }
    const holds = worst <= 1e-8 * scale || scale === 0;
    this.answer.classList.add(holds ? 'yes' : 'no');
    const [inputs, outputs] = this.states()[at];
    const of = (place) => (place >= 0 ? inputs[place] : outputs[-1 - place]);
    const command = `noslip verify ${shellWord(this.player.play.model)} "${text}"`;
    return this.answer.replaceChildren(
      holds ? `Holds along this motion, numerically: the sides differ by ${number(worst, 2)} at most, beside terms of ${number(scale, 3)}. `
        : `Does not hold: at t = ${number(inputs[0], 4)} the left side is ${number(left(of))}, the right side ${number(right(of))}. `,
      holds ? 'The proof: ' : 'The command for all motions: ', el('code', {}, command));
  }
}
