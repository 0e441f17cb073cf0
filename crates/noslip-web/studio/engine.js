// ---- The program: a module in a worker ----

/** The module, compiled once; workers share it. */
async function compiled() {
  const text = document.getElementById('module').textContent.trim();
  const letters = atob(text);
  const packed = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i += 1) packed[i] = letters.charCodeAt(i);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return WebAssembly.compile(await new Response(stream).arrayBuffer());
}

/** Somebody asked for something else meanwhile, or pressed Stop. */
class Stopped extends Error {}
/** The module panicked: a defect of the program, with what it said. */
class Ended extends Error {}

const workerSource = URL.createObjectURL(new Blob([document.getElementById('worker').textContent], { type: 'text/javascript' }));

/**
 * The program as a function. One question at a time: a new one stops the one before. To stop is to end the worker; the next one
 * begins with a clean memory.
 */
class Engine {
  constructor(module) {
    this.module = module;
    this.worker = null;
    this.asked = 0;
    this.waiting = null;
  }

  start() {
    this.worker = new Worker(workerSource);
    const worker = this.worker;
    return new Promise((resolve) => {
      worker.onmessage = ({ data }) => {
        if (data.ready) { resolve(); return; }
        if (!this.waiting || data.id !== this.asked) return;
        const { resolve: told, reject } = this.waiting;
        this.waiting = null;
        if (data.ended !== undefined) {
          this.end();
          reject(new Ended(data.ended));
        } else {
          told({ ...data.reply, took: data.took });
        }
      };
      worker.onerror = (event) => {
        event.preventDefault();
        const waiting = this.waiting;
        this.waiting = null;
        this.end();
        waiting?.reject(new Ended(event.message));
      };
      worker.postMessage({ module: this.module });
    });
  }

  end() {
    this.worker?.terminate();
    this.worker = null;
  }

  /** What the program answers to a command line, with these files at hand. */
  ask(args, files) {
    this.stop();
    if (!this.worker) this.start();
    this.asked += 1;
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
      this.worker.postMessage({ id: this.asked, question: { arguments: args, files } });
    });
  }

  get busy() { return this.waiting !== null; }

  /** Ends what is being computed. */
  stop() {
    if (!this.waiting) return;
    const { reject } = this.waiting;
    this.waiting = null;
    this.end();
    reject(new Stopped('stopped'));
  }
}

/** The words of a command line; quotes keep spaces together, as in a shell. */
function splitWords(line) {
  const list = [];
  let word = null, quote = null;
  for (let i = 0; i < line.length; i += 1) {
    const c = line[i];
    if (quote) {
      if (c === quote) quote = null;
      else if (c === '\\' && quote === '"' && '"\\'.includes(line[i + 1])) word += line[++i];
      else word += c;
    } else if (c === '"' || c === '\'') {
      quote = c;
      word ??= '';
    } else if (/\s/.test(c)) {
      if (word !== null) list.push(word);
      word = null;
    } else {
      word = (word ?? '') + (c === '\\' && i + 1 < line.length ? line[++i] : c);
    }
  }
  if (word !== null) list.push(word);
  return list;
}
