// Faults around a call: after each fault the instance works, or says that it does not, and a new one works.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { AttentionError, load, toNested } from 'fovea';
import { kvCache } from 'fovea/cache';
import * as ops from 'fovea/ops';
import { pattern } from 'fovea/pattern';
import { connect } from 'fovea/worker';
import { memoryToItsEnd, objects } from './memory.mjs';

const wasm = readFileSync(new URL('../../dist/fovea-simd128.wasm', import.meta.url));
const compiled = await WebAssembly.compile(wasm);
const ones = (...shape) => ({ data: new Float32Array(shape.reduce((a, b) => a * b, 1)).fill(0.5), shape });

/** The known answer of a small call: weights of one query over equal keys. */
function works(fovea) {
  const { output } = fovea.attention([[1, 0]], [[1, 0], [1, 0]], [[2], [4]]); // prettier-ignore
  assert.deepEqual(toNested(output), [[3]]);
}

/** Runs `call`, which is answered or ends in an AttentionError; true if it was answered. */
function answered(call) {
  try {
    call();
    return true;
  } catch (error) {
    assert.ok(error instanceof AttentionError, `${error?.stack ?? error}`);
    return false;
  }
}

const CALLS = {
  attention: (fovea) => fovea.attention(ones(8, 700, 64), ones(8, 900, 64), ones(8, 900, 64), { returnWeights: true }),
  trace: (fovea) => fovea.attention(ones(300, 16), ones(300, 16), ones(300, 16), { trace: true }),
  sparse: (fovea) =>
    fovea.attention(ones(5000, 16), ones(5000, 16), ones(5000, 16), { pattern: pattern.random({ perQuery: 9, seed: 1 }) }),
  tensor: (fovea) => fovea.tensor(ones(3_000_000)).dispose(),
  matmul: (fovea) => ops.matmul(fovea, ones(2000, 1000), ones(1000, 2000)),
  cache: (fovea) => kvCache(fovea, { kvHeads: 4, width: 64, capacity: 20_000 }).dispose(),
};

/** Memory that refuses to grow, from the n-th time on, for every n that a call meets. */
async function refusedGrowth() {
  const grow = WebAssembly.Memory.prototype.grow;
  let refusals = 0;
  for (const [name, call] of Object.entries(CALLS))
    for (let from = 0; ; from++) {
      const fovea = await load({ wasmModule: compiled });
      let asked = 0;
      WebAssembly.Memory.prototype.grow = function (pages) {
        if (asked++ >= from) throw new RangeError('WebAssembly.Memory.grow(): Maximum memory size exceeded');
        return grow.call(this, pages);
      };
      try {
        answered(() => call(fovea));
      } finally {
        WebAssembly.Memory.prototype.grow = grow;
      }
      const before = fovea.memory().live;
      assert.equal(before, 0, `${name}: bytes stay live after growth was refused`);
      works(fovea);
      call(fovea);
      fovea.dispose();
      if (asked <= from) break;
      refusals++;
    }
  assert.ok(refusals >= Object.keys(CALLS).length - 1, `${refusals} refusals`);
  return `${refusals} refusals`;
}

/** Cut or overwritten: a load error, and the next load works. (Another version: tests/js/api/load.test.ts.) */
async function damagedModules() {
  let refused = 0;
  for (const bytes of [
    wasm.subarray(0, wasm.length >> 1),
    wasm.subarray(0, 3),
    new Uint8Array(0),
    Buffer.from('<!doctype html>'),
  ]) {
    await assert.rejects(load({ wasmBinary: bytes }), (error) => error instanceof AttentionError && error.code === 'load');
    refused++;
  }
  for (let at = 1000; at < wasm.length; at += wasm.length >> 5) {
    const damaged = Uint8Array.from(wasm);
    damaged[at] ^= 0xff;
    // A changed constant can be a valid module: then its calls end in the contract's ways.
    const fovea = await load({ wasmBinary: damaged }).catch((error) => {
      assert.ok(error instanceof AttentionError, `${error?.stack}`);
      refused++;
      return null;
    });
    if (fovea) answered(() => fovea.attention([[1]], [[1]], [[1]]));
  }
  works(await load());
  return `${refused} refused`;
}

