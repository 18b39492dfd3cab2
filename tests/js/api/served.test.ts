/** fovea/serve, with real workers: functions of a module of one's own, called through a connection of fovea/worker. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { resolve as resolvePath } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { Linear } from 'fovea/nn';
import { softmax } from 'fovea/ops';
import { pattern } from 'fovea/pattern';
import { serve } from 'fovea/serve';
import { AttentionError, connect, RemoteTensor, type ConnectOptions } from 'fovea/worker';
import { fovea, numbers, same } from '../support/api.ts';
import type { functions } from '../support/model_worker.ts';
import { leavesNothingRemotely, rejects, remote as plain, worksRemotely } from '../support/remote.ts';

const script = new URL('../support/model_worker.js', import.meta.url);
const open = (options?: ConnectOptions) =>
  connect<typeof functions>({ worker: new Worker(script), variant: fovea.info.variant, ...options });

const remote = await open();
after(() => remote.terminate());
const call = remote.functions;

/** The functions as a caller without types sees them. */
const untyped = call as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>;
const isAbort = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError';

test('a function computes with the entries of the package and the instance of the worker, to the bits of this thread', async () => {
  const x = numbers([3, 4]);
  const layer = new Linear(fovea, { inFeatures: 4, outFeatures: 2, seed: 1 });
  const want = softmax(fovea, layer.forward(x));
  const got = await call.embed(x);
  assert.deepEqual(got.shape, want.shape);
  same(got.data, want.data);
  same((await call.embed(x)).data, want.data);
  assert.equal(x.data.length, 12);
  layer.dispose();
});

test('its own methods work beside the functions, and the instance is loaded with the options of connect', async () => {
  const x = numbers([5, 4]);
  same((await remote.attention(x, x, x)).output.data, fovea.attention(x, x, x).output.data);
  assert.deepEqual(await call.info(), remote.info);
  const own = await open({ variant: 'simd128-threads', threads: 2 });
  assert.deepEqual([own.info.threads, (await own.functions.info()).threads], [2, 2]);
  own.terminate();
});

test('with training: true its functions train, tell every step and stop; without it they are refused', async () => {
  await rejects('option', /must be of the load\(\) of fovea\/train/, call.train(1));
  const own = await open({ training: true });
  assert.deepEqual(own.info, remote.info);
  const losses: number[] = [];
  const weight = await own.functions.train(20, { onPost: ({ loss }) => losses.push(loss) });
  assert.ok(Math.abs(weight - 2) < 0.05 && losses.length === 20 && losses.every((loss, n) => n === 0 || loss < losses[n - 1]!));
  const controller = new AbortController();
  const stopped = own.functions.train(1e6, {
    signal: controller.signal,
    onPost: ({ step }) => step === 3 && controller.abort(),
  });
  await assert.rejects(stopped, isAbort);
  assert.equal(await own.functions.count(), 1);
  assert.equal((await own.memory()).live, 0);
  own.terminate();
});

test('Tensors and patterns go there, Tensors come back as RemoteTensors, scopes free them', async () => {
  const x = numbers([3, 4]);
  await leavesNothingRemotely(
    () =>
      remote.scope(async (scoped) => {
        const tensor = await scoped.tensor(x);
        const got = await scoped.functions.attend({ x: tensor, mask: pattern.causal() });
        assert.ok(got.list[0] instanceof RemoteTensor && got.x instanceof RemoteTensor);
        same((await got.list[0].toArray()).data, fovea.attention(x, x, x, { causal: true }).output.data);
        same((await got.x.toArray()).data, x.data);
      }),
    remote as never,
  );
});

test('values are copied in both directions, and what both sides keep stays whole', async () => {
  const shared = { x: [1, 2] };
  const values = [1, 'text', null, undefined, [1, [2]], new Map([[1, 2]]), Float64Array.of(1, 2), { a: shared, b: shared }];
  for (const value of values) assert.deepEqual(await call.echo(value), value);
  const twice = (await call.echo({ a: shared, b: shared })) as { a: object; b: object };
  assert.equal(twice.a, twice.b);
  const proto = JSON.parse('{"__proto__": {"x": 1}}') as object;
  assert.deepEqual(await call.echo(proto), proto);
  for (let round = 0; round < 2; round++) assert.deepEqual([...(await call.table())], [1, 2, 3]);
  assert.deepEqual([...(await call.view())], [1, 2]);
  const moved = numbers([2, 2]);
  await call.echo(moved, { transfer: true });
  assert.equal(moved.data.length, 0);
});

