import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as ops from 'fovea/ops';
import { AttentionError, load } from 'fovea';
import { MultiHeadAttention } from 'fovea/nn';
import { bias } from 'fovea/score';
import { createFovea } from '../../../bindings/js/fovea/fovea.ts';
import { Instance } from '../../../bindings/js/runtime/instance.ts';
import createCore from '../../../build/wasm/simd128/fovea.web.mjs';
import { readFileSync } from 'node:fs';
import { fails, fovea, numbers, same, works } from '../support/api.ts';

const zeros = (...shape: number[]) => ({
  data: new Float32Array(shape.reduce((product, length) => product * length, 1)),
  shape,
});

test('calls of many shapes leave nothing behind and stop growing the memory', async () => {
  const own = await load({ deterministic: true });
  const calls = (round: number): void => {
    for (let n = 1; n < 40; n++) {
      const x = numbers([n, 1 + ((n * round) % 7)], n);
      own.attention(x, x, x, { returnWeights: true, causal: n % 2 === 0, trace: n % 5 === 0 });
      own.selfAttention(x, { Wq: numbers([x.shape[1]!, 4]), Wk: numbers([x.shape[1]!, 4]), Wv: numbers([x.shape[1]!, 4]) });
      ops.softmax(own, x);
    }
  };
  calls(1);
  const { total } = own.memory();
  for (let round = 1; round < 30; round++) calls(round);
  assert.deepEqual(own.memory(), { live: 0, total });
});

test('a call needs memory of its own while another is under way, and keeps none beyond 16 MB', async () => {
  const own = await load({ deterministic: true });
  const x = numbers([70, 8], 1);
  const alone = own.attention(x, x, x).output.data;
  let inner: Float32Array | null = null;
  const q = {
    shape: [70, 8],
    get data() {
      inner = own.attention(x, x, x).output.data;
      return x.data;
    },
  };
  same(own.attention(q, x, x).output.data, alone);
  same(inner!, alone);
  const long = zeros(3_000_000, 2);
  const first = own.memory().total;
  own.attention(long, [[1, 2]], [[1, 2]]);
  const { live, total } = own.memory();
  assert.equal(live, 0);
  assert.ok(total > first + 2 ** 25);
  // Tensors use that memory now.
  const tensors = [own.tensor(long), own.tensor(long)];
  assert.equal(own.memory().total, total);
  for (const tensor of tensors) tensor.dispose();
});

test('no array of pairs is made for appended keys, nor for a mask of pairs beside one of keys', async () => {
  const own = await load({ deterministic: true });
  const tokens = 6000;
  const x = zeros(tokens, 2);
  const identity = [
    [1, 0],
    [0, 1],
  ];
  const params = { Wq: identity, Wk: identity, Wv: identity };
  const before = own.memory().total;
  own.multiHeadAttention(x, x, x, params, { heads: 1, addZeroAttention: true, causal: true, bias: bias.alibi([1]) });
  assert.ok(own.memory().total - before < tokens ** 2, 'appended keys');

  const module = new MultiHeadAttention(own, { embedDim: 2, numHeads: 1, bias: false, seed: 1 });
  const [batch, length] = [64, 500];
  const attnMask = { data: new Uint8Array(length ** 2), shape: [length, length] };
  const { total } = own.memory();
  module.forward(zeros(batch, length, 2), undefined, undefined, { attnMask, keyPaddingMask: zeros(batch, length) });
  assert.ok(own.memory().total - total < batch * length ** 2, 'two masks');
});

test('a request beyond 4 GB is a memory error that names the bytes, before anything is allocated', () => {
  const x = zeros(40_000, 1);
  const { total } = fovea.memory();
  fails('memory', /^attention: needs 6\d{9} bytes of WebAssembly memory; it has \d+$/, () =>
    fovea.attention(x, x, x, { returnWeights: true }),
  );
  fails('memory', /^matmul: needs 6\d{9} bytes/, () => ops.matmul(fovea, x, { data: x.data, shape: [1, 40_000] }));
  assert.equal(fovea.memory().total, total);
});