/** A call from every depth near the end of the stack. */
async function stackExhaustion() {
  const fovea = await load({ wasmModule: compiled });
  let [told, seen] = [0, 0];
  const descend = () => {
    try {
      descend();
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
    // On the way back up, with ever more room.
    if (seen >= 200) return;
    seen++;
    try {
      works(fovea);
    } catch (error) {
      if (error instanceof AttentionError) told++;
      else if (!(error instanceof RangeError)) throw error;
    }
  };
  descend();
  if (!answered(() => works(fovea))) works(await load({ wasmModule: compiled }));
  return `${seen} depths, ${told} told in an AttentionError`;
}

/** Callbacks of a call that call the same instance, dispose what it uses, or throw. */
async function reentrancy() {
  const fovea = await load({ wasmModule: compiled });
  const x = ones(40, 8);
  const inner = pattern.fromFunction((i, j) => {
    if (i === j) works(fovea);
    return (i + j) % 3 === 0;
  });
  const plain = pattern.fromFunction((i, j) => (i + j) % 3 === 0);
  const expected = fovea.attention(x, x, x, { pattern: plain }).output.data;
  assert.deepEqual(fovea.attention(x, x, x, { pattern: inner }).output.data, expected);
  const own = new Error('thrown by the caller');
  const throws = pattern.fromFunction(() => {
    throw own;
  });
  assert.throws(
    () => fovea.attention(x, x, x, { pattern: throws }),
    (error) => error === own || error instanceof AttentionError,
  );
  const t = fovea.tensor(x);
  const disposes = pattern.fromFunction((i, j) => {
    if (i === 3 && j === 3) t.dispose();
    return true;
  });
  answered(() => fovea.attention(t, t, t, { pattern: disposes }));
  works(fovea);
  assert.equal(fovea.memory().live, 0);
  return 'calls, throws and disposals';
}

/** A small instance that is not disposed keeps this much (measured): one leaked in ten is more than what is allowed. */
const INSTANCE_BYTES = 80e3;
/** Measured: 0.5 to 1.1 MB. */
const RSS_NOISE = 3e6;

/** Instances made and disposed, two at a time, with one compiled module; what the process holds stays flat. */
async function instances(count) {
  const rss = [];
  for (let n = 0; n < count; n++) {
    const [a, b] = [await load({ wasmModule: compiled }), await load({ wasmModule: compiled })];
    works(a);
    b.tensor([1, 2, 3]);
    a.dispose();
    b.dispose();
    if (n % Math.ceil(count / 20) === 0) {
      globalThis.gc?.();
      rss.push(process.memoryUsage().rss);
    }
  }
  const half = rss.length >> 1;
  const gained = Math.min(...rss.slice(half)) - Math.min(...rss.slice(2, half));
  assert.ok(
    gained < RSS_NOISE + (INSTANCE_BYTES / 10) * count,
    `${(gained / 1e6).toFixed(0)} MB more after ${2 * count} instances`,
  );
  return `${2 * count} instances, ${(gained / 1e6).toFixed(1)} MB between the halves`;
}

/** Workers killed in a call, calls aborted at any time, connections ended while busy. */
async function workers(count) {
  const x = ones(4, 900, 64);
  let aborted = 0;
  for (let n = 0; n < count; n++) {
    const remote = await connect({ wasmModule: compiled });
    const control = new AbortController();
    const calls = [remote.attention(x, x, x, { signal: control.signal }), remote.attention(ones(2, 2), ones(2, 2), ones(2, 2))];
    setTimeout(() => (n % 2 === 0 ? control.abort() : remote.terminate()), (n * 7) % 60);
    for (const result of await Promise.allSettled(calls)) {
      if (result.status === 'fulfilled') continue;
      assert.ok(result.reason instanceof AttentionError || result.reason?.name === 'AbortError', `${result.reason?.stack}`);
      aborted++;
    }
    if (n % 2 === 0) assert.equal((await remote.attention([[1]], [[1]], [[5]])).output.data[0], 5);
    remote.terminate();
  }
  return `${count} connections, ${aborted} calls ended early`;
}

/**
 * Threads of the host that are ended while an instance in them computes, alone or with two threads of its own, from the module that this thread uses
 * too. They have told that they compute. The instance here has the same bytes before and after, its Tensor and cache go on, no thread stays.
 */
async function killedThreads(count) {
  const fovea = await load({ wasmModule: compiled });
  const x = fovea.tensor(ones(2, 70, 16));
  const cache = kvCache(fovea, { kvHeads: 2, width: 16, capacity: count + 1 });
  const row = ones(2, 1, 16);
  cache.append(row, row);
  const bytes = () => {
    const result = fovea.attention(x, x, x, { causal: true }).output;
    const copy = result.data.slice();
    result.dispose();
    return copy;
  };
  const [before, { live }] = [bytes(), fovea.memory()];
  const threads = () => (process.platform === 'linux' ? readdirSync('/proc/self/task').length : 0);
  const atFirst = threads();
  for (let n = 0; n < count; n++) {
    const options = n % 2 === 0 ? 'workerData' : '{ threads: 2 }';
    const worker = new Worker(
      `const { parentPort, workerData } = require('node:worker_threads');
      import('fovea').then(async ({ load }) => {
        const fovea = await load(${options});
        const x = { data: new Float32Array(4 * 2000 * 64), shape: [4, 2000, 64] };
        parentPort.postMessage('computes');
        for (;;) fovea.attention(x, x, x);
      });`,
      { eval: true, workerData: { wasmModule: compiled } },
    );
    await once(worker, 'message');
    await new Promise((resolve) => setTimeout(resolve, (n * 31) % 100));
    await worker.terminate();
    assert.deepEqual(bytes(), before);
    cache.append(row, row);
    assert.deepEqual([cache.length, fovea.attention(row, cache).output.data[0]], [n + 2, 0.5]);
    assert.equal(fovea.memory().live, live);
  }
  for (let tries = 0; threads() > atFirst && tries < 100; tries++) await new Promise((resolve) => setTimeout(resolve, 50));
  assert.ok(threads() <= atFirst, `${threads()} threads, ${atFirst} before`);
  fovea.dispose();
  return `${count} threads, none stays`;
}

/** Each with its name; `scale` is 1 for the ten-minute run. */
export const FAULTS = [
  ['growth of memory refused', refusedGrowth],
  ['damaged modules', damagedModules],
  ['the stack exhausted', stackExhaustion],
  ['calls within calls', reentrancy],
  ['instances made and disposed', (scale) => instances(Math.max(50, Math.round(5000 * scale)))],
  ['objects made and disposed', (scale) => objects(Math.max(1000, Math.round(10_000 * scale)))],
  ['workers killed and calls aborted', (scale) => workers(Math.max(6, Math.round(60 * scale)))],
  ['threads killed', (scale) => killedThreads(Math.max(2, Math.round(20 * scale)))],
  ['memory to its end', (scale) => (scale < 1 ? 'from ten minutes on: it takes 4 GB of the machine' : memoryToItsEnd())],
];
