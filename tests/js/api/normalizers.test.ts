/** `normalizer` and `temperature`: what they give, what goes with them, and what is refused. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toNested, type SparseWeights, type TraceStage } from 'fovea';
import { pattern as P } from 'fovea/pattern';
import { normalizer as N } from 'fovea/score';
import { fails, fovea, leavesNothing, near, numbers, same } from '../support/api.ts';
import type { DenseOptions } from '../support/dense_options.ts';
import { NORMALIZERS, weightsOf } from '../support/normalizers.ts';
import { remote } from '../support/remote.ts';

const [B, H, Tq, Tk] = [2, 4, 5, 7];
const q = numbers([B, H, Tq, 4], 1);
const k = numbers([B, 2, Tk, 4], 2);
const v = numbers([B, 2, Tk, 3], 3);
const bad = (options: object) => () => fovea.attention(q, k, v, options);

/** Weights of one row of logits, in key order. */
function weightsFor(logits: number[], options: DenseOptions): number[] {
  const zeros = { data: new Float32Array(logits.length), shape: [logits.length, 1] };
  const mask = { data: Float32Array.from(logits), shape: [1, logits.length] };
  const result = fovea.attention([[0]], zeros, zeros, { mask, returnWeights: true, ...options });
  return [...result.weights!.data];
}

test('weights and outputs are those of the definition', () => {
  const logits = fovea.attention(q, k, v, { scale: 3, causal: true, causalOffset: 2, returnLogits: 'biased' }).logits!;
  for (const normalizer of NORMALIZERS)
    for (const temperature of [1, 0.5, 3]) {
      const options = { scale: 3, causal: true, causalOffset: 2, normalizer, temperature, returnWeights: true } as const;
      const { weights, output } = leavesNothing(() => fovea.attention(q, k, v, options));
      const wanted = [];
      for (let row = 0; row < B * H * Tq; row++) {
        const s = [...logits.data.subarray(row * Tk, (row + 1) * Tk)].map((x) => Math.fround(x / temperature));
        wanted.push(...weightsOf(normalizer, s, { position: (row % Tq) + 2, head: Math.floor(row / Tq) }));
      }
      near(weights, wanted, 2e-6);
      const sums = wanted
        .map(() => 0)
        .slice(0, output.data.length)
        .fill(0);
      for (let at = 0; at < output.data.length; at++) {
        const [c, row] = [at % 3, Math.floor(at / 3)];
        const [h, b] = [Math.floor(row / Tq) % H, Math.floor(row / Tq / H)];
        let sum = 0;
        for (let j = 0; j < Tk; j++) sum += wanted[row * Tk + j]! * v.data[((b * 2 + Math.floor(h / 2)) * Tk + j) * 3 + c]!;
        sums[at] = sum;
      }
      near(output, sums, 1e-5);
    }
});

test('a name stands for the defaults of its builder', () => {
  for (const kind of ['softmax', 'relu', 'sigmoid', 'argmax', 'sampled', 'sparsemax', 'entmax15'] as const) {
    const output = fovea.attention(q, k, v, { normalizer: kind }).output.data;
    same(output, fovea.attention(q, k, v, { normalizer: N[kind]() }).output.data);
  }
  const plain = fovea.attention(q, k, v).output.data;
  same(fovea.attention(q, k, v, { normalizer: 'softmax', temperature: 1 }).output.data, plain);
  same(fovea.attention(q, k, v, { normalizer: undefined, temperature: undefined }).output.data, plain);
  const relu = fovea.attention(q, k, v, { normalizer: 'relu' }).output.data;
  same(fovea.attention(q, k, v, { normalizer: N.relu({ scaled: undefined }) }).output.data, relu);
});

