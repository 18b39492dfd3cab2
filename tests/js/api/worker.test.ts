/** fovea/worker, with a real worker: the results of the plain API to the last bit, its errors, and Tensors as handles. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { AttentionError as PlainError, type ArrayInput, type Tensor } from 'fovea';
import { pattern } from 'fovea/pattern';
import { bias } from 'fovea/score';
import { AttentionError, connect, RemoteTensor, type Progress } from 'fovea/worker';
import { fovea, numbers, same } from '../support/api.ts';
import { leavesNothingRemotely, rejects, remote, worksRemotely } from '../support/remote.ts';
import { build, forAll, problemsOfAllOptions, type Recipe } from '../support/truth_problems.ts';
import { TestRandom } from '../support/truth_random.ts';
import { assertSameBits } from '../support/truth_bounds.ts';
import type { DenseOptions } from '../support/dense_options.ts';

const zeros = (...shape: number[]) => ({ data: new Float32Array(shape.reduce((a, b) => a * b, 1)), shape });

test('info is that of the instance in the worker', () => {
  assert.deepEqual(remote.info, { ...fovea.info });
  assert.ok(Object.isFrozen(remote.info));
});

test('it has every function of the plain instance', () => {
  assert.deepEqual(
    Object.keys(remote)
      .filter((name) => name !== 'terminate' && name !== 'functions')
      .sort(),
    Object.keys(fovea).sort(),
  );
});

test('attention has the bits of the plain call, all options together, in slices', async () => {
  const recipes: Recipe[] = [];
  forAll(
    problemsOfAllOptions.filter(({ Tk, D, Dv }) => Tk * (D + Dv) < 1e4),
    40,
    (recipe) => void recipes.push(recipe),
  );
  for (const recipe of recipes) {
    const Tq = new TestRandom(recipe.seed + 6).integer(1, 300);
    const { q, k, v, mask, options } = build({ ...recipe, Tq }).problem;
    const all: DenseOptions = { returnWeights: true, returnLse: true, returnLogits: 'biased' };
    const want = fovea.attention(q, k, v, { ...options, mask, ...all });
    const got = await leavesNothingRemotely(() => remote.attention(q, k, v, { ...options, mask, ...all } as never));
    assert.deepEqual(Object.keys(got), Object.keys(want));
    for (const name of ['output', 'weights', 'lse', 'logits'] as const) {
      assert.deepEqual(got[name]!.shape, want[name]!.shape);
      assertSameBits(got[name]!.data, want[name]!.data, `${name} of ${JSON.stringify(recipe)}`);
    }
  }
});

test('every function has the bits of the plain one', async () => {
  const x = numbers([2, 150, 8], 1);
  const weight = (seed: number) => numbers([8, 8], seed);
  const params = { Wq: weight(2), Wk: weight(3), Wv: weight(4), Wo: weight(5) };
  const options = { heads: 2, causal: true, returnWeights: true } as const;
  const pairs = [
    [remote.attention(x, x, x), fovea.attention(x, x, x)],
    [remote.scaledDotProductAttention(x, x, x), fovea.scaledDotProductAttention(x, x, x)],
    [remote.selfAttention(x, params, options), fovea.selfAttention(x, params, options)],
    [remote.multiHeadAttention(x, x, x, params, options), fovea.multiHeadAttention(x, x, x, params, options)],
  ] as const;
  for (const [got, want] of pairs) {
    same((await got).output.data, want.output.data);
    if (want.weights !== undefined) same((await got).weights!.data, want.weights.data);
  }
});

test('combine joins parts, plain or in the worker, to the bits of the plain one', async () => {
  const [q, k, v] = [numbers([6, 4], 1), numbers([10, 4], 2), numbers([10, 3], 3)];
  const half = (x: { data: Float32Array; shape: number[] }, n: number) => ({
    data: x.data.slice((n * x.data.length) / 2, ((n + 1) * x.data.length) / 2),
    shape: [5, x.shape[1]!],
  });
  const asked = { returnLse: true, returnWeights: true } as const;
  const parts = [0, 1].map((n) => fovea.attention(q, half(k, n), half(v, n), asked));
  const want = fovea.combine(parts, { sinks: 0.5 });
  const got = await remote.combine(parts, { sinks: 0.5 });
  same(got.output.data, want.output.data);
  same(got.lse.data, want.lse.data);
  await leavesNothingRemotely(() =>
    remote.scope(async (scoped) => {
      const tensor = await scoped.tensor(q);
      const far = await Promise.all([0, 1].map((n) => scoped.attention(tensor, half(k, n), half(v, n), asked)));
      const joined = await scoped.combine(far, { sinks: 0.5 });
      assert.ok(joined.output instanceof RemoteTensor);
      same((await joined.output.toArray()).data, want.output.data);
      far[1]!.lse!.dispose();
      await rejects(
        'disposed',
        /^combine: parts\[1\]\.lse is a RemoteTensor of shape \[6\] that has been/,
        scoped.combine(far),
      );
    }),
  );
  await rejects('value', /^combine: parts\[0\] must be \{ output, lse \}/, remote.combine([{ output: q }]));
  await rejects('value', /^combine: parts must be an array of at least one/, remote.combine([]));
  const overlap = /^combine: out\.output must not overlap parts\[1\]\.output in memory$/;
  await rejects('value', overlap, remote.combine(parts, { out: { output: parts[1]!.output } }));
});

test('names that Object.prototype has while a call is made are none of its arguments', async () => {
  const names = [
    'data',
    'shape',
    'dims',
    'dtype',
    'out',
    'output',
    'lse',
    'q',
    'X',
    'heads',
    'layout',
    'causalAlign',
    'keyLengths',
  ];
  const own = [...names, 'signal', 'onProgress', 'transfer', 'causal', 'mask', 'pattern', 'score', 'bias', 'returnWeights'];
  const x = { data: Float32Array.of(1, 2, 3, 4), shape: [2, 2] };
  const f = (i: number, j: number): number => i - j;
  const part = { output: [[1]], lse: [2] };
  const params = { Wq: [[1]], Wk: [[1]], Wv: [[1]] };
  const ask = (): Promise<unknown>[] => [
    remote.attention(x, x, x),
    remote.attention(x, x, x, { bias: bias.fromFunction(f), pattern: pattern.fromFunction((i, j) => i >= j) }),
    remote.selfAttention([[1]], params),
    remote.combine([part]),
    remote.scope(async (scoped) => (await scoped.tensor(x)).shape),
  ];
  const want = await Promise.all(ask());
  for (const value of [1, [9], () => 1]) {
    for (const name of own) Object.defineProperty(Object.prototype, name, { value, configurable: true, writable: true });
    let asked: Promise<unknown>[];
    try {
      asked = ask();
    } finally {
      for (const name of own) delete (Object.prototype as Record<string, unknown>)[name];
    }
    assert.deepEqual(await Promise.all(asked), want);
  }
});

test('every kind of array is read as by the plain instance', async () => {
  const half = new Uint16Array([0x3c00, 0x4000, 0x3800, 0xc200]); // 1, 2, 0.5, -3
  const numbers = Float32Array.of(1, 2, 0.5, -3);
  const ofClass = new (class {
    get data(): Float32Array {
      return numbers;
    }
    get dims(): number[] {
      return [2, 2];
    }
  })();
  const kinds: [name: string, x: Exclude<ArrayInput, Tensor>][] = [
    ['a list of typed arrays', [numbers.subarray(0, 2), Float64Array.of(0.5, -3)]],
    ['lists of typed arrays', [[Int8Array.of(1, 2)], [Uint8Array.of(3, 4)]]],
    ['a tensor of onnxruntime', { data: numbers, dims: [2, 2], type: 'float32' }],
    ['one of its classes', ofClass],
    ['its float16', { data: half, dims: [2, 2], type: 'float16' }],
    ['float16', { data: half, shape: [2, 2], dtype: 'float16' }],
    ['bfloat16', { data: half, shape: [2, 2], dtype: 'BF16' }],
    ['integers', { data: half, shape: [2, 2], dtype: 'uint16' }],
  ];
  for (const [name, x] of kinds) {
    const want = fovea.attention(x, x, x).output;
    assert.deepEqual((await remote.attention(x, x, x)).output, want, name);
    const kept = await remote.tensor(x);
    assert.deepEqual(
      await kept.toArray(),
      fovea.scope(() => fovea.tensor(x).toArray()),
      name,
    );
    kept.dispose();
  }
});

test('a trace comes over, and one input stays one input', async () => {
  const x = numbers([5, 4]);
  const params = { Wq: numbers([4, 4], 2), Wk: numbers([4, 4], 3), Wv: numbers([4, 4], 4) };
  const got = (await remote.multiHeadAttention(x, x, x, params, { heads: 2, trace: true })).trace!;
  const want = fovea.multiHeadAttention(x, x, x, params, { heads: 2, trace: true }).trace!;
  assert.deepEqual(
    got.map(({ name, formula, shape }) => [name, formula, shape]),
    want.map(({ name, formula, shape }) => [name, formula, shape]),
  );
  got.forEach((stage, i) => same(stage.data, want[i]!.data));
  // A stage without numbers, twice: each array is of its own.
  const empty = await remote.attention(zeros(0, 4), zeros(0, 4), zeros(0, 4), { trace: true });
  assert.deepEqual([...empty.output.data], []);
});

test('RemoteTensors chain without copies, and plain arrays may stand beside them', async () => {
  const x = numbers([130, 6]);
  const plain = fovea.attention(fovea.attention(x, x, x).output, x, x, { mask: numbers([130, 130], 3) }).output.data;
  await leavesNothingRemotely(async () => {
    const tensor = await remote.tensor(x);
    const mask = await remote.tensor(numbers([130, 130], 3));
    assert.ok(tensor instanceof RemoteTensor);
    assert.deepEqual(tensor.shape, [130, 6]);
    const first = (await remote.attention(tensor, x, tensor)).output;
    const second = (await remote.attention(first, tensor, tensor, { mask })).output;
    assert.deepEqual(second.shape, [130, 6]);
    same((await second.toArray()).data, plain);
    for (const one of [tensor, mask, first, second]) one.dispose();
  });
});

test('the methods of a RemoteTensor are those of a Tensor', async () => {
  await leavesNothingRemotely(async () => {
    const x = await remote.tensor([
      [1, 2],
      [3, 4],
      [5, 6],
    ]);
    const [row, flat, copy] = await Promise.all([x.slice(0, 1, 2), x.reshape([6]), x.clone()]);
    assert.deepEqual([row.shape, flat.shape, copy.shape], [[1, 2], [6], [3, 2]]);
    await row.set([7, 8]);
    await x.slice(-1, 0, 1).then((column) => column.set({ data: [9, 9, 9], shape: [3, 1] }));
    assert.deepEqual([...(await flat.toArray()).data], [9, 2, 9, 8, 9, 6]);
    assert.deepEqual([...(await copy.toArray()).data], [1, 2, 3, 4, 5, 6]);
    await copy.set(x);
    assert.deepEqual(await copy.toArray(), { data: Float32Array.of(9, 2, 9, 8, 9, 6), shape: [3, 2] });
    row.dispose();
    assert.ok(row.disposed && !x.disposed, 'the dispose of a view frees nothing');
    x.dispose();
    x.dispose();
    assert.ok(flat.disposed, 'a view goes with its owner');
    await rejects('disposed', /^tensor\.toArray: the tensor of shape \[6\] has been disposed$/, flat.toArray());
    await rejects(
      'disposed',
      /^attention: k is a RemoteTensor of shape \[3, 2\] that has been disposed$/,
      remote.attention(copy, x, copy),
    );
    copy[Symbol.dispose]?.();
    if (!copy.disposed) copy.dispose();
  });
  const x = await remote.tensor([
    [1, 2],
    [3, 4],
  ]);
  await rejects('shape', /^tensor\.reshape: the shapes must have one size/, x.reshape([3]));
  await rejects('value', /^tensor\.slice: axis must be an integer from -2 to 1, got 2/, x.slice(2, 0));
  await rejects('shape', /^tensor\.set: values must be as many as the tensor has, 4/, x.set([1]));
  x.dispose();
});

test('a Tensor that a call before its dispose uses is there for it', async () => {
  await leavesNothingRemotely(async () => {
    const x = await remote.tensor(numbers([200, 4]));
    const [long, short] = [remote.attention(x, x, x), x.toArray()];
    x.dispose();
    const { output } = await long;
    same((await output.toArray()).data, fovea.attention(await short, await short, await short).output.data);
    output.dispose();
  });
});

test('a RemoteTensor of another connection is a value error', async () => {
  const other = await connect();
  const x = await other.tensor([[1]]);
  await rejects(
    'value',
    /^attention: v must be a RemoteTensor of this connection, got one that another connect\(\) made$/,
    remote.attention([[1]], [[1]], x),
  );
  await rejects(
    'value',
    /^attention: mask must be a RemoteTensor of this connection/,
    remote.attention([[1]], [[1]], [[1]], { mask: x }),
  );
  await worksRemotely();
  await other.dispose();
  assert.ok(x.disposed);
});

test('errors are those of the plain API, with the code, the message, and a stack that leads to the call', async () => {
  const wrong: [unknown[], string][] = [
    [[[[1, 2, 3]], [[1, 2]], [[1, 2]]], 'shape'],
    [[[[1]], [[1]], [[1]], { casual: true }], 'option'],
    [[[[1]], [[1]], [[1]], 'fast'], 'option'],
    [[[['x']], [[1]], [[1]]], 'value'],
    [[new Float32Array(1), [[1]], [[1]]], 'shape'],
    [[{ data: new BigInt64Array(1), shape: [1, 1] }, [[1]], [[1]]], 'value'],
    [[3, [[1]], [[1]]], 'value'],
    [[[[1]], [[1]], [[1]], { mask: [[0]] }], 'value'],
    [[[[1]], [[1]], [[1]], { bias: [bias.alibi([1, 2])] }], 'shape'],
    [[zeros(40_000, 1), zeros(40_000, 1), zeros(40_000, 1), { returnWeights: true }], 'memory'],
  ];
  for (const [args, code] of wrong) {
    let plain: unknown;
    try {
      fovea.attention(...(args as [never, never, never]));
    } catch (error) {
      plain = error;
    }
    assert.ok(plain instanceof PlainError);
    assert.equal(plain.code, code);
    await assert.rejects(remote.attention(...(args as [never, never, never])), (error) => {
      assert.ok(error instanceof AttentionError && error instanceof PlainError, String(error));
      assert.deepEqual(
        [error.code, error.message.replace(/\d{9,}/g, '#')],
        [code, (plain as PlainError).message.replace(/\d{9,}/g, '#')],
      );
      assert.match(error.stack ?? '', /^AttentionError: attention: [^]*worker\.test/);
      return true;
    });
  }
  await worksRemotely();
});

test('what cannot be sent is named', async () => {
  const call = (q: unknown, options?: unknown) => remote.attention(q as never, [[1]], [[1]], options as never);
  await rejects(
    'value',
    /^attention: q cannot be sent to a worker: it is a function$/,
    call(() => 1),
  );
  await rejects('value', /^attention: q\[0\]\[1\], a function, cannot be sent to a worker$/, call([[1, () => 2]]));
  await rejects('value', /^attention: scale cannot be sent to a worker: it is a symbol$/, call([[1]], { scale: Symbol('x') }));
  await rejects('value', /^attention: window\[1\], a symbol, cannot/, call([[1]], { window: [0, Symbol('x')] }));
  await rejects(
    'value',
    /^selfAttention: Wq\.data\[0\], a WeakMap, cannot/,
    remote.selfAttention([[1]], { Wq: { data: [new WeakMap()], shape: [1] } } as never),
  );
  await worksRemotely();
});

test('the options of a call are checked', async () => {
  const call = (options: unknown) => remote.attention([[1]], [[1]], [[1]], options as never);
  await rejects('value', /^attention: signal must be an AbortSignal, got 3$/, call({ signal: 3 }));
  await rejects('value', /^attention: onProgress must be a function, got true$/, call({ onProgress: true }));
  await rejects('value', /^attention: transfer must be true or false, got 1$/, call({ transfer: 1 }));
  await rejects('option', /^tensor: options must be an object, got 7$/, remote.tensor([[1]], 7 as never));
  assert.ok((await call({ signal: undefined, onProgress: undefined, transfer: undefined, causal: undefined })).output);
});

test('inputs are copied: what is written to them afterwards does not matter', async () => {
  const shared = new Float32Array(new SharedArrayBuffer(4 * 12));
  const list = [[1, 2, 3]];
  const buffer = Buffer.from([1, 2, 3]);
  const given = [zeros(4, 3), { data: shared, shape: [4, 3] }, { data: buffer, shape: [1, 3] }, list] as const;
  given[0].data.fill(1);
  shared.fill(1);
  const calls = given.map((x) => remote.attention(x, x, x));
  given[0].data.fill(9);
  shared.fill(9);
  list[0]![0] = 9;
  buffer.fill(9);
  const [first, second, third, fourth] = await Promise.all(calls);
  assert.deepEqual([...first!.output.data], new Array(12).fill(1));
  assert.deepEqual([...second!.output.data], new Array(12).fill(1));
  assert.deepEqual([...third!.output.data], [1, 2, 3]);
  assert.deepEqual([...fourth!.output.data], [1, 2, 3]);
});

test('transfer moves the buffers of typed arrays, and copies shared ones', async () => {
  const [q, k] = [numbers([3, 4]), numbers([5, 4])];
  const shared = { data: new Float32Array(new SharedArrayBuffer(80)), shape: [5, 4] };
  const want = fovea.attention(q, k, shared).output.data;
  const { output } = await remote.attention(q, k, shared, { transfer: true });
  same(output.data, want);
  assert.deepEqual([q.data.length, k.data.length, shared.data.length], [0, 0, 20]);
  const [a, b, x] = [numbers([2, 2]), numbers([2, 2]), numbers([4])];
  await remote.attention(a, b, b, { transfer: true });
  const tensor = await remote.tensor(x, { transfer: true });
  const values = numbers([4]).data;
  await tensor.set(values, { transfer: true });
  assert.deepEqual([a.data.length, b.data.length, x.data.length, values.length], [0, 0, 0, 0]);
  tensor.dispose();
  const once = numbers([3, 4]);
  assert.equal((await remote.attention(once, once, once, { transfer: true })).output.data.length, 12);
  await rejects('shape', /^attention: q's data must fill its shape, got 0 numbers for \[3, 4\]$/, remote.attention(once, k, k));
  // wasm memory cannot be moved: engines refuse it, or copy.
  const held = fovea.tensor([[1]]);
  const moved = remote.attention(held, [[1]], [[1]], { transfer: true } as never);
  await moved.catch(() => rejects('value', /^attention: the arguments cannot be sent to a worker/, moved));
  assert.equal(held.data[0], 1);
  held.dispose();
});

test('a small view of a large buffer is sent alone', async () => {
  const large = new Float32Array(2 ** 20);
  large.set([1, 2], 1000);
  const { output } = await remote.attention({ data: large.subarray(1000, 1002), shape: [1, 2] }, [[1, 2]], [[3, 4]]);
  assert.deepEqual([output.data.buffer.byteLength, ...output.data], [8, 3, 4]);
});

test('out writes into the arrays and RemoteTensors given', async () => {
  const x = numbers([6, 4]);
  const want = fovea.attention(x, x, x, { returnWeights: true, returnLse: true });
  await leavesNothingRemotely(async () => {
    const [output, weights] = [zeros(6, 4), await remote.tensor(zeros(6, 6))];
    const result = await remote.attention(x, x, x, { out: { output, weights }, returnLse: true });
    assert.ok(result.output === output && (result.weights as unknown) === weights);
    same(output.data, want.output.data);
    same((await weights.toArray()).data, want.weights!.data);
    same(result.lse!.data, want.lse!.data);
    weights.dispose();
  });
  const call = (out: unknown, transfer = false) => remote.attention(x, x, x, { out, transfer } as never);
  await rejects('shape', /^attention: out\.output must have the shape \[6, 4\], got \[6, 3\]$/, call({ output: zeros(6, 3) }));
  await rejects(
    'value',
    /^attention: out\.output must be \{ data: Float32Array, shape \}/,
    call({ output: { data: [1], shape: [1] } }),
  );
  await rejects('option', /unknown out target 'weight'; did you mean 'weights'/, call({ weight: zeros(6, 6) }));
  await rejects('value', /^attention: out\.output must not overlap q in memory$/, call({ output: x }));
  const whole = new Float32Array(60);
  const at = (from: number, ...shape: number[]) => ({ data: whole.subarray(from, from + shape[0]! * shape[1]!), shape });
  await rejects(
    'value',
    /^attention: out\.weights must not overlap out\.output in memory$/,
    call({ output: at(0, 6, 4), weights: at(20, 6, 6) }),
  );
  const q = { data: whole.subarray(0, 24), shape: [6, 4] };
  await rejects(
    'value',
    /^attention: out\.output must not lie in a buffer that transfer: true moves away$/,
    remote.attention(q, x, x, { out: { output: at(24, 6, 4) }, transfer: true }),
  );
  await worksRemotely();
});

test('progress only rises and ends at its total', async () => {
  const told: Progress[] = [];
  const onProgress = (progress: Progress): void => void told.push(progress);
  const x = numbers([2, 500, 4]);
  await remote.attention(x, x, x, { onProgress, returnLogits: 'raw' });
  assert.ok(told.length > 4, `told ${told.length} times`);
  told.forEach(({ done, total }, i) => assert.ok(total === told[0]!.total && done > (told[i - 1]?.done ?? 0)));
  assert.equal(told.at(-1)!.done, told[0]!.total);
  for (const call of [
    () => remote.attention([[1]], [[1]], [[1]], { onProgress }),
    async () => (await remote.tensor([1], { onProgress })).dispose(),
    () => remote.attention(zeros(0, 1), [[1]], [[1]], { onProgress }),
  ]) {
    told.length = 0;
    await call();
    assert.deepEqual([told.length, told[0]!.done === told[0]!.total], [1, true]);
  }
});

test('what onProgress throws ends the call', async () => {
  const x = numbers([1000, 4]);
  const mine = new RangeError('mine');
  const onProgress = (): never => {
    throw mine;
  };
  await leavesNothingRemotely(() => assert.rejects(remote.attention(x, x, x, { onProgress }), (error) => error === mine));
});

test('scope frees what was made through it but what it returns', async () => {
  await leavesNothingRemotely(async () => {
    const outer = await remote.tensor([[1, 2]]);
    const kept = await remote.scope(async (scoped) => {
      const x = await scoped.tensor([
        [1, 2],
        [3, 4],
      ]);
      void scoped.tensor([[5]]); // nobody waits for it
      const { output } = await scoped.attention(x, x, x, { returnWeights: true });
      const inner = await scoped.scope(async (deeper) => [await deeper.tensor([1]), await deeper.tensor([2])]);
      assert.deepEqual([...(await inner[1]!.toArray()).data], [2]);
      return { list: [output], row: new Map([['row', await x.slice(0, 1)]]) };
    });
    assert.equal((await remote.memory()).live, 3 * 16);
    assert.deepEqual([...(await kept.row.get('row')!.toArray()).data], [3, 4]);
    assert.ok(!outer.disposed);
    kept.list[0]!.dispose();
    kept.row.get('row')!.dispose();
    outer.dispose();
  });
});

test('scope frees all when its function throws, and takes no calls afterwards', async () => {
  let escaped = remote;
  await leavesNothingRemotely(() =>
    assert.rejects(
      remote.scope(async (scoped) => {
        escaped = scoped;
        await scoped.tensor([1]);
        throw new RangeError('mine');
      }),
      /mine/,
    ),
  );
  await rejects('disposed', /^scope: this scope has ended/, escaped.tensor([1]));
  await rejects('value', /^scope: fn must be a function, got 3$/, remote.scope(3 as never));
  assert.equal(await remote.scope(() => 7), 7);
  await worksRemotely();
});

test('what is forgotten is freed some time after it is collected, a view keeping its memory', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const { live } = await remote.memory();
  const view = await (async () => (await remote.tensor([1, 2, 3])).slice(0, 1))();
  await (async () => void (await remote.tensor([1, 2, 3, 4, 5, 6])))();
  const settles = async (bytes: number): Promise<void> => {
    for (let i = 0; i < 200 && (await remote.memory()).live !== bytes; i++) {
      collect();
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    assert.equal((await remote.memory()).live, bytes);
  };
  await settles(live + 16);
  assert.deepEqual([...(await view.toArray()).data], [2, 3]);
  view.dispose();
  await settles(live);
});
