/** A graph attention layer finds two communities: it learns to listen to the neighbors who know, not to those who are loud. */
import type { Fovea, Tensor } from 'fovea';
import { graphAttention } from 'fovea/mechanisms';
import { logSoftmax, softmax } from 'fovea/ops';
import { crossEntropy } from 'fovea/train';
import { range, type Random } from './examples.ts';
import { choose } from './figures.ts';
import { randomWeights, train, type Params, type Task } from './task.ts';

const [NODES, FEATURES, HEADS, CLASSES] = [16, 3, 2, 2];
const OPTIONS = { heads: HEADS, combine: 'average', activation: 'none' } as const;
const KEEP = [0, 20, 60, 300];

interface Graph {
  /** The edges. */
  readonly key: string;
  /** [nodes][opinion, knows, 1]. */
  readonly h: readonly (readonly number[])[];
  /** Each pair once. */
  readonly edges: readonly (readonly [number, number])[];
  readonly community: readonly number[];
}

/** A graph of 16 nodes. Features: an opinion, whether the node knows, 1. Who knows has 1 or -1, others anything from -4 to 4. */
function make(random: Random): Graph {
  const community = random.shuffle(range(NODES).map((n) => n % 2));
  const knows = range(NODES).map(() => random.uniform() < 0.45);
  const h = community.map((c, n) => [knows[n] ? 2 * c - 1 : random.integer(-40, 40) / 10, Number(knows[n]), 1]);
  const pairs = range(NODES).flatMap((i) => range(i).map((j): [number, number] => [i, j]));
  const edges = pairs.filter(([i, j]) => random.uniform() < (community[i] === community[j] ? 0.75 : 0.05));
  return { key: edges.map((edge) => edge.join('-')).join(' '), h, edges, community };
}

/** The logits [nodes of all graphs, 2], computed as one graph. */
function logits(fovea: Fovea, params: Params, graphs: readonly Graph[]): Tensor {
  const edges = graphs.flatMap((graph, n) =>
    graph.edges.flatMap(([i, j]) => [i + NODES * n, j + NODES * n, j + NODES * n, i + NODES * n]),
  );
  const h = fovea.tensor(
    graphs.flatMap((graph) => graph.h.flat()),
    [graphs.length * NODES, FEATURES],
  );
  const inputs = { h, edges: { data: Int32Array.from(edges), shape: [edges.length / 2, 2] } };
  return graphAttention(fovea, inputs, params, OPTIONS).output;
}

export const graphTask: Task<Graph> = {
  name: 'graph_attention',
  facts: {
    task: 'says to which of two communities each of 16 nodes belongs, by what its neighbors say and whether they know',
    function: 'graphAttention',
    options: OPTIONS,
    chance: 0.5,
    features: ['opinion', 'knows', '1'],
  },
  make,
  counts: [4000, 60],
  shapes: {
    ...{ W: [FEATURES, HEADS * CLASSES], aTarget: [HEADS, CLASSES], aSource: [HEADS, CLASSES], bias: [CLASSES] },
  },
  loss: (fovea, params, graphs) =>
    crossEntropy(
      fovea,
      logits(fovea, params, graphs),
      graphs.flatMap(({ community }) => community),
    ),
  predict(fovea, params, graphs) {
    const said = logits(fovea, params, graphs);
    const { chosen, lead } = choose(softmax(fovea, said), CLASSES);
    const logP = logSoftmax(fovea, said).data;
    const silent = fovea.tensor([0, 0, 0, 0], [HEADS, CLASSES]);
    const ofMean = choose(logits(fovea, { ...params, aTarget: silent, aSource: silent }, graphs), CLASSES).chosen;
    const each = <T>(of: (node: number, community: number) => T): T[][] =>
      graphs.map(({ community }, n) => community.map((one, i) => of(n * NODES + i, one)));
    return {
      right: each((node, community) => chosen[node] === community),
      margin: each((node) => lead[node]!).map((row) => Math.min(...row)),
      loss: each((node, community) => -logP[node * CLASSES + community]!).map(
        (row) => row.reduce((sum, value) => sum + value, 0) / NODES,
      ),
      // With the mean over all neighbors in place of attention.
      measures: { meanAccuracy: each((node, community) => Number(ofMean[node] === community)) },
    };
  },
  shown: ({ h, edges, community }) => ({ h, edges, community }),
  checkpoints: (fovea) => train(fovea, graphTask, randomWeights(fovea, graphTask), KEEP, { rate: 4e-2, size: 32, steps: 300 }),
};
