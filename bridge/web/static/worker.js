"use strict";
// Judges drafts in a browser with the reasoner compiled to WebAssembly. Its file is
// compressed; a server that says so has it unpacked on the way.
importScripts("wasm_exec.js");

const ready = (async () => {
  const r = await fetch("mishap.wasm.gz");
  if (!r.ok) throw new Error("mishap.wasm.gz: " + r.status + " " + r.statusText);
  let data = await r.arrayBuffer();
  const head = new Uint8Array(data, 0, 2);
  if (head[0] === 0x1f && head[1] === 0x8b) data = await new Response(new Blob([data]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
  const go = new Go();
  const { instance } = await WebAssembly.instantiate(data, go.importObject);
  go.run(instance);
})();

onmessage = async (m) => {
  try {
    await ready;
    postMessage({ id: m.data.id, ...self.judge(JSON.stringify(m.data.draft)) });
  } catch (e) {
    postMessage({ id: m.data.id, error: e.message, broken: true }); // it cannot be asked again
  }
};