test('calls are done in order, those of attention between them', async () => {
  const order: string[] = [];
  const x = numbers([300, 16]);
  await Promise.all([
    call.waits(20).then(() => order.push('waits')),
    remote.attention(x, x, x).then(() => order.push('attention')),
    call.count().then(() => order.push('count')),
    remote.tensor([1]).then((tensor) => (order.push('tensor'), tensor.dispose())),
  ]);
  assert.deepEqual(order, ['waits', 'attention', 'count', 'tensor']);
});

test('what a function posts comes to onPost, before its result, and Tensors as RemoteTensors', async () => {
  const told: number[] = [];
  assert.equal(await call.steps(4, { onPost: ({ done, total }) => void told.push(done / total) }), 'done');
  assert.deepEqual(told, [0.25, 0.5, 0.75, 1]);
  assert.equal(await call.steps(3), 'done');
  await leavesNothingRemotely(async () => {
    let posted: RemoteTensor | undefined;
    await call.postsTensor(undefined, { onPost: ({ x }) => void (posted = x) });
    assert.deepEqual([...(await posted!.toArray()).data], [1, 2, 3]);
    posted!.dispose();
  }, remote as never);
  const mine = new RangeError('mine');
  const failing = call.steps(1e6, {
    onPost: () => {
      throw mine;
    },
  });
  await assert.rejects(failing, (error) => error === mine);
  assert.equal(await call.count(), (await call.count()) - 1);
});

test('a message that cannot be sent fails its function, and one after the end goes nowhere', async () => {
  let heard = 0;
  const onPost = (): void => void heard++;
  await rejects('value', /^functions\.posts: the message, a function, cannot be sent$/, call.posts('function', { onPost }));
  await call.posts('number', { onPost });
  await call.keepsPost(undefined, { onPost });
  await call.postsLate(undefined, { onPost });
  assert.equal(heard, 1);
});

test('an abort rejects at once with its reason, reaches the function, and leaves the next call alone', async () => {
  const own = await open();
  const reason = new RangeError('no longer wanted');
  const controller = new AbortController();
  const stopped = own.functions.steps(1e6, {
    signal: controller.signal,
    onPost: ({ done }) => done === 3 && controller.abort(reason),
  });
  await assert.rejects(stopped, (error) => error === reason);
  // The function has seen it: a million steps take minutes.
  assert.equal(await own.functions.count(), 1);
  await assert.rejects(own.functions.count(undefined, { signal: AbortSignal.abort() }), isAbort);
  const queued = new AbortController();
  const [first, second] = [own.functions.waits(30), own.functions.count(undefined, { signal: queued.signal })];
  queued.abort();
  await assert.rejects(second, isAbort);
  assert.equal(await first, false);
  assert.equal(await own.functions.count(), 2, 'what was aborted in the queue has not run');
  own.terminate();
});

test('a function that does not look for an abort is given up at once; its Tensors are freed when it ends', async () => {
  await leavesNothingRemotely(async () => {
    const controller = new AbortController();
    const start = performance.now();
    const deaf = call.deaf(400, { signal: controller.signal });
    setTimeout(() => controller.abort(), 20);
    await assert.rejects(deaf, isAbort);
    assert.ok(performance.now() - start < 300, `it took ${performance.now() - start} ms`);
    await call.count();
  }, remote as never);
});

test('errors of a function come back as they are, with the place in the worker', async () => {
  await assert.rejects(call.throws('own'), (error) => {
    assert.ok(error instanceof Error && !(error instanceof AttentionError));
    assert.deepEqual([`${String(error)}`, (error.cause as Error).message], ['RangeError: mine', 'why']);
    assert.match(error.stack!, /model_worker/);
    return true;
  });
  await rejects('shape', /^attention: /, call.throws('fovea'));
  await assert.rejects(call.throws('text'), /^Error: only text$/);
  await worksRemotely(remote as never);
});

