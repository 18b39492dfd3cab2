/** Inputs that change while they are read, or that run code of the caller's: each property counts as it was when it was read. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { list, run } from 'fovea/catalog';
import { readSafetensors, writeSafetensors } from 'fovea/files';
import { linearStateFrom } from 'fovea/linear-attention';
import { randomParams, transformer } from 'fovea/mechanisms';
import { CausalDecoder, Linear } from 'fovea/nn';
import * as ops from 'fovea/ops';
import { AttentionError, type Tensor } from 'fovea';
import { pattern } from 'fovea/pattern';
import { bias, score } from 'fovea/score';
import { fails, fovea, leavesNothing, near, same, works } from '../support/api.ts';
import { blocks } from '../support/abi.ts';
import { PUBLIC_CALLS, type PublicCall } from '../support/public_calls.ts';

const k = [
  [1, 0],
  [0, 1],
];
const v = [
  [1, 2],
  [3, 4],
];

/** Asserts that `call` changes no Tensor but by its result: neighbors in memory keep their numbers. */
function overwritesNothing(call: () => unknown): void {
  const neighbors = Array.from({ length: 8 }, (_, n) => fovea.tensor({ data: new Float32Array(64).fill(n), shape: [64] }));
  try {
    call();
  } finally {
    for (const [n, neighbor] of neighbors.entries()) {
      assert.ok(
        neighbor.data.every((x) => x === n),
        `Tensor ${n} is untouched`,
      );
      neighbor.dispose();
    }
  }
}

function resizable<B extends ArrayBufferLike>(Buffer: new (bytes: number) => B, bytes: number): B {
  return Reflect.construct(Buffer, [bytes, { maxByteLength: 65536 }]) as B;
}

/** An array input whose `shape` runs `code` when it is read. */
function withCode(data: Float32Array, shape: number[], code: () => void): { data: Float32Array; shape: number[] } {
  return {
    data,
    get shape() {
      code();
      return shape;
    },
  };
}

test('set copies a source that overlaps its target before it writes', () => {
  const t = fovea.tensor([
    [0, 1, 2, 3],
    [4, 5, 6, 7],
  ]);
  t.slice(1, 1, 3).set(t.data.subarray(0, 4));
  assert.deepEqual([...t.data], [0, 0, 1, 3, 4, 2, 3, 7]);
  t.dispose();
});

test('a length-tracking array that grows after it was read is copied as long as it was', () => {
  for (const buffer of [resizable(ArrayBuffer, 16), resizable(SharedArrayBuffer, 16)]) {
    const data = new Float32Array(buffer).fill(1);
    const grow = (): void =>
      (buffer as unknown as { resize(n: number): void; grow(n: number): void })[
        buffer instanceof ArrayBuffer ? 'resize' : 'grow'
      ](65536);
    overwritesNothing(() => {
      const { output } = fovea.attention({ data, shape: [2, 2] }, withCode(new Float32Array(4), [2, 2], grow), v);
      assert.deepEqual(output.shape, [2, 2]);
      near(output, [
        [2, 3],
        [2, 3],
      ]);
    });
  }
});

test('an array that is shortened or detached after it was read is a value error', () => {
  const buffer = resizable(ArrayBuffer, 16);
  const shorten = (): void => (buffer as unknown as { resize(n: number): void }).resize(4);
  fails('value', /^attention: an array of 4 numbers was detached or shortened during the call, and has 1 now$/, () =>
    fovea.attention({ data: new Float32Array(buffer), shape: [2, 2] }, withCode(new Float32Array(4), [2, 2], shorten), v),
  );
  const data = new Float32Array(4);
  fails('value', /an array of 4 numbers was detached/, () =>
    fovea.attention(
      { data, shape: [2, 2] },
      withCode(new Float32Array(4), [2, 2], () => structuredClone(data.buffer, { transfer: [data.buffer] })),
      v,
    ),
  );
});

