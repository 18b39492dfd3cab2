/** fovea/worker: giving calls up, ending connections, workers that die, processes that end. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import { promisify } from 'node:util';
import type { Worker } from 'node:worker_threads';
import { AttentionError, connect, type ConnectOptions, type Progress, type RemoteFovea } from 'fovea/worker';
import { fovea, numbers, same } from '../support/api.ts';
import { leavesNothingRemotely, rejects, remote, worksRemotely } from '../support/remote.ts';

const execute = promisify(execFile);
const wasm = fileURLToPath(import.meta.resolve('fovea/wasm/simd128.wasm'));

/** Takes some seconds by itself. */
const long = numbers([8, 8192, 32]);
const isAbort = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError';

/** Resolves when the call that is given this as `onProgress` has told of a slice. */
function started(): { onProgress: (progress: Progress) => void; told: Promise<void>; last: () => number } {
  const { promise: told, resolve } = withResolvers();
  let last = 0;
  const onProgress = ({ done, total }: Progress): void => {
    last = done / total;
    resolve();
  };
  return { onProgress, told, last: () => last };
}

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((settle) => (resolve = settle));
  return { promise, resolve };
}

test('aborting a long call ends it after its slice; its Tensors live on, nothing leaks, the next call works', async () => {
  const own = await connect();
  const x = await own.tensor(long);
  await leavesNothingRemotely(async () => {
    const controller = new AbortController();
    const { onProgress, told, last } = started();
    const call = own.attention(x, x, x, { signal: controller.signal, onProgress, returnLse: true });
    await told;
    controller.abort();
    await assert.rejects(call, isAbort);
    assert.ok(last() < 0.5, `it went on to ${last()}`);
    same((await x.toArray()).data, long.data);
    await worksRemotely(own);
  }, own);
  own.terminate();
});

test('aborting a call in the queue removes it at once, and leaves the one under way alone', async () => {
  const own = await connect();
  const controller = new AbortController();
  const { onProgress, told } = started();
  const order: string[] = [];
  const x = numbers([8, 4096, 32]);
  const first = own.attention(x, x, x, { onProgress }).then(({ output }) => (order.push('first'), output));
  const second = own.attention(long, long, long, { signal: controller.signal }).catch((error) => (order.push('second'), error));
  const third = own.attention([[1]], [[1]], [[1]]).then(() => order.push('third'));
  await told;
  const reason = new RangeError('no longer wanted');
  controller.abort(reason);
  assert.equal(await second, reason);
  same((await first).data, fovea.attention(x, x, x).output.data);
  await third;
  assert.deepEqual(order, ['second', 'first', 'third']);
  own.terminate();
});

test('with an aborted signal nothing is sent or moved', async () => {
  const x = numbers([2, 2]);
  await assert.rejects(remote.attention(x, x, x, { signal: AbortSignal.abort(), transfer: true }), isAbort);
  assert.equal(x.data.length, 4);
  await assert.rejects(connect({ signal: AbortSignal.abort() }), isAbort);
});

test('an abort that comes as the call ends leaks none of its Tensors', async () => {
  const x = await remote.tensor(numbers([3, 4]));
  let [done, given] = [0, 0];
  await leavesNothingRemotely(async () => {
    for (let round = 0; round < 60; round++) {
      const controller = new AbortController();
      const call = remote.attention(x, x, x, { signal: controller.signal, returnWeights: true });
      for (let wait = 0; wait < round % 6; wait++) await new Promise((resolve) => setImmediate(resolve));
      controller.abort();
      try {
        const { output, weights } = await call;
        output.dispose();
        weights!.dispose();
        done++;
      } catch (error) {
        assert.ok(isAbort(error));
        given++;
      }
    }
  });
  assert.ok(given > 0, `${done} done, ${given} given up`);
  x.dispose();
});

test('an abort after the end means nothing, and no listener is left', async () => {
  const controller = new AbortController();
  let listeners = 0;
  const { signal } = controller;
  const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
  signal.addEventListener = (...args: Parameters<typeof add>) => (listeners++, add(...args));
  signal.removeEventListener = (...args: Parameters<typeof remove>) => (listeners--, remove(...args));
  await remote.attention([[1]], [[1]], [[1]], { signal });
  await rejects(
    'shape',
    /^attention/,
    remote.attention(3 as never, [], [], { signal }).catch(() => remote.attention([[1]], [[1]], [[1], [2]], { signal })),
  );
  assert.equal(listeners, 0);
  controller.abort();
  await worksRemotely();
});