test('ties, empty rows and NaN', () => {
  assert.deepEqual(weightsFor([0, 2, 2, -0], { normalizer: 'argmax' }), [0, 1, 0, 0]);
  assert.deepEqual(weightsFor([-0, 0], { normalizer: 'argmax' }), [1, 0]);
  assert.deepEqual(weightsFor([2, 1, 2, 2], { normalizer: N.topK(2) }), [0.5, 0, 0.5, 0]);
  assert.deepEqual(weightsFor([6, -8, -Infinity, 0], { normalizer: 'relu' }), [2, 0, 0, 0]);
  assert.deepEqual(weightsFor([4, -8, -Infinity], { normalizer: N.relu({ scaled: false }) }), [4, 0, 0]);
  assert.deepEqual(weightsFor([0.5, 0, -9], { normalizer: 'sparsemax' }), [0.75, 0.25, 0]);
  for (const normalizer of NORMALIZERS) {
    assert.deepEqual(weightsFor([-Infinity, -Infinity], { normalizer }), [0, 0], normalizer.kind);
    assert.deepEqual(weightsFor([NaN, 1], { normalizer }), [NaN, NaN], normalizer.kind);
    assert.deepEqual(weightsFor([1, Infinity], { normalizer }), [NaN, NaN], normalizer.kind);
  }
});

test('what makes no sense is refused, and the message says what was got', () => {
  const known = "'softmax' or 'relu' or 'sigmoid' or 'argmax' or 'sampled' or 'topK' or 'sparsemax' or 'entmax15'";
  fails(
    'option',
    /^attention: normalizer must be 'softmax' or .*, got 'sparsmax'; did you mean 'sparsemax'\?$/,
    bad({ normalizer: 'sparsmax' }),
  );
  fails('option', new RegExp(`^attention: normalizer must be ${known}, got 'x'$`), bad({ normalizer: 'x' }));
  fails('option', /normalizer must be 'softmax'.*, got 3$/, bad({ normalizer: 3 }));
  fails('option', /normalizer must be/, bad({ normalizer: null }));
  for (const plain of [{}, { kind: 'topK', k: 2 }, { ...N.topK(2) }])
    fails(
      'option',
      /normalizer must be a name or what fovea\/score makes by normalizer.NAME\(\), got/,
      bad({ normalizer: plain }),
    );
  fails('option', /normalizer 'topK' must have its k: pass normalizer.topK\(k\)/, bad({ normalizer: 'topK' }));
  const make = (name: keyof typeof N, given?: unknown) => () => (N[name] as (given?: unknown) => object)(given);
  fails('option', /^normalizer.relu: unknown option 'scale'; did you mean 'scaled'\?/, make('relu', { scale: false }));
  fails('option', /^normalizer.sigmoid: options must be an object, got 1/, make('sigmoid', 1));
  for (const k of [undefined, 0, -1, 1.5, NaN, '2'])
    fails('value', /^normalizer.topK: k must be an integer of at least 1/, make('topK', k));
  for (const seed of [-1, 0.5, 2 ** 53, '1'])
    fails('value', /^normalizer.sampled: seed must be an integer from 0 to 9007199254740991/, make('sampled', { seed }));
  fails('value', /^normalizer.sigmoid: bias must be a finite number/, make('sigmoid', { bias: Infinity }));
  fails('value', /^normalizer.relu: scaled must be true or false/, make('relu', { scaled: 1 }));
  assert.throws(() => Object.assign(N.topK(2), { k: 3 }), TypeError);
  for (const temperature of [0, -1, 1e-60]) fails('value', /temperature must be above 0 \(in float32\)/, bad({ temperature }));
  for (const temperature of [NaN, Infinity, 1e60, '1'])
    fails('value', /temperature must be a finite number/, bad({ temperature }));
});

test('lse and sinks are those of softmax alone', () => {
  const lse = { data: new Float32Array(B * H * Tq), shape: [B, H, Tq] };
  for (const normalizer of NORMALIZERS) {
    if (normalizer.kind === 'softmax') continue;
    const must = new RegExp(`must go with normalizer 'softmax', got '${normalizer.kind}'$`);
    fails('option', must, bad({ normalizer, returnLse: true }));
    fails('option', must, bad({ normalizer, out: { lse } }));
    fails('option', must, bad({ normalizer, sinks: 1 }));
    bad({ normalizer, returnLse: false })();
  }
});

