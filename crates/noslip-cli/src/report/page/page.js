// ---- The page ----

const data = JSON.parse(document.getElementById('data').textContent);
// Formulas that several forms share are on the page once.
(function restore(value) {
  if (Array.isArray(value)) { if (typeof value[0] === 'object') value.forEach(restore); return; }
  if (value === null || typeof value !== 'object') return;
  for (const [key, inside] of Object.entries(value)) {
    if ((key === 'mathml' || key === 'latex') && typeof inside === 'number') value[key] = data.shared[inside];
    else if (key !== 'shared') restore(inside);
  }
})(data);
const content = document.getElementById('content');
const contents = el('ol', {});
const list = (value) => value || [];
const counted = (n, thing) => `${n} ${thing}${n === 1 ? '' : 's'}`;

/** A section with its line in the contents; null children are left out, a section without any is too. */
function section(id, title, ...children) {
  const inside = children.filter((c) => c);
  if (!inside.length) return;
  const body = el('div', { class: 'section-body', id: `${id}-body` }, ...inside);
  const fold = el('button', {
    type: 'button', class: 'fold', 'aria-expanded': 'true', 'aria-controls': body.id,
    onclick: () => {
      const folded = body.classList.toggle('folded');
      fold.setAttribute('aria-expanded', String(!folded));
      if (!folded) fitAll(body);
    },
  }, title);
  content.append(el('section', { id, 'aria-labelledby': `${id}-title` }, el('h2', { id: `${id}-title` }, fold), body));
  contents.append(el('li', {}, el('a', { href: `#${id}` }, title)));
}

/** A displayed formula with its number and its copy button. */
function equationRow(equation, mark, form) {
  return el('div', { class: 'equation' },
    equation.omitted ? el('div', { class: 'omitted' }, displayMath(equation),
      el('p', {}, `Too long for this page: ${equation.omitted}.`,
        form ? [' Print it with ', el('code', {}, `noslip derive --form ${form.id}`), '.'] : null)) : displayMath(equation),
    el('span', { class: 'side' },
      mark ? el('span', { class: 'number' }, mark) : null,
      equation.latex ? copyButton(equation.latex) : null));
}

/** A formula that has a name: the name stands where a book puts the number. */
const tagged = (formula) => equationRow(formula, el('span', { class: 'tag', dir: 'auto', title: formula.name }, `(${formula.name})`));

function group(title, formulas) {
  return formulas.length ? el('div', { class: 'group' }, el('h3', {}, title), ...formulas) : null;
}

// ---- Header ----

function header() {
  const top = el('header', { class: 'top' }, el('h1', { dir: 'auto' }, data.name || 'Untitled model'));
  if (data.description) top.append(el('p', { class: 'lead', dir: 'auto' }, words(data.description)));
  if (data.source) top.append(el('p', { class: 'source', dir: 'auto' }, data.source));
  const lost = gripSaid();
  if (lost) top.append(el('p', { class: 'warning', role: 'note', id: 'grip-lost' }, lost, ' What is shown assumes that it holds all the same.'));
  for (const warning of list(data.warnings)) {
    top.append(el('p', { class: 'warning', role: 'note', dir: 'auto' }, words(warning)));
  }
  content.append(top);
}

