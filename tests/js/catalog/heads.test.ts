/** Self-attention in columns, and what the kinds of heads are made of. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toNested, type NDArray } from 'fovea';
import { list, run } from 'fovea/catalog';
import { divide, matmul, softmax, transpose } from 'fovea/ops';
import { fovea, near } from '../support/api.ts';

type Matrix = number[][];
const defaultsOf = (id: string) => list().find((entry) => entry.id === id)!.defaults;
const resultOf = (id: string, name: string) => run(fovea, id)[name] as NDArray;
const product = (a: Matrix, b: Matrix): Matrix =>
  a.map((row) => b[0]!.map((_, n) => row.reduce((sum, x, i) => sum + x * b[i]![n]!, 0)));

test('self-attention in columns, V softmax(KᵀQ) with softmax down the columns, is the transpose of that in rows', () => {
  const { inputs, params } = defaultsOf('self_attention');
  const columns = transpose(fovea, inputs['X'] as Matrix);
  const [Q, K, V] = ['Wq', 'Wk', 'Wv'].map((name) => matmul(fovea, transpose(fovea, params[name] as Matrix), columns));
  const weights = softmax(fovea, matmul(fovea, transpose(fovea, K!), Q!), { axis: 0 });
  const output = matmul(fovea, V!, weights);
  near(transpose(fovea, resultOf('self_attention', 'output')), toNested(output), 1e-6);
  near(transpose(fovea, resultOf('self_attention', 'weights')), toNested(weights), 1e-6);
  const across = softmax(fovea, matmul(fovea, transpose(fovea, K!), Q!), { axis: 1 });
  assert.throws(() => near(across, toNested(weights), 1e-2), 'softmax along the wrong axis');
});

test('divided by √d, the columns agree as well', () => {
  const { inputs, params } = defaultsOf('self_attention');
  const columns = transpose(fovea, inputs['X'] as Matrix);
  const [Q, K, V] = ['Wq', 'Wk', 'Wv'].map((name) => matmul(fovea, transpose(fovea, params[name] as Matrix), columns));
  const width = (params['Wq'] as Matrix)[0]!.length;
  const scores = divide(fovea, matmul(fovea, transpose(fovea, K!), Q!), Math.sqrt(width));
  const rows = fovea.selfAttention(inputs['X'] as Matrix, params as never).output;
  near(transpose(fovea, rows), toNested(matmul(fovea, V!, softmax(fovea, scores, { axis: 0 }))), 1e-6);
});

test('two stages are multi-head attention with the products of their matrices', () => {
  const { inputs, params, options } = defaultsOf('two_stage_heads');
  const { first, second } = params as unknown as Record<'first' | 'second', Record<'Wq' | 'Wk' | 'Wv' | 'Wo', Matrix>>;
  const joint = {
    Wq: product(first.Wq, second.Wq),
    Wk: product(first.Wk, second.Wk),
    Wv: product(first.Wv, second.Wv),
    Wo: second.Wo,
  };
  const { output, weights } = run(fovea, 'multi_head', inputs, joint, options) as unknown as Record<
    'output' | 'weights',
    NDArray
  >;
  near(resultOf('two_stage_heads', 'output'), toNested(output), 1e-6);
  near(resultOf('two_stage_heads', 'weights'), toNested(weights), 1e-6);
});

test('heads by splitting are attention of the parts, side by side', () => {
  const x = defaultsOf('split_heads').inputs['q'] as Matrix;
  const parts = [0, 1].map((h) => x.map((row) => row.slice(4 * h, 4 * h + 4)));
  const outputs = parts.map((part) => toNested(fovea.attention(part, part, part, { scale: 8 }).output) as Matrix);
  near(
    resultOf('split_heads', 'output'),
    x.map((_, i) => [...outputs[0]![i]!, ...outputs[1]![i]!]),
    1e-6,
  );
});

test('several queries are answered as each alone', () => {
  const { q, k, v } = defaultsOf('multi_query').inputs as Record<'q' | 'k' | 'v', Matrix>;
  const alone = q!.map((query) => (toNested(fovea.attention([query], k!, v!, { scale: 6 }).output) as Matrix)[0]!);
  near(resultOf('multi_query', 'output'), alone, 1e-6);
});
