// ---- The studio ----
//
// Elements and formulas are set by the scripts of the page: `el`, `displayMath`, `fitAll`.

const byId = (id) => document.getElementById(id);
const narrow = matchMedia('(max-width: 60rem)');
/** How long one must have stopped typing before the program is asked. */
const PAUSE = 250;

function offer(name, content, type = 'application/octet-stream') {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = el('a', { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

const seconds = (ms) => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`);

// ---- Where one was ----

/** What one has written is kept where a page may keep something, beside what it was begun from. */
const draft = {
  read(from) {
    try {
      const kept = JSON.parse(localStorage.getItem('noslip-draft'));
      return kept && kept.from === from ? kept : null;
    } catch { return null; }
  },
  write(from, name, text) {
    try { localStorage.setItem('noslip-draft', JSON.stringify({ from, name, text })); } catch { /* a page from disk may have no storage */ }
  },
};

const start = byId('start');
const begun = start.value;
const kept = draft.read(begun);
const model = { name: kept?.name ?? start.dataset.name, text: kept?.text ?? begun };
/** Other files that commands may read: what was lent, and what they wrote. */
const folder = new Map();
const files = () => ({ ...Object.fromEntries(folder), [model.name]: model.text });

// ---- What is shown ----

const views = ['model', 'page', 'equations', 'command'];
/** The program's answers are made when somebody looks at them: what is out of date is made again then. */
const stale = { page: true, equations: true };

function show(view) {
  document.body.dataset.shown = view;
  // The editor stands beside the others where there is room.
  const shown = view === 'model' && !narrow.matches ? 'page' : view;
  for (const v of views) byId(`tab-${v}`).setAttribute('aria-selected', String(v === shown));
  if (shown === 'equations') setAnew();
  refresh();
}

function shown() {
  const view = document.body.dataset.shown;
  return view === 'model' && !narrow.matches ? 'page' : view;
}

function tell(text, busy = false) {
  byId('state').textContent = text;
  byId('state').classList.toggle('busy', busy);
}

/** What is said where an answer would be. */
function remark(view, text) {
  const place = byId(`${view}-said`);
  place.hidden = !text;
  place.textContent = text ?? '';
}

/** The reason why there is no answer, in words. */
function why(error) {
  if (error instanceof Stopped) return null;
  if (error instanceof Ended) return `The program met a defect of its own and was started again: ${error.message}`;
  return String(error);
}

// ---- The model ----

let engines = null;
let editor = null;
/** Counts texts: an answer to an older one is not shown. */
let version = 0;
/** Is the newest text a model? Null while nobody knows. */
let sound = null;
let typing = 0;

function changed(text) {
  model.text = text;
  draft.write(begun, model.name, text);
  version += 1;
  sound = null;
  stale.page = true;
  stale.equations = true;
  engines?.work.stop();
  clearTimeout(typing);
  typing = setTimeout(check, PAUSE);
}

function rename(name) {
  model.name = name;
  byId('name').textContent = name;
  byId('model-file').textContent = name;
  document.title = `${name.replace(/\.toml$/, '')}: noslip studio`;
  examples();
}

function load(name, text) {
  folder.delete(name);
  rename(name);
  editor.replace(text);
  // The same text under another name is another model all the same.
  changed(text);
}

/** A message, with what stands between backticks as code. */
const message = (text) => text.split('`').map((part, i) => (i % 2 ? el('code', {}, part) : part));

/** Errors, warnings and notes of the text, in the editor and below it. */
function problems(reply) {
  const own = (p) => !reply.refusal?.file || reply.refusal.file === model.name;
  const errors = (reply.refusal?.errors ?? []).filter(own).map((p) => ({ ...p, severity: 'error' }));
  const all = [...errors, ...reply.remarks];
  editor.diagnose(all.filter((p) => p.line !== null));
  byId('problems').replaceChildren(...all.map((p) => el('li', { class: p.severity },
    el('button', { type: 'button', onclick: () => { if (narrow.matches) show('model'); editor.go(p); } },
      el('span', { class: 'place' }, p.line === null ? '' : `${p.line}:${p.column}`), ' ', ...message(p.message)),
    p.hint ? el('span', { class: 'hint' }, ...message(p.hint)) : null)));
  return errors.length;
}

const counted = (n, thing) => `${n} ${thing}${n === 1 ? '' : 's'}`;

async function check() {
  if (!engines) return;
  const mine = version;
  tell('Checking', true);
  try {
    const reply = await engines.check.ask(['check', model.name, '--format', 'json'], files());
    if (mine !== version) return;
    const wrong = problems(reply);
    sound = reply.status === 0;
    document.body.dataset.sound = sound;
    if (!sound) {
      tell(wrong ? counted(wrong, 'error') : reply.errors.split('\n')[0]);
      outdated();
      return;
    }
    const known = JSON.parse(reply.output);
    tell(`Checked in ${seconds(reply.took)}`);
    forms(known.forms);
    refresh();
  } catch (error) {
    if (!(error instanceof Stopped)) { sound = false; tell(why(error)); }
  }
}

/** What stands there belongs to an older text. */
function outdated() {
  const text = 'This is the last model without errors.';
  for (const view of ['page', 'equations']) {
    const there = view === 'page' ? byId('frame').srcdoc : byId('formulas').childElementCount;
    byId(view).classList.toggle('old', Boolean(there));
    remark(view, there ? text : 'Here will be something to see when the model has no errors.');
  }
}

// ---- Work that may take long ----

/** Asks for what is looked at, and says how long it takes; a new text or Stop ends it. */
async function work(view, args, done) {
  const mine = version;
  const began = performance.now();
  stale[view] = false;
  const names = { page: 'the page', equations: 'the equations' };
  remark(view, null);
  byId('stop').hidden = false;
  tell(`Making ${names[view]}`, true);
  const clock = setInterval(() => tell(`Making ${names[view]}: ${Math.round((performance.now() - began) / 1000)} s`, true), 1000);
  try {
    const reply = await engines.work.ask(args, files());
    if (mine !== version) return;
    byId(view).classList.remove('old');
    done(reply);
    tell(`Made ${names[view]} in ${seconds(reply.took)}`);
  } catch (error) {
    if (mine !== version) return;
    if (error instanceof Stopped) {
      stale[view] = true;
      if (shown() !== view) return;
      tell('Stopped');
      again(view, 'Stopped. ');
    } else {
      tell('No answer');
      again(view, `${why(error)} `);
    }
  } finally {
    clearInterval(clock);
    byId('stop').hidden = !engines.work.busy;
  }
}

/** A remark with a button that tries again. */
function again(view, text) {
  remark(view, text);
  byId(`${view}-said`).append(el('button', { type: 'button', class: 'again', onclick: () => { stale[view] = true; refresh(); } }, 'Make it'));
}

function refresh() {
  if (!engines || !sound) return;
  const view = shown();
  if (!stale[view]) return;
  if (view === 'page') work('page', ['report', model.name, '-o', 'page.html'], page);
  if (view === 'equations') work('equations', ['derive', model.name, '--format', 'mathml', '--form', byId('form').value], equations);
}

/** The page in its frame, at the place one had scrolled to. */
function page(reply) {
  const made = reply.files.find((f) => f.name === 'page.html');
  if (!made) {
    remark('page', reply.errors || 'There is no page.');
    return;
  }
  const frame = byId('frame');
  const at = frame.contentWindow?.scrollY ?? 0;
  frame.addEventListener('load', () => {
    frame.contentWindow.scrollTo({ top: at, behavior: 'instant' });
    // The theme is that of the studio.
    const theme = frame.contentDocument.getElementById('theme');
    if (theme) theme.style.display = 'none';
    document.documentElement.dataset.page = version;
  }, { once: true });
  // The page remembers in its address what was changed and where one is: it must be its own, not that of the studio.
  frame.srcdoc = new TextDecoder().decode(made.content)
    .replace("; base-uri 'none'", '').replace('<head>', '<head><base href="about:srcdoc">');
}

// ---- Equations ----

let allForms = null;

/** The forms in the chooser; those that do not apply say why. */
function forms(applies) {
  const chooser = byId('form');
  const before = chooser.value || 'lagrange-multipliers';
  chooser.replaceChildren(...Object.entries(applies).map(([id, how]) => {
    const option = el('option', { value: id }, allForms?.get(id) ?? id);
    if (how !== 'applies') {
      option.disabled = true;
      option.title = how;
    }
    return option;
  }));
  chooser.value = applies[before] === 'applies' ? before : Object.keys(applies).find((id) => applies[id] === 'applies');
}

/** The equations as the program prints them, one in each line; broken where they are wider than their column. */
function equations(reply) {
  const place = byId('formulas');
  place.replaceChildren();
  if (reply.status !== 0) {
    remark('equations', reply.errors);
    return;
  }
  const lines = reply.output.split('\n').filter((line) => line.trim());
  place.append(...lines.map((line) => (line.startsWith('<math') ? displayMath({ mathml: line, latex: line.replace(/<[^>]*>/g, '') })
    : el('p', {}, line))));
  fitAll(place);
}

// ---- Commands ----

function examples() {
  const m = model.name;
  byId('examples').replaceChildren(...[
    `check ${m}`, `derive ${m} --form all`, `verify ${m} --equation "…"`, `simulate ${m} --until 10 -o run.csv`,
    `simulate ${m} --plot motion.svg`, `draw ${m} -o picture.svg`, `steady ${m}`, `reduce ${m}`, `integrals ${m}`, `measure ${m}`,
    `export ${m} -o model.c`, `explain maggi`, `forms`, `--help`,
  ].map((value) => el('option', { value })));
}

function listFolder() {
  byId('folder').replaceChildren(...[...folder.keys()].map((name) => el('li', {}, el('code', {}, name))));
}

const pictures = { svg: 'image/svg+xml', png: 'image/png', gif: 'image/gif' };

/** A file that a command wrote: to be saved, and to be seen if it is a picture. */
function written(file) {
  const address = URL.createObjectURL(new Blob([file.content], { type: pictures[file.name.split('.').pop()] ?? 'application/octet-stream' }));
  const link = el('a', { href: address, download: file.name }, `${file.name} (${file.bytes} bytes)`);
  const picture = file.name.split('.').pop() in pictures ? el('img', { src: address, alt: file.name }) : null;
  return el('figure', {}, el('figcaption', {}, link), picture);
}

async function command(line) {
  const words = splitWords(line);
  if (words[0] === 'noslip') words.shift();
  const printed = byId('printed');
  printed.replaceChildren();
  byId('run').textContent = 'Stop';
  tell('Running', true);
  try {
    const reply = await engines.command.ask(words, files());
    printed.append(reply.output, reply.errors ? el('span', { class: 'complaint' }, reply.errors) : '', ...reply.files.map(written));
    if (!printed.textContent && !reply.files.length) printed.append('(nothing was printed)');
    for (const file of reply.files) {
      try {
        folder.set(file.name, new TextDecoder('utf-8', { fatal: true }).decode(file.content));
      } catch { /* no text: no command reads it */ }
    }
    listFolder();
    tell(`Ended with status ${reply.status} after ${seconds(reply.took)}`);
  } catch (error) {
    printed.append(el('span', { class: 'complaint' }, why(error) ?? 'Stopped.'));
    tell(error instanceof Stopped ? 'Stopped' : 'No answer');
  } finally {
    byId('run').textContent = 'Run';
  }
}

// ---- Gallery, files, theme ----

async function gallery(engine) {
  const [models, known] = [await engine.ask(['demo', '--format', 'json'], {}), await engine.ask(['forms', '--format', 'json'], {})];
  allForms = new Map(JSON.parse(known.output).forms.map((f) => [f.id, f.name]));
  for (const option of byId('form').options) option.textContent = allForms.get(option.value) ?? option.value;
  byId('gallery').replaceChildren(el('option', { value: '' }, 'choose a model'),
    ...JSON.parse(models.output).models.map((m) => el('option', { value: m.name, title: m.description }, m.title || m.name)));
  engine.end();
}

function themes() {
  const modes = ['auto', 'light', 'dark'];
  const read = () => { try { return localStorage.getItem('noslip-theme'); } catch { return null; } };
  let mode = modes.includes(read()) ? read() : 'auto';
  const apply = () => {
    if (mode === 'auto') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = mode;
    byId('theme').textContent = `Theme: ${mode === 'auto' ? 'system' : mode}`;
  };
  const next = () => { mode = modes[(modes.indexOf(mode) + 1) % modes.length]; apply(); };
  byId('theme').addEventListener('click', () => {
    next();
    try { localStorage.setItem('noslip-theme', mode); } catch { /* then the page is asked alone */ }
    // The page in the frame has a button of its own, which also draws its picture again.
    byId('frame').contentDocument?.getElementById('theme')?.click();
  });
  apply();
}

function save() {
  offer(model.name, model.text, 'application/toml');
}

async function main() {
  editor = Editor.create(byId('editor'), model.text, changed);
  start.remove();
  rename(model.name);
  themes();
  for (const view of views) byId(`tab-${view}`).addEventListener('click', () => show(view));
  addEventListener('resize', () => setAnew());
  narrow.addEventListener('change', () => show(document.body.dataset.shown));
  byId('open').addEventListener('click', () => byId('file').click());
  byId('file').addEventListener('change', async ({ target }) => {
    const [file] = target.files;
    if (file) load(file.name, await file.text());
    target.value = '';
  });
  byId('save').addEventListener('click', save);
  addEventListener('keydown', (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key === 's') { event.preventDefault(); save(); }
  });
  byId('lend').addEventListener('click', () => byId('others').click());
  byId('others').addEventListener('change', async ({ target }) => {
    for (const file of target.files) folder.set(file.name, await file.text());
    target.value = '';
    listFolder();
  });
  byId('form').addEventListener('change', () => { stale.equations = true; refresh(); });
  byId('stop').addEventListener('click', () => engines.work.stop());
  byId('line').addEventListener('submit', (event) => {
    event.preventDefault();
    if (engines.command.busy) engines.command.stop();
    else command(byId('words').value);
  });
  byId('words').value = `check ${model.name}`;

  const module = await compiled();
  engines = { check: new Engine(module), work: new Engine(module), command: new Engine(module) };
  await engines.check.start();
  document.documentElement.dataset.ready = 'yes';
  document.documentElement.dataset.readyAfter = Math.round(performance.now());
  show('model');
  await check();
  const librarian = new Engine(module);
  await gallery(librarian);
  byId('gallery').addEventListener('change', async ({ target }) => {
    if (!target.value) return;
    const { output } = await librarian.ask(['demo', target.value], {});
    load(`${target.value}.toml`, output);
    target.value = '';
    librarian.end();
  });
}

main().catch((error) => tell(`The studio cannot start: ${error.message ?? error}`));