test('a shape that answers differently each time counts as it first was', () => {
  let reads = 0;
  const shape = new Proxy([2, 2], {
    get: (target, name) => (name === '0' ? [2, 5000][Math.min(1, reads++)] : Reflect.get(target, name)),
  });
  overwritesNothing(() => {
    const x = fovea.tensor({ data: new Float32Array([1, 2, 3, 4]), shape });
    assert.deepEqual(x.shape, [2, 2]);
    x.dispose();
  });
  assert.equal(reads, 1);
});

test('data and shape are read once, through getters', () => {
  const reads = { data: 0, shape: 0 };
  const input = {
    get data() {
      return new Float32Array(reads.data++ === 0 ? 4 : 4096);
    },
    get shape() {
      return reads.shape++ === 0 ? [2, 2] : [64, 64];
    },
  };
  overwritesNothing(() => assert.deepEqual(fovea.attention(input, k, v).output.shape, [2, 2]));
  assert.deepEqual(reads, { data: 1, shape: 1 });
});

test('entries of JavaScript arrays are read once', () => {
  const data = [1, 2, 3, 4];
  let reads = 0;
  Object.defineProperty(data, 1, { get: () => (reads++ === 0 ? 2 : { valueOf: () => assert.fail('read again') }) });
  assert.deepEqual([...fovea.tensor({ data, shape: [2, 2] }).data], [1, 2, 3, 4]);
  assert.equal(reads, 1);
});

test('what a typed array says of itself is not believed', () => {
  class Liar extends Float32Array {
    override get length(): number {
      return 1024;
    }
  }
  const liar = new Liar([1, 2, 3, 4]);
  Object.defineProperty(liar, 'constructor', { get: () => assert.fail('asked for its constructor') });
  Object.defineProperty(liar, Symbol.iterator, { get: () => assert.fail('asked for its iterator') });
  overwritesNothing(() =>
    same(fovea.attention({ data: liar, shape: [2, 2] }, k, v).output.data, fovea.attention(v, k, v).output.data),
  );
});

test('a Tensor that a getter disposes after it was read is a disposed error', () => {
  const q = fovea.tensor(k);
  const before = fovea.memory().live;
  const input = withCode(new Float32Array(4), [2, 2], () => q.dispose());
  assert.throws(() => fovea.attention(q, input, v), { code: 'disposed', message: /^attention: q was disposed while/ });
  assert.equal(fovea.memory().live, before - 16);
  works();
  for (const call of [
    (x: Tensor, y: never): unknown => fovea.combine([{ output: x, lse: y }]),
    (x: Tensor, y: never): unknown => fovea.selfAttention(x, { Wq: k, Wk: k, Wv: y }),
    (x: Tensor, y: never): unknown => ops.matmul(fovea, x, y),
    (x: Tensor, y: never): unknown => fovea.attention(k, k, v, { mask: x, bias: bias.relative(y, 0) }),
    (x: Tensor, y: never): unknown => fovea.attention(k, y, v, { out: { output: x } }),
  ]) {
    const x = fovea.tensor([
      [0.5, 1],
      [2, 3],
    ]);
    const shape = call.toString().includes('lse') ? [2] : call.toString().includes('relative') ? [1] : [2, 2];
    const size = shape.reduce((a, b) => a * b);
    assert.throws(() => call(x, withCode(new Float32Array(size), shape, () => x.dispose()) as never), { code: 'disposed' });
  }
  works();
});

test('a tensor that a getter disposes while it is set stays disposed', () => {
  const x = fovea.tensor([1, 2]);
  overwritesNothing(() =>
    assert.throws(() => x.set(withCode(new Float32Array(2), [2], () => x.dispose())), {
      code: 'disposed',
      message: /^tensor\.set/,
    }),
  );
});