test('a result that cannot be sent is refused, and leaves nothing behind', async () => {
  const refusals = {
    function: /^functions\.unsendable: the result\[1\]\.inner, a function, cannot be sent$/,
    instance: /^functions\.unsendable: the result cannot be sent: it holds an object of the worker's own \(instance\)$/,
    pattern: /it holds an object of the worker's own \(pattern\)$/,
    map: /it holds a Tensor where no plain object or list has it$/,
    late: /it holds a Tensor where no plain object or list has it$/,
  } as const;
  for (const [kind, message] of Object.entries(refusals)) {
    const refused = () => rejects('value', message, call.unsendable(kind as keyof typeof refusals));
    // Tensors in a list of the result go with it; one in a Map is the function's own, as is one that it does not return.
    if (kind === 'map') await refused();
    else await leavesNothingRemotely(refused, remote as never);
  }
  const made = await call.make(3);
  assert.deepEqual([...(await made[2]!.toArray()).data], [2]);
  for (const tensor of made) tensor.dispose();
});

test('wrong calls say what is wrong', async () => {
  await rejects(
    'option',
    /^functions\.embde: unknown function 'embde'; this worker serves embed, attend, echo, .*toString$/,
    untyped['embde']!(1),
  );
  await rejects(
    'option',
    /^functions\.embed: unknown function 'embed'; a module of yours must call serve\(\) of fovea\/serve$/,
    plainCall('embed')(),
  );
  await rejects(
    'option',
    /^functions\.count: unknown option 'onProgress'; known are signal, onPost/,
    untyped['count']!(1, { onProgress: () => 1 }),
  );
  await rejects('option', /^functions\.count: options must be an object, got 2$/, untyped['count']!(1, 2));
  await rejects('value', /^functions\.count: onPost must be a function, got 1$/, untyped['count']!(1, { onPost: 1 }));
  await rejects('value', /^functions\.count: signal must be an AbortSignal, got 1$/, untyped['count']!(1, { signal: 1 }));
  await rejects(
    'value',
    /^functions\.echo: input cannot be sent to a worker: it is a function$/,
    call.echo(() => 1),
  );
  await rejects('value', /^functions\.echo: input\.x, a WeakMap, cannot be sent to a worker$/, call.echo({ x: new WeakMap() }));
  const tensor = await remote.tensor([1]);
  await rejects(
    'value',
    /^functions\.echo: input, a Map, cannot be sent to a worker: it holds a RemoteTensor$/,
    call.echo(new Map([[1, tensor]])),
  );
  await rejects(
    'value',
    /^functions\.echo: input\[0\] must be a RemoteTensor of this connection/,
    call.echo([await plain.tensor([1])]),
  );
  tensor.dispose();
  await rejects('disposed', /^functions\.echo: input is a RemoteTensor of shape \[1\] that has been/, call.echo(tensor));
});

const plainCall = (name: string) => (plain.functions as unknown as typeof untyped)[name]!;

test('the object of functions can be looked at, awaited and printed', async () => {
  assert.deepEqual(Object.keys(call).includes('embed'), true);
  assert.equal(await (call as unknown as Promise<unknown>), call);
  assert.ok(JSON.stringify({ call }).length > 0);
  assert.ok(Object.isFrozen(call));
  assert.equal(await call.toString(), 'of the worker', 'a function of a name of Object.prototype');
  assert.equal((plain.functions as { valueOf?: unknown }).valueOf, undefined);
});

test('after the end of the connection they are `disposed`', async () => {
  const own = await open();
  const pending = own.functions.waits(10_000);
  own.terminate();
  await rejects('disposed', /^functions\.waits: this connection has been terminated/, pending);
  await rejects('disposed', /^functions\.count: this connection has been terminated/, own.functions.count());
  const other = await open();
  const last = other.functions.count();
  await other.dispose();
  assert.equal(await last, 1);
});

// --- workers that are no good, and those that take their time

const folder = 'build/tests/served';
mkdirSync(folder, { recursive: true });
function workerOf(name: string, code: string): Worker {
  const path = resolvePath(folder, `${name}.mjs`);
  writeFileSync(path, code);
  return new Worker(pathToFileURL(path));
}
const connectTo = (name: string, code: string, options?: ConnectOptions) =>
  connect({ worker: workerOf(name, code), ...options });
const answers = "import { serve } from 'fovea/serve';\nserve({ functions: { one: () => 1 } });\n";