/** Every call of a connection that has ended. */
function callsOf(own: RemoteFovea): (() => Promise<unknown>)[] {
  return [
    () => own.attention([[1]], [[1]], [[1]]),
    () => own.selfAttention([[1]], {} as never),
    () => own.multiHeadAttention([[1]], [[1]], [[1]], {} as never, { heads: 1 }),
    () => own.combine([]),
    () => own.tensor([1]),
    () => own.scope(() => 1),
  ];
}

test('terminate ends at once: what is pending and what comes later is `disposed`', async () => {
  const own = await connect();
  const x = await own.tensor([[1]]);
  const { onProgress, told } = started();
  const pending = [own.attention(long, long, long, { onProgress }), own.tensor([1]), own.memory(), x.toArray()];
  const failures = Promise.all(
    pending.map((call) => rejects('disposed', /: this connection has been terminated; make a new one with connect\(\)$/, call)),
  );
  await told;
  own.terminate();
  own.terminate();
  await failures;
  for (const call of callsOf(own)) await rejects('disposed', /this connection has been terminated/, call());
  await rejects('disposed', /^tensor\.toArray: this connection/, x.toArray());
  assert.ok(x.disposed);
  x.dispose();
  assert.deepEqual(await own.memory(), { live: 0, total: 0 });
  await own.dispose();
  await worksRemotely();
});

test('dispose finishes what was asked for, and takes no more', async () => {
  const own = await connect();
  const x = await own.tensor([[1, 2]]);
  const call = own.attention(x, x, x).then(({ output }) => output.toArray().catch((error: AttentionError) => error.code));
  const disposed = own.dispose();
  await rejects('disposed', /^tensor: this connection has been disposed; make a new one with connect\(\)$/, own.tensor([1]));
  assert.equal(await call, 'disposed');
  await Promise.all([disposed, own.dispose()]);
  for (const later of callsOf(own)) await rejects('disposed', /this connection has been disposed/, later());
  assert.deepEqual(await own.memory(), { live: 0, total: 0 });
  assert.ok(x.disposed);
});

test('connections share nothing', async () => {
  const [a, b] = await Promise.all([connect(), connect()]);
  const x = await a.tensor(numbers([4]));
  assert.deepEqual([(await a.memory()).live, (await b.memory()).live], [16, 0]);
  b.terminate();
  assert.equal((await x.toArray()).data.length, 4);
  a.terminate();
});

test('a worker that crashes fails what is pending with what happened, and the connection knows', async () => {
  const { promise, resolve } = withResolvers();
  let thread: Worker | undefined;
  process.once('worker', (worker) => {
    thread = worker;
    resolve();
  });
  const own = await connect();
  await promise;
  const calls = [own.attention(long, long, long), own.tensor([1])];
  const crashed = /: the worker has crashed \(.*null.*\); make a new one with connect\(\)$/;
  const failures = Promise.all(calls.map((call) => rejects('internal', crashed, call)));
  thread!.postMessage(null); // no message that it knows
  await failures;
  await rejects('internal', /^attention: the worker has crashed/, own.attention([1], [1], [1]));
  assert.deepEqual(await own.memory(), { live: 0, total: 0 });
  await own.dispose();
  await worksRemotely();
});

test('connect checks its options, and fails as load does', async () => {
  const refused: [string, RegExp, unknown][] = [
    ['option', /^connect: unknown option 'determinstic'; did you mean 'deterministic'\?$/, { determinstic: true }],
    ['option', /^connect: unknown option 'slicetime'; did you mean 'sliceTime'\?$/, { slicetime: 1 }],
    ['option', /^connect: options must be an object, got 3$/, 3],
    ['value', /^connect: training must be true or false, got 1$/, { training: 1 }],
    ['option', /^connect: training needs the option worker: a module of yours must call serve\(\)/, { training: true }],
    ['value', /^connect: sliceTime must be a number of milliseconds from 0 on, got -1$/, { sliceTime: -1 }],
    ['value', /^connect: signal must be an AbortSignal, got 1$/, { signal: 1 }],
    ['value', /^connect: deterministic must be true or false, got 1$/, { deterministic: 1 }],
    ['option', /^connect: variant must be .*got 'simd12'; did you mean 'simd128'/, { variant: 'simd12' }],
    ['value', /^connect: wasmUrl must be a string or a URL, got 3$/, { wasmUrl: 3 }],
    ['value', /^connect: variant cannot be sent to a worker: it is a function$/, { variant: () => 1 }],
    ['load', /^connect: no WebAssembly file at \/nowhere\/fovea\.wasm: ENOENT/, { wasmUrl: '/nowhere/fovea.wasm' }],
    ['load', /^connect: no WebAssembly file in wasmBinary: its 3 bytes/, { wasmBinary: Uint8Array.of(1, 2, 3) }],
  ];
  for (const [code, message, options] of refused) await rejects(code, message, connect(options as ConnectOptions));
  await assert.rejects(connect({ wasmUrl: '/nowhere/fovea.wasm' }), (error: Error) =>
    /worker_life\.test/.test(error.stack ?? ''),
  );
  const given = { variant: undefined, sliceTime: undefined, signal: undefined, wasmUrl: undefined };
  (await connect(given)).terminate();
});