test('what Object.prototype has is no option of any call', () => {
  const q = [[1, 0]];
  const plain = fovea.attention(q, k, v).output.data;
  const one = bias.alibi([1]);
  const polluted: Record<string, unknown> = {
    causal: true,
    causalAlign: 'top-left',
    scale: 7,
    window: [0, 0],
    returnWeights: true,
    heads: 2,
    layout: 'bthd',
    dtype: 'float16',
    dims: [4, 1],
    normalize: 'relu',
    trace: true,
    Wo: [[5], [5]],
    bidirectional: false,
    lse: [9],
  };
  const { output, ...others } = ((): { output: { data: Float32Array } } => {
    Object.assign(Object.prototype, polluted);
    try {
      same(fovea.attention(q, k, v, { bias: one }).output.data, fovea.attention(q, k, v, { bias: one }).output.data);
      assert.deepEqual(fovea.selfAttention(q, { Wq: k, Wk: k, Wv: v }).output.shape, [1, 2]);
      assert.throws(() => fovea.combine([{ output: [[1]] }]), { code: 'value' });
      return Object.assign({}, fovea.attention(q, k, v));
    } finally {
      for (const name of Object.keys(polluted)) delete (Object.prototype as Record<string, unknown>)[name];
    }
  })();
  same(output.data, plain);
  assert.deepEqual(others, {});
});

/** Names that any page's script may have left there. Each is an option, a parameter or a property of an array of some function. */
const POLLUTED: Record<string, unknown> = {
  ...{
    causal: true,
    causalAlign: 'top-left',
    scale: 7,
    window: [0, 0],
    softcap: 1,
    temperature: 9,
    trace: true,
    returnWeights: true,
  },
  ...{
    heads: 1,
    kvHeads: 1,
    layout: 'bthd',
    dtype: 'float16',
    dims: [1],
    type: 'float16',
    axis: 0,
    normalizer: 'relu',
    bias: [9],
  },
  ...{
    Wq: [[9]],
    Wo: [[5]],
    W: [[5]],
    b: [5],
    w: [5],
    c: 0.5,
    activation: 'tanh',
    weightLayout: 'outIn',
    biasK: [1],
    lse: [9],
  },
  ...{
    s: [[9]],
    z: [9],
    m: [9],
    returnState: true,
    initialState: { hidden: [9] },
    lengths: [0],
    decay: -1,
    retention: 0.1,
    eps: 3,
  },
  ...{
    attnMask: [[true]],
    mask: [[false]],
    keyPaddingMask: [true],
    memoryMask: [[true]],
    averageAttnWeights: true,
    batchFirst: false,
  },
  ...{
    prefix: 'x.',
    strict: false,
    rename: [['a', 'b']],
    groups: 3,
    residual: false,
    kernel: 3,
    stride: 3,
    tensors: new Map(),
  },
  ...{ bidirectional: false, nonlinearity: 'tanh', projSize: 1, seed: 9, k: 1, scaled: true, queries: 1, global: 2, random: 2 },
  ...{
    linear: {},
    linformer: {},
    pattern: {},
    positions: [0],
    cos: [[1]],
    variant: 'relaxed',
    threads: 3,
    deterministic: true,
  },
  weight_hr_l0: [[1]],
  'a.weight': [[1]],
};

test('what Object.prototype has changes no public function', () => {
  for (const { name, args, run } of PUBLIC_CALLS) {
    const call = (): unknown => fovea.scope(() => run(fovea, ...(args() as never[])));
    const want = call();
    let got: unknown;
    Object.assign(Object.prototype, POLLUTED);
    try {
      got = call();
    } finally {
      for (const one of Object.keys(POLLUTED)) delete (Object.prototype as Record<string, unknown>)[one];
    }
    assert.deepEqual(got, want, name);
  }
  works();
});