test('lse is that of the logits after the temperature', () => {
  const scaled = fovea.attention(q, k, v, { scale: 0.5, returnLse: true });
  const cooled = fovea.attention(q, k, v, { scale: 1, temperature: 2, returnLse: true });
  same(cooled.lse!.data, scaled.lse!.data);
  same(cooled.output.data, scaled.output.data);
  const logits = fovea.attention(q, k, v, { scale: 1, temperature: 2, returnLogits: 'biased' }).logits!;
  same(logits.data, fovea.attention(q, k, v, { scale: 1, returnLogits: 'biased' }).logits!.data);
});

test('a trace names the normalizer, and any part of it is that part of the whole', () => {
  const stage = (trace: TraceStage[] | undefined): TraceStage => trace!.find(({ name }) => name === 'weights')!;
  const formula = (options: DenseOptions): string => stage(fovea.attention(q, k, v, { ...options, trace: true }).trace).formula;
  const formulas: [DenseOptions, string][] = [
    [{}, 'A = \\operatorname{softmax}(Z)'],
    [{ temperature: 2 }, 'A = \\operatorname{softmax}(Z / 2)'],
    [{ temperature: 2, sinks: 1 }, "A_{ij} = \\frac{e^{Z_{ij} / 2}}{e^{s_h} + \\sum_{j'} e^{Z_{ij'} / 2}}"],
    [{ normalizer: 'relu', causal: true }, 'A_{ij} = \\frac{1}{n_i} \\operatorname{relu}(L_{ij})'],
    [{ normalizer: N.relu({ scaled: false }) }, 'A = \\operatorname{relu}(Z)'],
    [{ normalizer: N.sigmoid({ bias: -1 }) }, 'A = \\operatorname{sigmoid}(Z - 1)'],
    [{ normalizer: 'argmax' }, "A_{ij} = \\left[ j = \\operatorname{argmax}_{j'} Z_{ij'} \\right]"],
    [{ normalizer: 'sampled' }, "A_{ij} = \\left[ j = \\operatorname{argmax}_{j'} \\left( Z_{ij'} + G_{ij'} \\right) \\right]"],
    [{ normalizer: N.topK(3) }, 'A = \\operatorname{softmax}(\\operatorname{top}_{3}(Z))'],
    [{ normalizer: 'sparsemax' }, 'A = \\operatorname{sparsemax}(Z)'],
    [{ normalizer: 'entmax15', temperature: 0.5 }, 'A = \\operatorname{entmax}_{1.5}(Z / 0.5)'],
  ];
  for (const [options, text] of formulas) assert.equal(formula(options), text);

  const pattern = P.window(2, 1).or(P.random({ perQuery: 2 }));
  for (const normalizer of NORMALIZERS)
    for (const given of [{}, { pattern }]) {
      const options = { ...given, normalizer, causalOffset: [1, 0], returnWeights: 'dense' } as const;
      const whole = leavesNothing(() => fovea.attention(q, k, v, { ...options, trace: true }));
      same(stage(whole.trace).data, whole.weights!.data);
      const part = fovea.attention(q, k, v, { ...options, trace: { batch: 1, head: 2, rows: [1, 4] } });
      const from = ((1 * H + 2) * Tq + 1) * Tk;
      same(stage(part.trace).data, whole.weights!.data.slice(from, from + 3 * Tk));
    }
});