test('a refused allocation is a memory error that names the bytes, and the instance works on', () => {
  const program = `
    import { load } from 'fovea';
    const fovea = await load({ deterministic: true });
    const x = fovea.tensor([[1]]);
    const before = fovea.memory().live;
    const q = { data: new Float32Array(64), shape: [64, 1] };
    const k = { data: new Float32Array(5e5), shape: [5e5, 1] };
    for (const call of [() => fovea.tensor({ data: new Float32Array(25e6), shape: [25e6] }), () => fovea.attention(q, k, k, { returnWeights: true }), () => fovea.attention(x, k, k, { returnWeights: true, out: undefined, returnLogits: 'raw', trace: { rows: [0, 1] } })]) {
      try {
        const { output } = call();
        output?.dispose?.();
        console.log('done');
      } catch (error) {
        console.log(error.code, /(\\d+) bytes/.exec(error.message)?.[1]);
      }
    }
    console.log(fovea.memory().live - before >= 0, fovea.attention([[1]], [[1], [1]], [[2], [4]]).output.data[0]);
  `;
  const out = execFileSync(process.execPath, ['--wasm-max-mem-pages=1024', '--input-type=module', '-e', program], {
    encoding: 'utf8',
  });
  const lines = out.trim().split('\n');
  assert.equal(lines[0], 'memory 100000000');
  assert.match(lines[1]!, /^memory 13\d{7}$/);
  assert.equal(lines.at(-1), 'true 3');
});

test('dispose frees all: later calls and Tensors are `disposed`, memory reads 0', async () => {
  const own = await load();
  const x = own.tensor([[1]]);
  const { info } = own;
  own.dispose();
  own.dispose();
  assert.deepEqual(own.memory(), { live: 0, total: 0 });
  assert.equal(own.info, info);
  assert.ok(x.disposed);
  const calls = [
    () => own.attention([[1]], [[1]], [[1]]),
    () => own.selfAttention([[1]], {} as never),
    () => own.multiHeadAttention([[1]], [[1]], [[1]], {} as never, { heads: 1 }),
    () => own.combine([{ output: [[1]], lse: [1] }]),
    () => ops.softmax(own, [1]),
    () => ops.matmul(own, [1], [1]),
    () => ops.linear(own, [1], [[1]]),
    () => own.tensor([1]),
    () => own.scope(() => 1),
    () => x.data,
    () => x.toArray(),
  ];
  for (const call of calls) assert.throws(call, (error) => error instanceof AttentionError && error.code === 'disposed');
  x.dispose();
  works();
});

test('a trap is `internal`, poisons the instance with advice, and leaves other instances alone', async () => {
  const own = await load({ deterministic: true });
  const x = own.tensor([[1]]);
  new Uint8Array(x.data.buffer).fill(0xff);
  const internal = (message: RegExp) => (error: unknown) =>
    error instanceof AttentionError && error.code === 'internal' && message.test(error.message);
  assert.throws(() => own.attention([[1]], [[1]], [[1]]), internal(/trapped.*load\(\)/));
  assert.throws(
    () => ops.softmax(own, [1]),
    internal(/^softmax: the WebAssembly module trapped in an earlier call.*make a new instance with load\(\)/),
  );
  assert.throws(() => x.data, internal(/trapped in an earlier call/));
  x.dispose();
  own.dispose();
  works();
});

test('addresses beyond 2 GB are read as unsigned', async () => {
  const core = await createCore({
    instantiateWasm(imports, receive) {
      void WebAssembly.instantiate(readFileSync('build/wasm/simd128/fovea.wasm'), imports).then(({ instance, module }) =>
        receive(instance, module),
      );
      return {};
    },
  });
  assert.ok(core.allocate(2 ** 31 + 2 ** 20) >>> 0 > 0, 'memory that is never touched');
  const info = { version: '', variant: 'simd128', threads: 1, fallbackReason: null } as const;
  const high = createFovea(new Instance(core, info, { maximumBytes: 2 ** 32, end() {} }));
  const [q, k, v] = [numbers([2, 70, 8], 1), numbers([2, 90, 8], 2), numbers([2, 90, 8], 3)];
  const x = high.tensor(q);
  assert.ok(x.data.byteOffset > 2 ** 31);
  const deterministic = (await load({ deterministic: true })).attention(q, k, v, {
    mask: numbers([70, 90], 4),
    returnWeights: true,
  });
  const got = high.attention(x, k, v, { mask: numbers([70, 90], 4), returnWeights: true });
  same(got.output.toArray().data, deterministic.output.data);
  same(got.weights!.toArray().data, deterministic.weights!.data);
});

test('what is forgotten is freed some time after it is collected', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  (() => fovea.tensor([1, 2, 3]))();
  assert.equal(fovea.memory().live, 16);
  for (let i = 0; i < 200 && fovea.memory().live > 0; i++) {
    collect();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  assert.equal(fovea.memory().live, 0);
});