/** The fields of all parameter blocks, all names of options, params and results in the shipped declarations, and all that the code reads. */
function allNames(): string[] {
  const fields = Object.values(blocks).flatMap((block) => Object.keys(block));
  const found = (end: string, name: RegExp): string[] =>
    readdirSync('dist', { recursive: true })
      .filter((path): path is string => typeof path === 'string' && path.endsWith(end))
      .flatMap((path) => [...readFileSync(`dist/${path}`, 'utf8').matchAll(name)].map((one) => one[1]!));
  const names = [...fields, ...found('.d.ts', /^\s+(?:readonly )?(\w+)\??:/gm), ...found('.js', /\.([a-z_]\w*)/gi)];
  return [...new Set(names)].filter((name) => !LANGUAGE.includes(name) && !(name in {}));
}

/** JavaScript itself reads these of the objects that it is given: descriptors, iterators, promises, errors, memories. */
const LANGUAGE = [
  ...['get', 'set', 'value', 'writable', 'enumerable', 'configurable', 'then', 'next', 'done', 'return', 'throw'],
  ...['cause', 'message', 'raw', 'index', 'initial', 'shared', 'maximum', 'maxByteLength', 'toJSON'],
];

/** Each call's result, or the error's message, while Object.prototype has these names. */
function withInherited(names: readonly string[], value: unknown, calls: readonly (() => unknown)[]): unknown[] {
  for (const name of names)
    Object.defineProperty(Object.prototype, name, { value, configurable: true, writable: true, enumerable: false });
  try {
    return calls.map((call) => {
      try {
        return call();
      } catch (error) {
        return (error as Error).message;
      }
    });
  } finally {
    for (const name of names) delete (Object.prototype as Record<string, unknown>)[name];
  }
}

test('whatever names Object.prototype has, they change no public function and no mechanism', () => {
  const names = allNames();
  assert.ok(names.length > 1500 && ['format', 'bucketTable', 'kvHeads', 'relativeKeys'].every((name) => names.includes(name)));
  const mechanisms = list().map(({ id }): PublicCall => ({ name: id, args: () => [], run: (own) => run(own, id) }));
  const all = [...PUBLIC_CALLS, ...mechanisms];
  const calls = all.map(
    ({ args, run: make }) =>
      () =>
        fovea.scope(() => make(fovea, ...(args() as never[]))),
  );
  const wanted = calls.map((call) => call());
  for (const value of [1, [9], { data: [1], shape: [1] }]) {
    const changed = (some: readonly string[], of = calls): number =>
      withInherited(some, value, of).findIndex((got, n) => !isDeepStrictEqual(got, wanted[calls.indexOf(of[n]!)]));
    const first = changed(names);
    if (first < 0) continue;
    const read = names.filter((name) => changed([name], [calls[first]!]) >= 0);
    assert.fail(`${all[first]!.name} reads ${read.join(', ')} of Object.prototype`);
  }
  works();
});

test('options that are undefined count as absent in every public function', () => {
  for (const { name, args, run } of PUBLIC_CALLS) {
    const given = args();
    const last = given.at(-1);
    if (!isOptionObject(last)) continue;
    const want = fovea.scope(() => run(fovea, ...(given as never[])));
    const absent = Object.fromEntries(
      ['zzz', 'trace', 'axis', 'seed', 'mask'].filter((one) => !(one in last)).map((one) => [one, undefined]),
    );
    const more = [...args().slice(0, -1), { ...last, ...absent }];
    assert.deepEqual(
      fovea.scope(() => run(fovea, ...(more as never[]))),
      want,
      name,
    );
  }
});

/** An object literal, and not an array of numbers. */
function isOptionObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype && !('data' in value);
}

test('an out target does not overlap what is empty', () => {
  const data = new Float32Array(16);
  const empty = { data: data.subarray(4, 4), shape: [0, 2] };
  const output = { data: data.subarray(2, 10), shape: [4, 2] };
  const q = { data: new Float32Array(8), shape: [4, 2] };
  assert.equal(leavesNothing(() => fovea.attention(q, empty, empty, { out: { output } })).output, output);
});