test('projected attention takes both options', () => {
  const x = numbers([6, 4], 5);
  const eye = { data: Float32Array.from({ length: 16 }, (_, at) => Number(at % 5 === 0)), shape: [4, 4] };
  const params = { Wq: eye, Wk: eye, Wv: eye };
  for (const normalizer of NORMALIZERS) {
    const options = { normalizer, temperature: 0.5, returnWeights: true } as const;
    const want = fovea.attention(x, x, x, options);
    const self = fovea.selfAttention(x, params, options);
    same(self.output.data, want.output.data);
    same(self.weights!.data, want.weights!.data);
    const many = fovea.multiHeadAttention(x, x, x, params, { ...options, heads: 1 });
    same(many.output.data, want.output.data);
    const sparse = fovea.multiHeadAttention(x, x, x, params, {
      ...options,
      heads: 2,
      pattern: P.window(1, 1),
      averageWeights: false,
    });
    const packed = fovea.attention(x, x, x, { ...options, heads: 2, pattern: P.window(1, 1) });
    same(sparse.output.data, packed.output.data);
    same((sparse.weights as SparseWeights).values, (packed.weights as SparseWeights).values);
  }
  // Keys that are appended count, and leave queries where they are.
  const zero = { heads: 1, addZeroAttention: true, causalOffset: 9, returnWeights: true } as const;
  const shifted = fovea.multiHeadAttention(x, x, x, params, { ...zero, normalizer: 'sampled' });
  const drawn = [...Array(6).keys()].map((i) => {
    const s = [...fovea.attention(x, x, x, { returnLogits: 'raw' }).logits!.data.subarray(6 * i, 6 * i + 6), 0];
    return weightsOf({ kind: 'sampled' }, s, { position: i + 9, head: 0 });
  });
  near(shifted.weights, drawn);
  const relu = fovea.multiHeadAttention(x, x, x, params, { ...zero, normalizer: 'relu' });
  near(
    relu.weights,
    [...Array(6).keys()].map((i) => {
      const s = [...fovea.attention(x, x, x, { returnLogits: 'raw' }).logits!.data.subarray(6 * i, 6 * i + 6), 0];
      return weightsOf({ kind: 'relu' }, s, { position: i, head: 0 });
    }),
  );
  fails('option', /^multiHeadAttention: lse must go with normalizer 'softmax', got 'argmax'$/, () =>
    fovea.multiHeadAttention(x, x, x, params, { heads: 1, normalizer: 'argmax', returnLse: true }),
  );
});

test('in a worker, slice by slice, the bits are the same', async () => {
  const long = [numbers([2, 2, 200, 8], 1), numbers([2, 1, 150, 8], 2), numbers([2, 1, 150, 5], 3)] as const;
  const pattern = P.window(9, 9).or(P.atrous(16), P.globalTokens([3]));
  for (const normalizer of NORMALIZERS)
    for (const given of [{}, { pattern }]) {
      const options = { ...given, normalizer, temperature: 0.5, returnWeights: true, trace: { rows: [3, 5] } } as const;
      assert.deepEqual(await remote.attention(...long, options), fovea.attention(...long, options), normalizer.kind);
    }
});

test('Tensors and out targets take the results', () => {
  fovea.scope(() => {
    for (const normalizer of NORMALIZERS) {
      const weights = { data: new Float32Array(B * H * Tq * Tk), shape: [B, H, Tq, Tk] };
      const want = fovea.attention(q, k, v, { normalizer, returnWeights: true });
      const got = fovea.attention(fovea.tensor(q), k, v, { normalizer, out: { weights } });
      assert.deepEqual(toNested(got.output), toNested(want.output));
      same(weights.data, want.weights!.data);
    }
  });
});

test('sparse weights of topK list the pairs that have a weight, k a row, also with a pattern', () => {
  const { q, k, v } = { q: numbers([2, 5, 4]), k: numbers([2, 9, 4]), v: numbers([2, 9, 3]) };
  for (const options of [{}, { pattern: P.window(4, 4), causalOffset: 2 }, { keyLengths: [1] }, { keyLengths: [0] }]) {
    const asked = { ...options, normalizer: N.topK(3) } as const;
    const dense = fovea.attention(q, k, v, { ...asked, returnWeights: 'dense' }).weights;
    const { indptr, indices, values, shape } = fovea.attention(q, k, v, { ...asked, returnWeights: 'sparse' }).weights;
    assert.deepEqual(shape, dense.shape);
    const full = new Float32Array(dense.data.length);
    const perRow = Math.min(3, ...('keyLengths' in options ? options.keyLengths : []));
    for (let row = 0; row < 10; row++) {
      assert.equal(indptr[row + 1]! - indptr[row]!, perRow);
      for (let n = indptr[row]!; n < indptr[row + 1]!; n++) full[row * 9 + indices[n]!] = values[n]!;
    }
    assert.equal(indices.length, indptr[10]);
    assert.equal(values.length, indptr[10]);
    same(full, dense.data);
  }
});