function themeButton() {
  const modes = ['auto', 'light', 'dark'];
  let mode = 'auto';
  const button = el('button', { type: 'button', class: 'quiet theme', id: 'theme' });
  const apply = () => {
    if (mode === 'auto') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = mode;
    button.textContent = `Theme: ${mode === 'auto' ? 'system' : mode}`;
    try { localStorage.setItem('noslip-theme', mode); } catch { /* a page from disk may have no storage */ }
    figure?.redraw();
  };
  try { mode = modes.includes(localStorage.getItem('noslip-theme')) ? localStorage.getItem('noslip-theme') : 'auto'; } catch { /* as above */ }
  button.addEventListener('click', () => {
    mode = modes[(modes.indexOf(mode) + 1) % modes.length];
    apply();
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => figure?.redraw());
  apply();
  return button;
}

// ---- The motion ----

const motion = data.simulation && list(data.simulation.times).length > 1 ? data.simulation : null;
const clock = motion ? new Clock(motion.times) : null;
let figure = null;
let controls = null;
/** The form whose equations a link points to. */
let chosenForm = null;
/** All plots, for drawing them again. */
const drawn = [];
const kept = (plot) => {
  drawn.push(plot);
  return plot.root;
};
/** A plot of several runs, or of another motion: the sliders do not change it, which its caption says. */
const unchanged = (plot) => {
  plot.root.classList.add('as-in-file');
  return kept(plot);
};
for (const column of list(data.scene?.columns)) {
  // One number stands for a constant.
  if (column.length === 1 && clock) for (let i = 1; i < clock.times.length; i += 1) column[i] = column[0];
}

/** What can be seen is drawn at once, the rest when the hand rests. */
function redrawMotion(settled) {
  if (settled) figure?.measure();
  else figure?.follow();
  if (settled) figure?.fit();
  figure?.redraw();
  // All places are asked for before anything is drawn: between drawings each question would lay out the whole page.
  const seen = (plot) => {
    const box = plot.root.getBoundingClientRect();
    return box.bottom > 0 && box.top < innerHeight;
  };
  const shown = settled ? drawn : drawn.filter(seen);
  for (const plot of shown) plot.draw(settled);
  clock.notify();
}

/** Contacts with friction: what they have to give, and what they can. */
const contacts = (() => {
  const series = list(list(data.beyond).find((topic) => topic.id === 'grip')?.plots?.[0]?.series);
  return list(data.play?.contacts).map((c, i) => ({ ...c, force: series[2 * i]?.values ?? [], limit: series[2 * i + 1]?.values ?? [] }));
})();

/** What friction cannot hold, in words. */
function gripSaid() {
  const first = ({ force, limit }) => force.findIndex((f, k) => f !== null && f > limit[k]);
  const [earliest] = contacts.filter((c) => first(c) >= 0).sort((a, b) => first(a) - first(b));
  if (!earliest) return null;
  return `In the motion shown, ${earliest.name} loses its grip at t = ${number(clock.times[first(earliest)], 4)}: from there on it would have to give more than friction can.`;
}

const motionColumns = () => [['t', clock.times],
  ...[motion.coordinates, motion.velocities, motion.multipliers, motion.energies].flatMap(list).map((s) => [s.name, s.values])];

function animation() {
  if (!clock || !data.scene) return;
  figure = new Figure(clock, data.scene);
  const play = el('button', { type: 'button', class: 'play', id: 'play', onclick: () => (clock.playing ? clock.pause() : clock.play()) }, 'Play');
  const slider = el('input', { type: 'range', id: 'time', 'aria-label': 'Time', min: '0', max: '1000', step: '1', value: '0' });
  const span = clock.end - clock.start || 1;
  slider.addEventListener('input', () => clock.seek(clock.start + (slider.value / 1000) * span));
  const shown = el('output', { class: 'value', id: 'time-shown' }, '');
  const speeds = [0.1, 0.25, 0.5, 1, 2, 4, 10, 100];
  // A motion plays in a few seconds to half a minute, whatever its own time scale.
  clock.speed = span > 40 ? speeds.find((s) => span / s <= 40) ?? 100 : span < 3 ? [...speeds].reverse().find((s) => span / s >= 3) ?? 0.1 : 1;
  const speed = el('select', { id: 'speed', onchange: () => { clock.speed = Number(speed.value); } });
  for (const s of speeds) speed.append(el('option', { value: s, selected: s === clock.speed }, `${s} ×`));
  const loop = el('input', { type: 'checkbox', id: 'loop', onchange: () => { clock.loop = loop.checked; } });
  loop.checked = true;
  const reset = el('button', { type: 'button', class: 'quiet', onclick: () => { figure.reset(); figure.redraw(); } }, 'Reset view');
  clock.listen((time) => {
    play.textContent = clock.playing ? 'Pause' : 'Play';
    slider.value = Math.round(((time - clock.start) / span) * 1000);
    slider.setAttribute('aria-valuetext', `t = ${number(time, 4)}`);
    shown.textContent = `t = ${time.toFixed(span < 1 ? 4 : span < 100 ? 2 : 1).replace('-', '−')}`;
  });
  if (data.play && PROGRAM) controls = new Controls(new Player(data.play, PROGRAM, clock, data), redrawMotion);
  if (controls) figure.forces = new Forces(controls.player, figure, data.scene, contacts);
  const lost = el('div', { class: 'lost', 'aria-hidden': 'true' });
  const mark = () => lost.replaceChildren(...lostSpans(contacts, clock.times).map(([from, to]) => {
    const piece = el('i');
    [piece.style.left, piece.style.width] = [`${100 * from}%`, `${Math.max(0.4, 100 * (to - from))}%`];
    return piece;
  }));
  mark();
  controls?.player.listen(({ done }) => { if (done) mark(); });
  const save = el('button', { type: 'button', class: 'quiet', id: 'motion-csv', onclick: () => download('motion.csv', 'text/csv', csv(motionColumns())) }, 'Motion as CSV');
  content.append(el('figure', { class: 'animation', id: 'animation' },
    figure.canvas,
    el('div', { class: 'bar controls' }, play, el('span', { class: 'time-line' }, slider, lost), shown,
      el('label', {}, 'speed ', speed), el('label', { for: 'loop' }, loop, ' loop'), reset),
    figure.forces?.legend(),
    el('figcaption', { dir: 'auto' }, words(data.scene.view.caption || `The motion from t = ${number(clock.start)} to ${number(clock.end)}.`),
      el('span', { class: 'hint' }, figure.flat ? ' Drag to move, click and scroll to zoom.' : ' Drag to turn, click and scroll to zoom.'), ' ', save),
    controls?.root,
    data.no_play ? el('p', { class: 'hint' }, 'No sliders: ', words(data.no_play), '.') : null));
  contents.append(el('li', {}, el('a', { href: '#animation' }, 'Motion')));
}

// ---- The model ----

function model() {
  const m = data.model;
  if (!m) return;
  const rows = (formulas) => list(formulas).map((f) => equationRow(f));
  const energies = [m.kinetic, m.potential].filter((f) => f && (f.mathml || f.latex));
  const coordinates = list(m.coordinates).length
    ? el('p', {}, 'Coordinates ', ...m.coordinates.flatMap((f, i) => [i ? ', ' : '', inlineMath(f)]), '.') : null;
  const inline = (title, formulas) => (list(formulas).length
    ? el('div', { class: 'group' }, el('h3', {}, title), el('ul', { class: 'values' }, ...formulas.map((f) => el('li', {}, wrappingMath(f))))) : null);
  section('model', 'The model',
    coordinates,
    group('Constraints', list(m.constraints).map(tagged)),
    group('Energy', rows(energies)),
    group('Generalised forces', rows(m.forces)),
    group('Quasi-velocities', rows(m.quasi_velocities)),
    group('Abbreviations', rows(m.definitions)),
    inline('Parameters', m.parameters),
    inline('Initial state', m.initial),
    data.model_file ? el('details', { class: 'file' }, el('summary', {}, 'The model file'), el('pre', { tabindex: '0' }, data.model_file)) : null);
}

function classification() {
  const sentences = list(data.classification);
  section('constraints', 'What the constraints mean',
    sentences.length ? el('ul', { class: 'sentences' }, ...sentences.map((s) => el('li', { dir: 'auto' }, explained(words(s))))) : null);
}

// ---- Equations in every form ----

function formPanel(form) {
  const body = el('div', { class: 'form-body' });
  const verdict = list(data.proofs).find((p) => p.form === form.id);
  const operations = form.equations.reduce((sum, e) => sum + (e.operations || 0), 0);
  const facts = [
    verdict ? verdict.verdict : null,
    operations ? counted(operations, 'operation') : null,
  ].filter(Boolean).join(' · ');
  body.append(el('h3', {}, form.name, facts ? el('span', { class: 'facts' }, facts) : null));
  if (form.about) body.append(el('p', {}, form.about));
  for (const note of list(form.notes)) body.append(el('p', { class: 'remark' }, words(note.charAt(0).toUpperCase() + note.slice(1)), /[.…]$/.test(note) ? '' : '.'));
  const all = () => `\\begin{align*}\n${[...form.equations, ...form.kinematics].map((e) => `  & ${e.latex || `\\text{omitted: ${e.omitted}}`}`).join(' \\\\\n')}\n\\end{align*}`;
  body.append(...form.equations.map((e, i) => equationRow(e, `(${i + 1})`, form)));
  if (list(form.kinematics).length) {
    body.append(el('h4', {}, 'Together with'), ...form.kinematics.map((e, i) => equationRow(e, `(${form.equations.length + i + 1})`, form)));
  }
  body.append(el('p', { class: 'tools' }, copyButton(all, 'Copy all equations as LaTeX', `Copy all equations of ${form.name} as LaTeX`)));
  for (const other of list(form.alternatives)) {
    body.append(el('h4', {}, words(other.title)), ...other.equations.map((e) => equationRow(e, null, form)));
  }
  if (list(form.objects).length) {
    body.append(el('h4', {}, 'What they are made of'), el('dl', { class: 'objects' }, ...form.objects.flatMap((o, i) => [
      o.name === form.objects[i - 1]?.name ? null : el('dt', {}, words(o.name)), el('dd', {}, equationRow(o, null, form)),
    ])));
  }
  if (form.source) body.append(el('p', { class: 'source' }, form.source));
  return body;
}

function equations() {
  const forms = list(data.forms);
  const others = list(data.not_applicable);
  if (!forms.length) return;
  const tabs = el('div', { class: 'tabs', role: 'tablist', 'aria-label': 'Form of the equations', 'aria-orientation': 'vertical' });
  const select = el('select', { id: 'form', 'aria-label': 'Form of the equations', onchange: () => choose(Number(select.value)) });
  const panels = el('div', { class: 'panels' });
  const entries = forms.map((form, i) => {
    const tab = el('button', { type: 'button', role: 'tab', id: `tab-${i}`, 'aria-controls': `form-${i}`, 'data-form': form.id, onclick: () => choose(i) }, form.name);
    const panel = el('div', { role: 'tabpanel', id: `form-${i}`, class: 'form', 'aria-labelledby': `tab-${i}`, 'data-form': form.id });
    tabs.append(tab);
    select.append(el('option', { value: i }, form.name));
    panels.append(panel);
    return { form, tab, panel, filled: false };
  });
  let shown = 0;
  let everything = false;
  /** By hand: the address of the page remembers it. */
  const choose = (index, focus = false) => {
    show(index, focus);
    chosenForm = forms[index].id;
    history.replaceState(null, '', `#${address()}`);
  };
  // Long systems have many forms with many symbols: a form is set when it is first looked at.
  const fill = (entry) => {
    if (!entry.filled) entry.panel.append(formPanel(entry.form));
    entry.filled = true;
  };
  function show(index, focus = false) {
    shown = index;
    for (const [i, entry] of entries.entries()) {
      const on = i === index;
      if (on || everything) fill(entry);
      entry.tab.setAttribute('aria-selected', String(on));
      entry.tab.tabIndex = on ? 0 : -1;
      entry.panel.hidden = !on && !everything;
    }
    select.value = String(index);
    fitAll(panels);
    if (focus) entries[index].tab.focus();
  }
  tabs.addEventListener('keydown', (event) => {
    const moves = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };
    let next = null;
    if (event.key in moves) next = (shown + moves[event.key] + entries.length) % entries.length;
    else if (event.key === 'Home') next = 0;
    else if (event.key === 'End') next = entries.length - 1;
    if (next === null) return;
    event.preventDefault();
    choose(next, true);
  });
  const all = el('input', { type: 'checkbox', id: 'all-forms', onchange: () => { everything = all.checked; show(shown); } });
  const linked = forms.findIndex((form) => form.id === remembered.get('form'));
  show(Math.max(0, linked));
  const why = others.length ? el('details', { class: 'not-applicable' },
    el('summary', {}, `${others.length === 1 ? 'One form does' : `${others.length} forms do`} not apply here`),
    el('dl', {}, ...others.flatMap((o) => [el('dt', {}, o.name), el('dd', { dir: 'auto' }, words(o.reason))]))) : null;
  section('equations', 'Equations of motion',
    el('div', { class: 'switcher' },
      el('div', { class: 'chooser' }, select, tabs, el('label', { class: 'all', for: 'all-forms' }, all, ' all, one below the other')),
      panels),
    why,
    controls ? new Checker(controls.player).root : null);
}