test('connect can be aborted', async () => {
  const controller = new AbortController();
  const reason = new Error('changed my mind');
  const opening = connect({ signal: controller.signal });
  controller.abort(reason);
  await assert.rejects(opening, (error) => error === reason);
});

test('the module comes from where load would take it, in the worker', async () => {
  const bytes = readFileSync(wasm);
  const sources: ConnectOptions[] = [
    { deterministic: true },
    { wasmBinary: bytes },
    { wasmModule: await WebAssembly.compile(bytes) },
    { wasmUrl: new URL(`file://${wasm}`) },
    { wasmUrl: relative(process.cwd(), wasm) },
  ];
  for (const source of sources) {
    const own = await connect(source);
    assert.equal(own.info.variant, 'simd128');
    await worksRemotely(own);
    own.terminate();
  }
  assert.ok(bytes.length > 0, 'wasmBinary is copied');
});

test('a worker may have threads of its own, and is as exact, as ready to stop, and as quick to end', async () => {
  const own = await connect({ deterministic: true, threads: 2 });
  assert.deepEqual([own.info.variant, own.info.threads], ['simd128-threads', 2]);
  const one = await connect({ deterministic: true });
  const x = numbers([2, 700, 16]);
  const [many, single] = await Promise.all([own.attention(x, x, x), one.attention(x, x, x)]);
  same(many.output.data, single.output.data);
  const tensor = await own.tensor(x);
  same((await tensor.toArray()).data, x.data);
  const controller = new AbortController();
  const { onProgress, told } = started();
  const call = own.attention(long, long, long, { signal: controller.signal, onProgress });
  await told;
  controller.abort();
  await assert.rejects(call, isAbort);
  await worksRemotely(own);
  one.terminate();
  await own.dispose();
});

/** Runs a program as a script would; it has to end by itself. */
async function run(program: string): Promise<string> {
  const { stdout, stderr } = await execute(process.execPath, ['--input-type=module', '-e', program], { timeout: 20_000 });
  assert.equal(stderr, '');
  return stdout;
}

test('a script ends by itself, and not before its calls are done', async () => {
  const start = "import { connect } from 'fovea/worker'; const r = await connect();";
  assert.equal(await run(`${start} await r.tensor([1]); console.log(r.info.threads);`), '1\n');
  const x = '{ data: new Float32Array(65536), shape: [4, 1024, 16] }';
  assert.equal(await run(`${start} const x = ${x}; r.attention(x, x, x).then(() => console.log('done'));`), 'done\n');
  assert.equal(
    await run(`${start} const x = ${x}; r.attention(x, x, x).catch((e) => console.log(e.code)); r.terminate();`),
    'disposed\n',
  );
  assert.equal(await run(`${start} await r.dispose(); console.log('end');`), 'end\n');
  const threads = start.replace('connect()', 'connect({ threads: 2 })');
  assert.equal(await run(`${threads} await r.tensor([1]); console.log(r.info.threads);`), '2\n');
});

test('importing does nothing, in an engine without workers too', async () => {
  const program = `
    delete globalThis.WebAssembly; delete globalThis.FinalizationRegistry; delete globalThis.Worker; delete globalThis.MessageChannel;
    const before = Object.keys(globalThis).join();
    const { connect, AttentionError } = await import(process.cwd() + '/dist/worker.web.js');
    await import(process.cwd() + '/dist/worker.node.js');
    console.log(before === Object.keys(globalThis).join());
    try { await connect(); } catch (error) { console.log(error instanceof AttentionError, error.code, error.message); }
  `;
  assert.match(await run(program), /^true\ntrue load connect: the worker could not start: /);
});
