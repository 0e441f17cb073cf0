// ---- What a symbol is, what its value is, where it is in the picture ----

class Lexicon {
  constructor() {
    this.known = new Map();
    // The letters of a formula, as the page shows them; to build thousands of formulas for them takes a blink too long.
    const key = (formula) => unescaped((formula?.mathml || '').replace(/<[^>]*>/g, ''));
    const add = (formula, entry) => {
      const name = key(formula);
      if (name && !this.known.has(name)) this.known.set(name, entry);
    };
    for (const [i, s] of list(motion?.coordinates).entries()) add(s.symbol, { what: 'coordinate', name: s.name, values: s.values, coordinate: i });
    for (const [i, s] of list(motion?.velocities).entries()) add(s.symbol, { what: 'velocity', name: s.name, values: s.values, coordinate: i });
    for (const [i, s] of list(motion?.multipliers).entries()) {
      add(s.symbol, { what: `multiplier: the reaction of ${list(data.model?.constraints)[i]?.name ?? s.name}`, name: s.name, values: s.values });
    }
    for (const s of list(motion?.energies)) add(s.symbol, { what: `${s.name === 'energy' ? 'total' : s.name} energy`, name: s.name, values: s.values });
    for (const k of list(data.play?.parameters)) add(k.symbol, { what: 'parameter', name: k.name, parameter: k.name });
    for (const [group, what] of [['quasi_velocities', 'quasi-velocity'], ['definitions', 'abbreviation of the model'], ['parameters', 'parameter']]) {
      for (const f of list(data.model?.[group])) {
        const [left, ...right] = key(f).split('=');
        if (right.length && !this.known.has(left.trim())) this.known.set(left.trim(), { what, formula: f });
      }
    }
    for (const form of list(data.forms)) {
      for (const o of list(form.objects)) {
        const left = key(o).split('=')[0].trim();
        if (left && !this.known.has(left)) this.known.set(left, { what: o.name });
      }
    }
    this.box = el('div', { class: 'tip', role: 'tooltip', id: 'tip', hidden: true });
    document.body.append(this.box);
    document.addEventListener('pointerover', (event) => this.over(event));
    document.addEventListener('focusin', (event) => this.over(event));
  }

  /** The largest part of a formula around an element that is a symbol by itself. */
  find(element) {
    let found = null;
    for (let e = element; e && e.localName !== 'math' && e.namespaceURI === MATHML; e = e.parentElement) {
      const entry = this.known.get(e.textContent);
      if (entry && ['mi', 'msub', 'mover', 'msup', 'msubsup', 'mrow'].includes(e.localName)) found = { element: e, entry };
    }
    // ẍ is x with two dots: told as the acceleration of x.
    const dots = found?.element.parentElement;
    if (found && dots?.localName === 'mover' && !this.known.has(dots.textContent) && found.entry.coordinate !== undefined) {
      return { element: dots, entry: { ...found.entry, what: dots.textContent.includes('¨') ? 'acceleration' : 'velocity', values: null } };
    }
    return found;
  }

  over(event) {
    const math = event.target.closest?.('math');
    const found = math && !math.closest('.legend, .knob') ? this.find(event.target) : null;
    const term = found ? null : event.target.closest?.('[data-term]');
    if (!found && !term) return this.hide();
    const { element } = found ?? { element: term };
    this.box.replaceChildren(...(found ? this.told(found) : [term.dataset.term]));
    this.box.hidden = false;
    const place = element.getBoundingClientRect();
    this.box.style.left = `${Math.max(8, Math.min(innerWidth - this.box.offsetWidth - 8, place.left + scrollX))}px`;
    this.box.style.top = `${place.bottom + scrollY + 6}px`;
    element.classList.add('pointed');
    this.last = element;
    figure?.indicate(found?.entry.coordinate ?? null, found ? element.textContent : '');
    return undefined;
  }

  told({ element, entry }) {
    const value = entry.values && clock ? valueAt(entry.values, locate(clock.times, clock.shown))
      : entry.parameter && controls ? controls.player.knobs.find((k) => k.name === entry.parameter)?.value : null;
    const symbol = node('math', element.cloneNode(true));
    return [symbol, `: ${entry.what}`, entry.name && entry.name !== element.textContent ? el('span', {}, ', ', el('code', {}, entry.name)) : '',
      entry.formula ? el('div', {}, inlineMath(entry.formula)) : '',
      value === null || value === undefined ? '' : el('div', { class: 'value' }, `${number(value)}${entry.values ? ` at t = ${number(clock.shown, 4)}` : ''}`)];
  }

  hide() {
    this.last?.classList.remove('pointed');
    if (this.box.hidden) return;
    this.box.hidden = true;
    figure?.indicate(null);
  }
}