function agreement() {
  const proofs = list(data.proofs);
  if (!proofs.length) return;
  const verdicts = { proved: 'proved', tested: 'tested', refuted: 'does not agree', open: 'open' };
  const timed = proofs.some((p) => typeof p.seconds === 'number');
  const time = (s) => (typeof s !== 'number' ? '' : s < 1 ? `${number(s * 1000, 2)} ms` : `${number(s, 3)} s`);
  const proved = proofs.filter((p) => p.verdict === 'proved').length;
  // What is the same for all is said once.
  const differs = proofs.some((p) => p.how !== proofs[0].how);
  const how = !differs && proved ? `, ${proofs[0].how}` : '';
  const are = (n, is) => `${n} ${n === 1 ? 'is' : 'are'} ${is}`;
  const count = (verdict) => proofs.filter((p) => p.verdict === verdict).length;
  const counts = [[count('tested'), 'tested at random states'], [count('refuted'), 'refuted']];
  counts.push([proofs.length - proved - counts[0][0] - counts[1][0], 'left open']);
  const others = counts.filter(([n]) => n > 0).map(([n, is]) => `; ${are(n, is)}`).join('');
  section('agreement', 'Do the forms agree?',
    el('p', {}, proofs.length === 1 ? 'Only one form applies.'
      : proved === proofs.length ? `All ${proved} forms are proved to give the same motion${how}.`
        : `${proved} of ${proofs.length} forms ${proved === 1 ? 'is' : 'are'} proved to give the same motion${others}.`),
    el('details', { class: 'proofs' }, el('summary', {}, 'Each form by itself'), el('div', { class: 'scroll', tabindex: '0', role: 'group', 'aria-label': 'Proof table' }, el('table', {},
      el('thead', {}, el('tr', {}, ...['Form', 'Verdict', differs ? 'How' : null, timed ? 'Time' : null].filter(Boolean).map((h) => el('th', { scope: 'col', class: h === 'Time' ? 'number' : null }, h)))),
      el('tbody', {}, ...proofs.map((p) => el('tr', {},
        el('th', { scope: 'row' }, p.name),
        el('td', { class: `verdict ${p.verdict in verdicts ? p.verdict : 'open'}` }, verdicts[p.verdict] || 'open'),
        differs ? el('td', {}, words(p.how)) : null,
        timed ? el('td', { class: 'number' }, time(p.seconds)) : null)))))));
}

