// ---- Sliders, and what they bring about ----

/** Where a slider begins and ends: around the value of the model. */
function sliderRange({ given, kind }) {
  const size = Math.abs(given);
  if (kind === 'set' && size > 0) return given > 0 ? [0.1 * given, 3 * given] : [3 * given, 0.1 * given];
  const room = Math.max(1, size);
  return [given - room, given + room];
}

/** The panel under the animation: one slider for each value that may be chosen. */
class Controls {
  constructor(player, redraw) {
    Object.assign(this, { player, redraw, wanted: null });
    this.rows = player.knobs.map((knob) => this.row(knob));
    const group = (title, knobs) => {
      const rows = knobs.filter((k) => k.free).map((k) => this.rows[player.knobs.indexOf(k)].root);
      return rows.length ? el('fieldset', {}, el('legend', {}, title), ...rows) : null;
    };
    this.said = el('p', { class: 'said', role: 'status', id: 'play-said' });
    const copy = (what, text) => el('button', { type: 'button', class: 'quiet', onclick: (event) => copyText(text(), event.currentTarget, what) }, `Copy ${what}`);
    this.root = el('details', { class: 'knobs', id: 'knobs', open: player.knobs.filter((k) => k.free).length <= 8 },
      el('summary', {}, 'Change parameters and initial values'),
      el('div', { class: 'knob-groups' }, group('Parameters', player.parameters), group('Initial state', player.start)),
      this.said,
      el('p', { class: 'tools' },
        el('button', { type: 'button', class: 'quiet', id: 'as-in-file', onclick: () => this.reset() }, 'As in the file'),
        copy('as a command', () => player.command()), copy('as a link', () => this.link())));
    player.listen((event) => this.show(event));
    this.show({ done: true });
  }

  row(knob) {
    const [min, max] = sliderRange(knob);
    const slider = el('input', { type: 'range', min, max, step: (max - min) / 400, 'aria-label': knob.name, 'data-knob': knob.name });
    const box = el('input', { type: 'text', inputmode: 'decimal', 'aria-label': `Value of ${knob.name}`, 'data-value': knob.name, spellcheck: 'false' });
    const value = () => Number(slider.value);
    slider.addEventListener('input', () => this.want(knob, value(), false));
    slider.addEventListener('change', () => this.want(knob, value(), true));
    slider.addEventListener('dblclick', () => this.want(knob, knob.given, true));
    box.addEventListener('change', () => {
      const typed = Number(box.value.replace('−', '-').replace(',', '.'));
      if (box.value.trim() !== '' && Number.isFinite(typed)) this.want(knob, typed, true);
      else this.show({ done: true });
    });
    return { knob, slider, box, root: el('label', { class: 'knob' }, el('span', { class: 'symbol' }, inlineMath(knob.symbol)), slider, box) };
  }

  /** The newest wish counts; it is carried out with the next picture. */
  want(knob, value, last) {
    this.wanted = { knob, value, last };
    if (!this.waiting) requestAnimationFrame(() => this.frame());
    this.wait(true);
  }

  /** Whether work is under way, also for those who cannot see it. */
  wait(waiting) {
    this.waiting = waiting;
    this.root.ariaBusy = String(waiting);
  }

  /** Some milliseconds of work for each picture: while the hand moves, to fewer digits. */
  frame() {
    const { player } = this;
    const began = performance.now();
    if (this.wanted) {
      const { knob, value, last } = this.wanted;
      this.wanted = null;
      const tolerance = last ? player.play.tolerance : Math.max(player.play.tolerance, 1e-6);
      if (!player.change(knob, value, tolerance)) {
        this.wait(false);
        return;
      }
      this.last = last;
    }
    const done = player.advance(began + 9);
    // What is not computed yet is not shown.
    if (!done) for (const column of player.columns.flat()) column.fill(null, player.index);
    player.tell(done);
    this.redraw(done && this.last);
    // For those who want to know: how long the work for this picture took.
    this.root.dataset.took = (performance.now() - began).toFixed(2);
    if (this.wanted || !done) requestAnimationFrame(() => this.frame());
    else this.wait(false);
  }

  reset() {
    this.player.reset();
    this.player.advance();
    this.player.said = [];
    this.player.tell(true);
    this.redraw(true);
  }

  show({ done }) {
    const { player } = this;
    for (const { knob, slider, box } of this.rows) {
      // A value typed beyond the ends of the slider moves them.
      if (knob.value < Number(slider.min)) slider.min = knob.value;
      if (knob.value > Number(slider.max)) slider.max = knob.value;
      slider.value = knob.value;
      slider.setAttribute('aria-valuetext', number(knob.value));
      if (document.activeElement !== box || done) box.value = number(knob.value);
    }
    document.documentElement.classList.toggle('changed', player.changed);
    if (!done) return;
    const said = [...player.said, player.ending, gripSaid()].filter(Boolean);
    this.said.replaceChildren(...(player.changed || player.ending ? said.flatMap((s) => [...words(s), ' ']) : []));
    this.said.hidden = !this.said.textContent.trim();
    if (player.changed || location.hash.includes('=')) history.replaceState(null, '', `#${address()}`);
  }

  link() {
    return `${location.href.split('#')[0]}#${address()}`;
  }
}

/** Everything the page remembers in its address. */
function address() {
  const out = controls ? controls.player.address() : new URLSearchParams();
  if (chosenForm) out.set('form', chosenForm);
  return out.toString();
}