test('a worker that does not serve is a load error in time', async () => {
  await rejects(
    'load',
    /^connect: the worker could not start: it ended by itself; a module of yours must call serve\(\) of fovea\/serve$/,
    connectTo('silent', 'export {};'),
  );
  const start = performance.now();
  await rejects(
    'load',
    /^connect: the worker could not start: its script gave no sign within 300 ms, the option timeout; a module of yours must call serve\(\)/,
    connectTo('deaf', 'setInterval(() => {}, 1000);', { timeout: 300 }),
  );
  assert.ok(performance.now() - start < 5000);
  await rejects('load', /^connect: the worker could not start: mine$/, connectTo('throws', "throw new Error('mine');"));
  await rejects(
    'load',
    /could not start: Cannot find package 'no-such-package'/,
    connectTo('missing', "import 'no-such-package';"),
  );
  await rejects('load', /could not start: Cannot find module/, connect({ worker: new Worker(pathToFileURL('nowhere.mjs')) }));
});

test('a module may await before it serves, and another module may be its functions', async () => {
  const slow = `await new Promise((resolve) => setTimeout(resolve, 200));\n${answers}`;
  const own = await connectTo('slow', slow);
  await worksRemotely(own);
  own.terminate();
  writeFileSync(`${folder}/functions.mjs`, 'export const two = () => 2;\nexport function three() { return 3; }\n');
  const named = "import * as functions from './functions.mjs';\nimport { serve } from 'fovea/serve';\nserve({ functions });\n";
  const other = await connect<{ two(): number; three(): number }>({ worker: workerOf('named', named) });
  assert.deepEqual([await other.functions.two(), await other.functions.three()], [2, 3]);
  other.terminate();
});

test('what serve refuses, the worker cannot start with', async () => {
  const serving = (options: string): string => `import { serve } from 'fovea/serve';\nserve(${options});\n`;
  for (const [n, [options, message]] of [
    ['', /serve: functions must be an object of functions, got undefined$/],
    ['{ functions: 3 }', /serve: functions must be an object of functions, got 3$/],
    ['{ functions: { a: () => 1, b: 2 } }', /serve: functions\.b must be a function, got 2$/],
    ['{ function: {} }', /serve: unknown option 'function'; did you mean 'functions'\?$/],
    ['{ functions: {} }); serve({ functions: {} }', /serve: this worker serves already: pass all functions in one call$/],
  ].entries() as Iterable<[number, [string, RegExp]]>)
    await rejects('load', message, connectTo(`refused_${n}`, serving(options)));
  assert.throws(
    () => serve({ functions: {} }),
    (error) =>
      error instanceof AttentionError && error.code === 'load' && /^serve: it must be called in a Worker/.test(error.message),
  );
});

test('connect ends the worker that it was given where it fails, and takes one once', async () => {
  const ends = async (options: object): Promise<void> => {
    const worker = workerOf('ended', answers);
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    await assert.rejects(connect({ worker, ...options }));
    await ended;
  };
  await ends({ determinstic: true });
  await ends({ timeout: -1 });
  await ends({ wasmUrl: '/nowhere/fovea.wasm' });
  await ends({ signal: AbortSignal.abort() });
  const worker = workerOf('once', answers);
  const own = await connect<{ one(): number }>({ worker });
  await rejects('value', /^connect: worker has a connection already$/, connect({ worker }));
  assert.equal(await own.functions.one(), 1);
  own.terminate();
  for (const wrong of [3, null, {}, { postMessage() {}, terminate() {} }])
    await rejects(
      'value',
      /^connect: worker must be a Worker of node:worker_threads, got /,
      connect({ worker: wrong as never }),
    );
  await rejects(
    'value',
    /^connect: timeout must be a number of milliseconds from 0 on, got 'x'$/,
    connect({ timeout: 'x' as never }),
  );
});

test('a script with a served worker ends by itself, and not before its calls are done', async () => {
  const path = resolvePath(folder, 'ends.mjs');
  const program = `import { Worker } from 'node:worker_threads';
import { connect } from 'fovea/worker';
const remote = await connect({ worker: new Worker(new URL(${JSON.stringify(script.href)})) });
remote.functions.waits(100).then(() => remote.functions.count()).then(console.log);
`;
  writeFileSync(path, program);
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [path], { timeout: 20_000 });
  assert.deepEqual([stdout, stderr], ['1\n', '']);
});