function reactions() {
  section('reactions', 'Reactions',
    ...list(data.reactions).map(tagged));
}

// ---- Plots ----

/** What the model itself asks for comes first. */
function asked() {
  if (!motion || !list(data.figures).length) return;
  section('figures', 'Plots', ...data.figures.map((f, i) => {
    const id = `figure-${i + 1}`;
    const keep = list(data.play?.targets).some(([group, index]) => group === 'up' && index === i) ? kept : unchanged;
    if (f.across) return keep(new CurvePlot(clock, { ...f, id }));
    return keep(new TimePlot(clock, { id, title: f.title, series: f.curves }));
  }));
}

function plots() {
  if (!motion) return;
  const figures = [];
  // What a plot of the model shows already is not shown again.
  const names = (series) => list(series).map((s) => s.name).sort().join();
  const seen = new Set(list(data.figures).filter((f) => !f.across).map((f) => names(f.curves)));
  const plot = (id, title, series, options = {}) => {
    if (list(series).length && !seen.has(names(series))) figures.push(new TimePlot(clock, { id: `plot-${id}`, title, series, ...options }));
  };
  plot('coordinates', 'Coordinates', motion.coordinates);
  plot('velocities', 'Velocities', motion.velocities);
  plot('multipliers', 'Multipliers', motion.multipliers, { hue: 2 });
  plot('energy', 'Energy', motion.energies, { hue: 3 });
  plot('integrals', 'Integrals of the motion', motion.integrals, { hue: 4 });
  plot('drift', 'Drift: what should be zero', motion.drift, { log: true, hue: 1 });
  const method = [motion.outcome, motion.method].filter(Boolean).join(' · ');
  section('plots', 'The motion in numbers',
    method ? el('p', { class: 'source', dir: 'auto' }, method) : null,
    ...figures.map(kept));
  const choices = [motion.coordinates, motion.velocities, motion.multipliers, motion.energies].flatMap(list);
  if (list(motion.coordinates).length + list(motion.velocities).length > 1) {
    const find = (name) => motion.coordinates.findIndex((s) => s.name === name);
    const pair = [['x', 'y'], ['xi', 'eta'], ['X', 'Y'], ['x_C', 'y_C'], ['xi_C', 'eta_C'], ['x_1', 'y_1'], ['x1', 'y1']].map((p) => p.map(find)).find(([a, b]) => a >= 0 && b >= 0);
    const path = new PathPlot(clock, { choices, x: pair ? pair[0] : 0, y: pair ? pair[1] : 1, equal: Boolean(pair) });
    section('path', 'The path', kept(path));
  }
}

