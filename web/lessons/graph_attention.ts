import type { Fovea } from 'fovea';
import { list as entries, run } from 'fovea/catalog';
import type { Lesson } from './lesson.ts';
import { list, show, weightsOf } from './numbers.ts';

const ID = 'graph_attention';
const { inputs } = entries().find(({ id }) => id === ID)!.defaults;
/** Edges into node 1 come from 5, 6 and 8. */
const [FIVE, SIX, EIGHT] = [0, 2, 4];

/** The scores of node 1 with 5, 6, 8 and itself. */
function scoresOfFirst(fovea: Fovea): number[] {
  const edges = inputs['edges'] as readonly (readonly number[])[];
  const scores = run(fovea, ID).trace.find(({ name }) => name === 'scores')!.data;
  return [scores[FIVE]!, scores[SIX]!, scores[EIGHT]!, scores[edges.length]!];
}

export default {
  question: { en: 'In a graph, which pairs may attend at all?', zh: '在图里，哪些配对才允许有注意力？' },
  doThis: {
    en: 'Choose node 1, then make an edge to node 4: it is as red as 8 and takes half. Remove all its edges: the output is 0. Then give absent edges the score 0.',
    zh: '选节点 1，再连一条到节点 4 的边：它和 8 一样红，会分走一半。去掉所有边：输出为 0。再让没有边的配对分数为 0。',
  },
  live: (trace) => {
    const weights = trace.find(({ name }) => name === 'weights')?.data ?? [];
    const shown = list([FIVE, SIX, EIGHT].map((edge) => weights[edge] ?? 0));
    return {
      en: `Along its first edges, to 5, 6 and 8, node 1 gives ${shown.en}.`,
      zh: `节点 1 沿最初的三条边给 5、6、8 的权重是 ${shown.zh}。`,
    };
  },
  contrast: {
    id: 'speech_self_attention',
    text: {
      en: 'There the mask is a band, the same for all frames. Here it is the graph: knowledge of who is related, which attention need not find.',
      zh: '那里的掩码是一条带，每帧都一样；这里的掩码就是图本身：谁与谁有关已经知道，不必再由注意力去找。',
    },
  },
  history: {
    en: 'Graph convolutions weigh neighbors by their number alone. Graph attention (2018) lets a node choose among them; GATv2 (2022) mended that all nodes ranked neighbors alike. Graph Transformers add pairs without an edge.',
    zh: '图卷积只按邻居个数分配权重。图注意力（2018）让节点自己挑；GATv2（2022）解决了所有节点对邻居排序都相同的问题。图 Transformer 又加入没有边的配对。',
  },
  predictions: [
    {
      id: 'absent_edge',
      covers: ['textbook'],
      question: {
        en: 'Node 1 has no edge to 2, 3, 4 and 7. Their scores are set to 0, not to −∞. How much do they get together?',
        zh: '节点 1 与 2、3、4、7 没有边。把它们的分数设为 0，而不是 −∞。它们一共得到多少？',
      },
      choices: [
        { en: 'nothing', zh: '什么也得不到' },
        { en: 'something', zh: '得到一部分' },
      ],
      reveal: (fovea) => {
        const scores = scoresOfFirst(fovea);
        const zero = weightsOf(fovea, [...scores, 0, 0, 0, 0]);
        const masked = weightsOf(fovea, [...scores, 0, 0, 0, 0], {
          mask: [[true, true, true, true, false, false, false, false]],
        });
        const sum = (weights: readonly number[]): number => weights.slice(scores.length).reduce((a, b) => a + b, 0);
        return {
          right: sum(zero) === 0 ? 0 : 1,
          shown: {
            en: `With 0 they get ${show(sum(zero))} together, as exp(0) = 1. With −∞ they get ${show(sum(masked))}.`,
            zh: `设为 0 时一共得到 ${show(sum(zero))}，因为 exp(0) = 1；设为 −∞ 时得到 ${show(sum(masked))}。`,
          },
        };
      },
    },
  ],
  textbook: [
    {
      writes: { en: 'the attention score of nodes without an edge is set to 0', zh: '没有相连的节点，注意力分数设为 0' },
      means: {
        en: 'It is the weight that is 0, that is the score −∞. With the score 0 they would take part.',
        zh: '应当是权重为 0，即分数为 −∞。分数为 0 时它们仍会参与。',
      },
    },
  ],
} satisfies Lesson;
