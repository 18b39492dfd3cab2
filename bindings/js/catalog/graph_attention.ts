import { graphAttention as compute } from '../mechanisms/graph_attention.ts';
import { system } from './entry/define.ts';
import { texts } from './entry/papers.ts';
import { isNear, rowAt } from './entry/stage_values.ts';
import { identityMatrix } from './samples/words.ts';

const nodes = Array.from({ length: 8 }, (_, n) => `node ${n + 1}`);
/** From 1, in both directions. */
const links = [[1, 5], [1, 6], [1, 8], [2, 3], [3, 4], [4, 7], [5, 6]] as const; // prettier-ignore
const edges = links.flatMap(([a, b]) => [
  [a - 1, b - 1],
  [b - 1, a - 1],
]);
const everyPair = nodes.flatMap((_, target) => nodes.map((_, source) => [target, source]));
/** Nodes 4 and 8 are red. */
const features = ['red', 'blue'];
const h = nodes.map((_, n) => (n === 3 || n === 7 ? [1, 0] : [0, 1]));

export default system({
  id: 'graph_attention',
  family: 'beyondText',
  title: { en: 'Graph attention', zh: '图注意力' },
  aliases: ['GAT', 'graph attention network', 'GATv2', '图注意力网络', '基于图上注意力'],
  notations: [
    {
      text: texts.chapter,
      writes: { en: 'the score of nodes without an edge is set to 0', zh: '没有相连的节点，分数设为 0' },
      means: { en: 'their weight is 0, that is the score -∞', zh: '权重为 0，即分数为 -∞' },
    },
    {
      text: 'Veličković et al. 2018',
      writes: 'a^⊤[W h_i ‖ W h_j]',
      means: 'aTarget·g_i + aSource·g_j, a = [aTarget; aSource]',
    },
  ],
  paper: {
    authors: 'Veličković, Cucurull, Casanova, Romero, Liò, Bengio',
    title: 'Graph Attention Networks',
    year: 2018,
    url: 'https://arxiv.org/abs/1710.10903',
    equations: 'eq. 1 to 6',
  },
  equation:
    'w_{ts} = \\operatorname{softmax}_{s \\in N(t)} \\operatorname{LeakyReLU}(a_t \\cdot g_t + a_s \\cdot g_s),\\quad o_t = \\sigma(\\textstyle\\sum_s w_{ts}\\, g_s)',
  parent: 'additive',
  slots: { score: '\\operatorname{LeakyReLU}(a_t^\\top g_t + a_s^\\top g_s)', mask: 's \\in N(t)' },
  complexity: {
    letters: ['N', 'M', 'F', 'P', 'H'],
    sizes: { N: nodes.length, M: edges.length + nodes.length, F: 2, P: 2, H: 1 },
    pairs: ({ M, H }) => M! * H!,
    multiplyAdds: ({ N, M, F, P, H }) => N! * F! * H! * P! + 2 * N! * H! * P! + M! * H! * P!,
  },
  ranges: { 'options.negativeSlope': { from: 0, to: 1, step: 0.1 } },
  defaults: {
    inputs: { h, edges },
    params: { W: identityMatrix(2), aTarget: [[0, 0]], aSource: [[4, 0]] },
    options: { negativeSlope: 0.2 },
    labels: {
      h: [nodes, features],
      W: [features, features],
      aTarget: [['head'], features],
      aSource: [['head'], features],
    },
    claim: {
      text: {
        en: 'Node 1 attends to its neighbors 5, 6 and 8 and to itself. Red draws it: 8 gets 0.95; 4 is as red, but there is no edge, hence no weight.',
        zh: '节点 1 只看邻居 5、6、8 和它自己。红色吸引它：8 得 0.95；4 也一样红，但没有边，就没有权重。',
      },
      tolerance: 0.005,
      // Edges 0, 2 and 4 lead into node 1; its own comes behind all that are given.
      holds: (trace) => {
        const weight = (edge: number): number => rowAt(trace, 'weights', [edge])[0]!;
        const others = weight(0) + weight(2) + weight(edges.length);
        return isNear(weight(4), 0.95, 0.005) && isNear(others, 0.05, 0.005);
      },
    },
    // With every edge, node 4 takes as much as node 8.
    contrast: { inputs: { h, edges: everyPair } },
  },
  chineseLabels: { head: '头' },
  compute,
});
