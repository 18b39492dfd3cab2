/** Figures of trained models against the papers' equations in double, at random and at trained weights. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toNested, type NDArray } from 'fovea';
import { bags } from '../../../scripts/train/examples.ts';
import { reference as graphAttention } from '../reference/graph_attention.ts';
import { reference as keyValueMemory } from '../reference/key_value_memory.ts';
import { reference as pointerNetwork } from '../reference/pointer_network.ts';
import { softmax } from '../reference/equations/rows.ts';
import { lossBound, mean, readTrained, type Checkpoint, type TrainedModel } from '../support/trained_models.ts';

const nested = (params: ReadonlyMap<string, NDArray>): Record<string, unknown> =>
  Object.fromEntries([...params].map(([name, array]) => [name, toNested(array)]));

/** The mean loss of all examples is the JSON's, by the first and the last checkpoint. */
function agrees<E>(
  { examples, checkpoints }: Pick<TrainedModel<E>, 'examples' | 'checkpoints'>,
  lossOf: (example: E, params: Record<string, unknown>) => number,
): void {
  for (const { figures, params } of [checkpoints[0]!, checkpoints.at(-1)!] as Checkpoint[]) {
    const own = nested(params);
    const loss = mean(examples.map((example) => lossOf(example, own)));
    const bound = lossBound(figures);
    assert.ok(Math.abs(loss - figures.loss) <= bound, `${figures.file}: ${figures.loss}, in double ${loss}, bound ${bound}`);
  }
}

interface Graph {
  readonly h: readonly (readonly number[])[];
  readonly edges: readonly (readonly [number, number])[];
  readonly community: readonly number[];
}

const graphs = await readTrained<Graph>('graph_attention');
test('graphAttention', () => {
  const options = { heads: 2, combine: 'average', activation: 'none' };
  agrees(graphs, ({ h, edges, community }, params) => {
    const both = [...edges, ...edges.map(([i, j]) => [j, i])];
    const { output } = graphAttention('')({ h, edges: both }, params, options) as { output: number[][] };
    return mean(community.map((one, n) => -Math.log(softmax(output[n]!)[one]!)));
  });
});

interface Story {
  readonly facts: readonly (readonly [string, string, string])[];
  readonly thing: string;
  readonly answer: number;
}

const stories = (await readTrained<Story>('key_value_memory')) as TrainedModel<Story> &
  Record<'features' | 'candidates', string[]>;
test('keyValueMemory', () => {
  const rows = (lists: readonly (readonly string[])[]): number[][] =>
    (toNested(bags(stories.features, [lists])) as number[][][])[0]!;
  const candidates = rows(stories.candidates.map((place) => [place]));
  agrees(stories, ({ facts, thing, answer }, params) => {
    const inputs = {
      question: rows([['where', thing]])[0],
      keys: rows(facts.map(([subject, relation]) => [subject, relation])),
      values: rows(facts.map(([, , value]) => [value])),
      ...{ candidates, answer },
    };
    return (keyValueMemory('')(inputs, params, {}) as { loss: number }).loss;
  });
});

const lists = await readTrained<{ numbers: number[] }>('pointer_network');
test('pointerNetwork', () => {
  agrees(lists, ({ numbers }, params) => {
    const targets = [...numbers].sort((a, b) => a - b).map((number) => numbers.indexOf(number));
    const points = numbers.map((number) => [Math.fround(number / 100)]);
    return (pointerNetwork('')({ points, targets }, params, {}) as { loss: number }).loss;
  });
});
