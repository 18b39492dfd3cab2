/** Both sides of fovea/worker in one thread, with a module that traps and messages that do not arrive. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { CoreModule } from '../../../bindings/js/runtime/core_module.ts';
import { AttentionError } from '../../../bindings/js/errors/errors.ts';
import type { ChannelEvents } from '../../../bindings/js/worker/channel.ts';
import { connectWith } from '../../../bindings/js/worker/connect.ts';
import { timedPace } from '../../../bindings/js/worker/pace.ts';
import type { RemoteFovea } from '../../../bindings/js/worker/remote_fovea.ts';
import { Server } from '../../../bindings/js/worker/server.ts';
import { fakeFovea } from '../support/fake_core.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

interface Pair {
  readonly remote: RemoteFovea;
  readonly server: Server;
  readonly events: ChannelEvents;
  readonly port: MessagePort;
}

/** A connection to a server beside it, whose module does what `change` says. */
async function pair(change: Partial<CoreModule>): Promise<Pair> {
  const { port1, port2 } = new MessageChannel();
  const server = new Server(
    {
      load: async () => fakeFovea(change),
      loadForTraining: null,
      post: (reply, transfer) => port2.postMessage(reply, transfer as ArrayBuffer[]),
      yieldToEventLoop: turn,
    },
    {},
  );
  port2.on('message', (request) => server.receive(request));
  let events: ChannelEvents | undefined;
  const remote = await connectWith({
    start(its) {
      events = its;
      port1.on('message', (reply) => its.reply(reply));
      return {
        post: (request, transfer) => port1.postMessage(request, transfer as ArrayBuffer[]),
        hold() {},
        terminate: () => port1.close(),
      };
    },
    isWorker: (_): _ is never => false,
    workerKind: 'none',
    absolute: (url) => url,
  });
  return { remote, server, events: events!, port: port2 };
}

async function rejects(code: string, message: RegExp, promise: Promise<unknown>): Promise<void> {
  await assert.rejects(
    promise,
    (error) => error instanceof AttentionError && error.code === code && message.test(error.message),
  );
}

test('a trap fails its call and all that wait, and the connection knows that it is dead', async () => {
  const { remote } = await pair({
    attention: () => {
      throw new WebAssembly.RuntimeError('unreachable');
    },
  });
  const trapped = /: the WebAssembly module trapped \(unreachable\); make a new one with connect\(\)$/;
  const calls = [remote.attention([[1]], [[1]], [[1]]), remote.tensor([1]), remote.memory()];
  await Promise.all(calls.map((call) => rejects('internal', trapped, call)));
  await rejects('internal', /^attention: the WebAssembly module trapped/, remote.attention([[1]], [[1]], [[1]]));
  assert.deepEqual(await remote.memory(), { live: 0, total: 0 });
});

test('a refused workspace is a memory error, and the connection works on', async () => {
  let refuse = true;
  const { remote } = await pair({ attention: () => (refuse ? 5 : 0), refusedBytes: () => 7 });
  await rejects(
    'memory',
    /^attention: WebAssembly memory refused a workspace of 7 bytes$/,
    remote.attention([[1]], [[1]], [[1]]),
  );
  refuse = false;
  assert.ok((await remote.attention([[1]], [[1]], [[1]])).output);
  assert.equal((await remote.memory()).live, 0);
  remote.terminate();
});

test('messages that cannot be read, on either side, fail everything', async () => {
  for (const spoil of [
    (one: Pair) => one.server.onMessageError(),
    (one: Pair) => one.events.broken('a message of it cannot be read', null),
  ]) {
    const one = await pair({});
    const call = one.remote.tensor([1]);
    spoil(one);
    await rejects('internal', /^tensor: .*cannot be read/, call);
    await rejects('internal', /^attention: .*cannot be read/, one.remote.attention([1], [1], [1]));
  }
});

test('replies that come after the end are left alone', async () => {
  const { remote, events } = await pair({});
  const call = remote.tensor([1]);
  remote.terminate();
  await rejects('disposed', /terminated/, call);
  events.reply({ type: 'done', id: 1, value: null, tensors: new Map() });
  events.broken('it ended with code 1', undefined);
});

