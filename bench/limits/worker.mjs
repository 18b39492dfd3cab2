// One thread of the limits. Runs as a module worker and as a Node worker thread.

import { answer, readBytes } from '../engines/workers.mjs';

const kinds = {}; // name → { run(rounds), unit: GFLOP or GB of one round }

answer(async (request) => {
  if (request.load !== undefined) return await load(request.load);
  return rate(kinds[request.kind], request.milliseconds);
});

async function load(folder) {
  const plain = await instantiate(`${folder}limits-simd128.wasm`);
  plain.fill();
  kinds.mulAdd = { run: (rounds) => plain.mul_add(rounds, 0.5, 1), unit: plain.flops_per_round() / 1e9, least: 2000 };
  kinds.read = { run: (passes) => plain.read(passes), unit: plain.bytes_per_pass() / 1e9, least: 1 };
  const relaxed = await instantiate(`${folder}limits-relaxed.wasm`);
  if (relaxed)
    kinds.madd = { run: (rounds) => relaxed.madd(rounds, 0.5, 1), unit: relaxed.flops_per_round() / 1e9, least: 2000 };
  for (const kind of Object.values(kinds)) rate(kind, 60); // until the optimizing compiler's code is there
  return Object.keys(kinds);
}

/** The module's exports, or null where the engine does not take it. */
async function instantiate(url) {
  const bytes = await readBytes(url);
  return WebAssembly.validate(bytes) ? (await WebAssembly.instantiate(bytes)).instance.exports : null;
}

/** GFLOP/s or GB/s over about `milliseconds`, in calls short enough that new code is taken up. */
function rate({ run, unit, least }, milliseconds) {
  const begin = performance.now();
  let rounds = 0;
  let now = begin;
  for (; now < begin + milliseconds; now = performance.now()) {
    run(least);
    rounds += least;
  }
  return (rounds * unit) / ((now - begin) / 1000);
}
