// One module in a worker: a question comes in, the answer goes out. A module that has panicked is not asked again.

'use strict';
let module = null;
let ready = null;

/** The bytes on the slate. */
const slate = () => new Uint8Array(module.memory.buffer, module.slate(), module.length());

function answer(question) {
  const bytes = new TextEncoder().encode(JSON.stringify(question));
  const place = module.room(bytes.length);
  new Uint8Array(module.memory.buffer, place, bytes.length).set(bytes);
  module.run();
  const all = slate().slice();
  const length = new DataView(all.buffer).getUint32(0, true);
  const reply = JSON.parse(new TextDecoder().decode(all.subarray(4, 4 + length)));
  let at = 4 + length;
  for (const file of reply.files) {
    file.content = all.slice(at, at + file.bytes);
    at += file.bytes;
  }
  return reply;
}

/** Why a module has ended: its own words if it had time to leave them. */
function lastWords(error) {
  let words = '';
  try { words = new TextDecoder().decode(slate()); } catch { /* memory is gone too */ }
  return words.startsWith('panicked') ? words : String(error);
}

onmessage = async ({ data }) => {
  if (data.module) {
    ready = WebAssembly.instantiate(data.module, {}).then((instance) => { module = instance.exports; });
    await ready;
    postMessage({ ready: true });
    return;
  }
  await ready;
  const began = performance.now();
  try {
    const reply = answer(data.question);
    postMessage({ id: data.id, reply, took: performance.now() - began });
  } catch (error) {
    postMessage({ id: data.id, ended: lastWords(error), took: performance.now() - began });
  }
};
