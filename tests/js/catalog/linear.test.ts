/** Linear attention in the catalog: what holds beyond the claims. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toNested, type NDArray } from 'fovea';
import { list, run } from 'fovea/catalog';
import { linearState } from 'fovea/linear-attention';
import { fovea, near } from '../support/api.ts';

type Matrix = number[][];
const inputsOf = (id: string) => list().find((entry) => entry.id === id)!.defaults.inputs as Record<'q' | 'k' | 'v', Matrix>;
const stage = (id: string, name: string, options?: object) =>
  run(fovea, id, undefined, undefined, options as never).trace.find((one) => one.name === name)! as unknown as NDArray;
const product = (a: Matrix, b: Matrix): Matrix =>
  a.map((row) => b[0]!.map((_, n) => row.reduce((sum, x, i) => sum + x * b[i]![n]!, 0)));
const transposed = (a: Matrix): Matrix => a[0]!.map((_, n) => a.map((row) => row[n]!));

test('(φ(Q)φ(K)ᵀ) V is φ(Q) (φ(K)ᵀ V)', () => {
  for (const id of ['linear', 'efficient_attention']) {
    const [Q, K, V] = ['queryFeatures', 'keyFeatures', 'value'].map((name) => toNested(stage(id, name)) as Matrix);
    const byState = product(Q!, product(transposed(K!), V!));
    near(stage(id, 'numerator'), byState, 1e-5);
    near(stage(id, 'numerator'), product(product(Q!, transposed(K!)), V!), 1e-5);
  }
});

test('token by token, the state gives the outputs of the whole', () => {
  const { q, k, v } = inputsOf('linear_rnn');
  const state = linearState(fovea, { kvHeads: 1, width: 2, valueWidth: 1 });
  const steps = q.map((row, t) => (toNested(state.step([row], [k[t]!], [v[t]!])) as Matrix)[0]!);
  state.dispose();
  near(run(fovea, 'linear_rnn')['output'] as NDArray, steps, 1e-6);
});

test('the delta rule moves by beta: 3 and 7 at one half read 1.5 and 4.25', () => {
  near(stage('delta_rule', 'output', { beta: 0.5 }), [[1.5], [4.25]], 1e-6);
  near(stage('delta_rule', 'output', { updateRule: 'linear', beta: undefined }), [[3], [10]], 1e-6);
});

test('efficient attention divides e^k by its sum over the tokens; with e^k alone outputs are others', () => {
  const q = [
    [1, 0],
    [0, 2],
  ];
  const k = [
    [1, 0],
    [0, 1],
    [3, 1],
  ];
  const v = [[1], [2], [4]];
  const softmax = (row: number[]) => row.map((x) => Math.exp(x) / row.reduce((sum, y) => sum + Math.exp(y), 0));
  const queries = q.map(softmax);
  const divided = transposed(transposed(k).map(softmax));
  const { output } = run(fovea, 'efficient_attention', { q, k, v }) as unknown as { output: NDArray };
  near(output, product(queries, product(transposed(divided), v)), 1e-6);

  const similarity = product(queries, transposed(k.map((row) => row.map(Math.exp))));
  const printed = product(
    similarity.map((row) => row.map((x) => x / row.reduce((a, b) => a + b, 0))),
    v,
  );
  assert.throws(() => near(output, printed, 0.05));
});

test('more random features come closer to softmax, over 20 draws', () => {
  const medianError = (features: number): number => {
    const errors = Array.from({ length: 20 }, (_, seed) => {
      const { trace } = run(fovea, 'performer', undefined, undefined, { features, seed });
      const [exact, weights] = ['exactWeights', 'weights'].map((name) => trace.find((one) => one.name === name)!.data);
      return Math.max(...weights!.map((weight, n) => Math.abs(weight - exact![n]!)));
    });
    return errors.sort((a, b) => a - b)[10]!;
  };
  const [few, some, many] = [8, 64, 1024].map(medianError) as [number, number, number];
  assert.ok(many < some / 2 && some < few / 1.5, `${few} ${some} ${many}`);
});

test('Linformer that mixes nothing is attention', () => {
  const { q, k, v } = inputsOf('linformer');
  const E = q.map((_, i) => q.map((__, j) => Number(i === j)));
  const { output } = run(fovea, 'linformer', undefined, undefined, { rank: undefined, seed: undefined, E }) as unknown as {
    output: NDArray;
  };
  near(output, toNested(fovea.attention(q, k, v).output), 1e-6);
});

test('Linformer that averages neighbors loses nothing where they are equal, and much where they differ', () => {
  const means = [0, 1, 2].map((r) => Array.from({ length: 6 }, (_, j) => (Math.floor(j / 2) === r ? 1 / 2 : 0)));
  const differenceOf = (keys: Matrix): number => {
    const inputs = { q: [[4, 0, 0], [0, 4, 0]], k: keys, v: keys }; // prettier-ignore
    const options = { rank: undefined, seed: undefined, E: means };
    const { output } = run(fovea, 'linformer', inputs, undefined, options) as unknown as { output: NDArray };
    const exact = fovea.attention(inputs.q, keys, keys).output.data;
    return Math.max(...output.data.map((x, n) => Math.abs(x - exact[n]!)));
  };
  const [a, b, c] = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ];
  assert.ok(differenceOf([a!, a!, b!, b!, c!, c!]) < 1e-6);
  assert.ok(differenceOf([a!, c!, b!, c!, c!, c!]) > 0.1);
});