test('arrays nested deeper than 64 levels are a shape error, those nested in themselves too', () => {
  let deep: unknown = [1];
  for (let n = 0; n < 20_000; n++) deep = [deep];
  const ring: unknown[] = [];
  ring.push(ring);
  for (const x of [deep, ring]) fails('shape', /q must have at most 64 axes/, () => fovea.attention(x as never, k, v));
  fails('shape', /q\.shape must have at most 64 axes, got 65/, () =>
    fovea.attention({ data: [1], shape: new Array(65).fill(1) }, k, v),
  );
});

/** A list of 2^32 - 1 places that has these entries alone. */
function mostlyHoles(...first: unknown[]): never {
  first.length = 2 ** 32 - 1;
  return first as never;
}

test('lists with holes are refused at the first hole', { timeout: 60_000 }, async () => {
  const all = pattern.all();
  for (const length of [1, 2 ** 32 - 1]) {
    const holes = new Array(length) as never;
    fails('value', /^pattern\.perHead: patterns must have no holes, got one at 0 of \d+$/, () => pattern.perHead(holes));
    fails('value', /^combine: parts must have no holes/, () => fovea.combine(holes));
    fails('value', /^concat: arrays must have no holes/, () => ops.concat(fovea, holes));
    fails('option', /^attention: bias must be what fovea\/score makes/, () => fovea.attention(k, k, v, { bias: holes }));
    fails('value', /got undefined$/, () => fovea.attention(holes, k, v));
  }
  fails('value', /indices\[0\] must be an integer/, () => pattern.globalTokens(new Array(1)));
  const half = { output: k, lse: [1, 2] };
  fails('value', /no holes, got one at 1 of 4294967295$/, () => pattern.perHead(mostlyHoles(all)));
  fails('value', /no holes, got one at 1/, () => fovea.combine(mostlyHoles(half)));
  fails('value', /no holes, got one at 1/, () => ops.concat(fovea, mostlyHoles(k)));
  fails('option', /bias must be/, () => fovea.attention(k, k, v, { bias: mostlyHoles(bias.alibi([1])) }));
  fails('value', /edges must have no holes, got one at 1/, () => pattern.graph({ edges: mostlyHoles([0, 1]) }));
  fails('value', /window must have no holes, got one at 0 of 2/, () =>
    fovea.attention(k, k, v, { window: new Array(2) as never }),
  );
  fails('value', /state\.s\.data|s\.data must have no holes/, () =>
    linearStateFrom(fovea, {
      options: { kvHeads: 1, width: 1 },
      state: { s: { data: mostlyHoles(1), shape: [1] } },
      length: 1,
    } as never),
  );
  const linear = new Linear(fovea, { inFeatures: 1, outFeatures: 1 });
  const weights = { weight: [[1]], bias: [1] };
  fails('option', /rename must hold pairs/, () => linear.loadStateDict(weights, { rename: mostlyHoles(['a', 'b']) }));
  const file = writeSafetensors({ a: [1] });
  await assert.rejects(readSafetensors(file, { names: mostlyHoles('a') }), /names must have no holes, got one at 1/);
});

test('what is nested in itself or too deep is refused before it is followed', () => {
  const ring: Record<string, unknown> = {};
  ring['a'] = ring;
  const list: unknown[] = [];
  list.push(list);
  let deep: unknown = 1;
  for (let n = 0; n < 20_000; n++) deep = [deep];
  fails('value', /^randomParams: shapes must be nested at most 64 levels deep/, () =>
    randomParams(fovea, { W: ring as never }),
  );
  for (const source of [list, deep])
    assert.throws(() => transformer(fovea, { source, target: [0] } as never, {} as never, { heads: 1 }), AttentionError);
  for (const ids of [list, deep]) fails('shape', /ids must have at most 64 axes/, () => ops.embedding(fovea, ids as never, k));
});