/** Messages that are no replies, or replies of which a part is missing or wrong. */
const GARBAGE: readonly unknown[] = [
  ...[
    null,
    undefined,
    0,
    'ready',
    [],
    [null],
    {},
    { type: null },
    { type: 'x' },
    { type: 'x', id: 1 },
    new Map(),
    new Uint8Array(4),
  ],
  ...['done', 'failed', 'aborted', 'post'].flatMap((type) => [
    { type },
    { type, id: 'x' },
    { type, id: 77 },
    { type, id: NaN },
  ]),
  ...[
    { type: 'progress', id: 1, done: 1, total: 2 },
    { type: 'post', id: 1, value: { done: 1, total: 2 } },
    { type: 'post', id: 1, value: null, tensors: {} },
  ],
];

test('messages of a worker that are none of ours are passed over', async () => {
  const { remote, events } = await pair({});
  const { info } = remote;
  const progress: unknown[] = [];
  const call = remote.tensor([1], { onProgress: (one) => progress.push(one) });
  for (const message of [...GARBAGE, { type: 'ready', info: {}, functions: [] }]) events.reply(message);
  const x = await call;
  for (const message of GARBAGE) events.reply(message);
  assert.deepEqual((await x.toArray()).shape, [1]);
  assert.equal(remote.info, info);
  for (const { done, total } of progress as { done: unknown; total: unknown }[])
    assert.ok(typeof done === 'number' && typeof total === 'number');
  remote.terminate();
});

test('a reply that cannot be read fails its call alone', async () => {
  const unreadable = /^worker: its answer cannot be read: the option worker must bring one of this version of fovea$/;
  const error = { code: 'value', name: 'AttentionError', message: 'x' };
  for (const reply of [
    { type: 'failed' },
    { type: 'failed', error: null },
    { type: 'failed', error: { ...error, code: undefined } },
    { type: 'failed', error: { ...error, message: 3 } },
    { type: 'done' },
    { type: 'done', value: null, tensors: {} },
  ]) {
    const { remote, events } = await pair({});
    const call = remote.memory();
    events.reply({ ...reply, id: 1 });
    await rejects('internal', unreadable, call);
    assert.equal((await remote.memory()).live, 0);
    remote.terminate();
  }
  const { remote, events } = await pair({});
  const call = remote.attention([[1]], [[1]], [[1]]);
  events.reply({ type: 'done', id: 1, value: null, tensors: new Map() });
  await rejects('internal', /^attention: the worker's result cannot be taken in/, call);
  remote.terminate();
});

test('a worker of the caller that is none of fovea fails connect', async () => {
  for (const reply of [{ type: 'ready' }, { type: 'ready', info: null }, { type: 'dead' }, { type: 'dead', error: 'x' }]) {
    let ended = false;
    const opened = connectWith({
      start: (events) => ({
        post: () => queueMicrotask(() => [...GARBAGE, reply].forEach((one) => events.reply(one))),
        hold() {},
        terminate: () => void (ended = true),
      }),
      isWorker: (_): _ is never => false,
      workerKind: 'none',
      absolute: (url) => url,
    });
    await rejects('internal', /^connect: its answer cannot be read: the option worker/, opened);
    assert.ok(ended);
  }
});

test('slices grow to the time asked for, by at most four times, in whole blocks', () => {
  const pace = timedPace(30, 1);
  assert.equal(pace.nextRows(64, 0), 256, 'a clock that stands still');
  assert.equal(pace.nextRows(64, 1), 256);
  assert.equal(pace.nextRows(512, 30), 512);
  assert.equal(pace.nextRows(512, 15), 1024);
  assert.equal(pace.nextRows(512, 29), 512);
  assert.equal(pace.nextRows(512, 60), 256);
  assert.equal(pace.nextRows(64, 1000), 64);
  assert.equal(timedPace(0, 1).nextRows(64, 0), 64);
});
