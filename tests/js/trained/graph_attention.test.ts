/** The trained graph attention layer finds communities in graphs that it has never seen: its weights go to the neighbors who know. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NDArray } from 'fovea';
import { graphAttention, type GraphAttentionResult } from 'fovea/mechanisms';
import { argmax, softmax } from 'fovea/ops';
import { isHeldOut } from '../../../scripts/train/examples.ts';
import { fovea } from '../support/api.ts';
import { assertFigures, mean, readTrained, type Checkpoint } from '../support/trained_models.ts';

interface Example {
  /** [nodes][opinion, knows, 1]. */
  readonly h: readonly (readonly number[])[];
  /** Each pair once. */
  readonly edges: readonly (readonly [number, number])[];
  readonly community: readonly number[];
}

interface Measures {
  readonly meanAccuracy: number;
}

const { checkpoints, examples } = await readTrained<Example, Measures>('graph_attention');
const OPTIONS = { heads: 2, combine: 'average', activation: 'none' } as const;

const run = (params: Checkpoint['params']): GraphAttentionResult<NDArray>[] =>
  examples.map(({ h, edges }) => {
    const both = edges.flatMap(([i, j]) => [
      [i, j],
      [j, i],
    ]);
    return graphAttention(fovea, { h: h.map((row) => [...row]), edges: both }, params, OPTIONS);
  });

const decide = (params: Checkpoint['params']): boolean[][] =>
  run(params).map(({ output }, n) => [...argmax(fovea, output).data].map((chosen, i) => chosen === examples[n]!.community[i]));

test('no graph of the examples can have been trained on', () => {
  assert.ok(examples.reduce((nodes, { community }) => nodes + community.length, 0) >= 500);
  assert.ok(examples.every(({ edges }) => isHeldOut(edges.map((edge) => edge.join('-')).join(' '))));
});

for (const { figures, params } of checkpoints) {
  test(`after ${figures.steps} steps: accuracy ${figures.accuracy}, as the JSON says`, () => {
    const losses = run(params).map(({ output }, n) => {
      const { data } = softmax(fovea, output);
      return mean(examples[n]!.community.map((community, i) => -Math.log(data[2 * i + community]!)));
    });
    assertFigures(figures, decide(params), losses);
  });
}

test('random weights are near chance; trained ones listen to those who know, and the mean over all neighbors is worse', () => {
  /** The share of the weights that goes to nodes who know, of the weights into nodes with both kinds of neighbors. */
  const toKnowing = (params: Checkpoint['params']): number =>
    mean(
      run(params).flatMap(({ weights, edges }, n) =>
        examples[n]!.h.flatMap((_, target) => {
          const own = Array.from({ length: edges.shape[0]! }, (_, e) => e).filter((e) => edges.data[2 * e] === target);
          const knows = own.filter((e) => examples[n]!.h[edges.data[2 * e + 1]!]![1] === 1);
          const isMixed = knows.length > 0 && knows.length < own.length;
          return isMixed ? [knows.reduce((sum, e) => sum + weights.data[2 * e]! + weights.data[2 * e + 1]!, 0) / 2] : [];
        }),
      ),
    );
  const [random, trained] = [checkpoints[0]!, checkpoints.at(-1)!];
  assert.ok(random.figures.accuracy < 0.7);
  assert.ok(trained.figures.accuracy >= 0.95);
  assert.ok(toKnowing(random.params) < 0.6);
  assert.ok(toKnowing(trained.params) > 0.9);

  const zeros = (name: string): [string, NDArray] => [name, { data: new Float32Array(4), shape: [2, 2] }];
  const uniform = decide(new Map([...trained.params, zeros('aTarget'), zeros('aSource')])).flat();
  assert.ok(mean(uniform.map(Number)) < trained.figures.accuracy - 0.1);
  assert.ok(Math.abs(mean(uniform.map(Number)) - trained.figures.meanAccuracy) < 0.005);
});