test('ids whose buffer was moved away are a value error, not an empty list', () => {
  for (const ids of [new Int32Array(2), new BigInt64Array(2)]) {
    structuredClone(ids.buffer, { transfer: [ids.buffer] });
    const message = /must hold numbers, got an array that was detached/;
    fails('value', message, () => ops.embedding(fovea, ids, k));
    fails('value', message, () => pattern.globalTokens(ids as never));
    fails('value', message, () => ops.gather(fovea, k, ids));
  }
  assert.deepEqual(ops.embedding(fovea, new Int32Array(0), k).shape, [0, 2]);
});

test('a proxy that was revoked is no array, no object, no function and no file', async () => {
  const revoked = (target: object): never => {
    const { proxy, revoke } = Proxy.revocable(target, {});
    revoke();
    return proxy as never;
  };
  const x = revoked([]);
  fails('value', /^attention: q must be/, () => fovea.attention(x, k, v));
  fails('value', /q\.data must be a typed array/, () => fovea.attention({ data: x, shape: [1] }, k, v));
  fails('option', /options must be an object/, () => fovea.attention(k, k, v, revoked({})));
  fails('value', /fovea must be what load\(\) returned/, () => ops.relu(revoked({}), k));
  fails('value', /params must be an object/, () => score.additive(revoked({})));
  fails('value', /W must be/, () => score.bilinear(x));
  fails('value', /f must be a function/, () => pattern.fromFunction(revoked(() => true)));
  fails('value', /fn must be a function/, () => fovea.scope(revoked(() => 1)));
  fails('value', /table must be/, () => ops.embedding(fovea, [0], x));
  assert.equal(
    fovea.scope(() => x),
    x,
  );
  for (const given of [revoked({}), revoked(new Map())])
    fails('value', /must be an object or a Map, got/, () => writeSafetensors(given));
  await assert.rejects(readSafetensors(revoked({})), (error) => error instanceof AttentionError && error.code === 'value');
});

test('long texts are cut before they are compared and shown', { timeout: 20_000 }, () => {
  const long = 'causal'.repeat(200_000);
  const shown = /'causalcausalcausalcausalcausalcausalcaus…'/;
  fails('option', shown, () => fovea.attention(k, k, v, { [long]: true } as never));
  fails('option', shown, () => fovea.attention(k, k, v, { causalAlign: long as never }));
  fails('option', shown, () => run(fovea, long));
  fails('option', shown, () => pattern.from([long]));
  const linear = new Linear(fovea, { inFeatures: 1, outFeatures: 1 });
  const many = Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`layers.${n}.weight`, [[1]]]));
  for (const call of [
    () => linear.loadStateDict({ [long]: [[1]] }),
    () => linear.loadStateDict(many),
    () => randomParams(fovea, { [long]: 'x' as never }),
    () => run(fovea, 'saliency', { [long]: [[1]] }),
  ])
    assert.throws(call, (error) => error instanceof AttentionError && error.message.length <= 4000);
  // Both ends of a longer message stay.
  const error = new AttentionError('value', `first${' '.repeat(1e6)}last`);
  assert.match(error.message, /^first +… +last$/);
  assert.equal(error.message.length, 4000);
});

test('random arrays of more than 1 GiB are a memory error at once', { timeout: 20_000 }, () => {
  const refused = /random arrays have at most 1073741824 bytes \(1 GiB\), got 4000000000 for W$/;
  fails('memory', refused, () => randomParams(fovea, { W: [1e9] }));
  fails('memory', /got 4000000000 for weight$/, () => new Linear(fovea, { inFeatures: 1e5, outFeatures: 1e4, seed: 1 }));
});

test('caches that are a list of holes are a value error', { timeout: 20_000 }, () => {
  const decoder = new CausalDecoder(fovea, { vocabSize: 4, numLayers: 2, dModel: 4, nHead: 2, dimFeedforward: 4, seed: 1 });
  for (const caches of [new Array(2), mostlyHoles()])
    fails('value', /caches/, () => decoder.next([1], { caches: caches as never }));
  decoder.dispose();
});