// ---- Beyond the equations ----

/** A picture that is made already. */
function picture(text) {
  const box = el('figure', { class: 'plot picture' });
  box.innerHTML = text;
  return box;
}

function beyond() {
  section('beyond', 'Beyond the equations', ...list(data.beyond).map((topic) => {
    const formulas = list(topic.formulas).map((f, i) => (f.name && f.name !== topic.formulas[i - 1]?.name
      ? el('div', { class: 'named' }, el('p', { class: 'name', dir: 'auto' }, words(f.name)), equationRow(f)) : equationRow(f)));
    const plots = motion ? list(topic.plots).map((p) => (topic.id === 'grip' ? kept : unchanged)(new TimePlot(clock, { ...p, id: `plot-${p.id}` }))) : [];
    const [first, ...rest] = list(topic.sentences).map((s) => el('p', { dir: 'auto' }, words(s)));
    // What is said of a plot stands before it, the formulas after the first sentence.
    return el('div', { class: 'group topic', id: `beyond-${topic.id}` }, el('h3', {}, topic.title), first ?? null, ...formulas, ...rest, ...plots, ...list(topic.pictures).map(picture));
  }));
}

// ---- Together ----

/** What the address says: values of parameters and of the start, a form. */
const remembered = new URLSearchParams(location.hash.includes('=') ? location.hash.slice(1) : '');
chosenForm = remembered.get('form');
header();
animation();
equations();
model();
classification();
agreement();
reactions();
asked();
plots();
beyond();
document.getElementById('contents').append(contents, themeButton());
const lexicon = new Lexicon();
addEventListener('scroll', () => lexicon.hide(), { passive: true });
document.getElementById('footer').append(el('p', {}, data.generator || 'noslip', '. This page is complete in itself and loads nothing.'));
if (controls?.player.follow(remembered)) {
  controls.player.advance();
  controls.player.tell(true);
  redrawMotion(true);
}
clock?.notify();
fitAll();
if (remembered.has('form')) document.getElementById('equations')?.scrollIntoView({ behavior: 'instant' });
// What was folded away has no width: it is fitted when it is opened.
content.addEventListener('toggle', (event) => fitAll(event.target), true);
let width = innerWidth;
let waiting = null;
addEventListener('resize', () => {
  if (innerWidth === width) return;
  width = innerWidth;
  clearTimeout(waiting);
  waiting = setTimeout(setAnew, 120);
});

// On paper everything is light, whatever the screen shows.
let before = null;
addEventListener('beforeprint', () => {
  before = document.documentElement.dataset.theme ?? '';
  document.documentElement.dataset.theme = 'light';
  // The column of the paper, so that formulas are cut for it.
  document.documentElement.classList.add('printing');
  setAnew();
  fitNow();
  figure?.paint();
});
addEventListener('afterprint', () => {
  if (before) document.documentElement.dataset.theme = before;
  else delete document.documentElement.dataset.theme;
  document.documentElement.classList.remove('printing');
  setAnew();
  figure?.paint();
});
// Plots are drawn when they have their size: in the first frame.
requestAnimationFrame(() => requestAnimationFrame(() => { document.documentElement.dataset.ready = 'yes'; }));
