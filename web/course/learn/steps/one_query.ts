import { normalizer } from 'fovea/score';
import type { Step } from '../step.ts';
import { gloss } from '../../../shell/gloss.ts';

/** The corners of a square are the values; a query goes around it. */
const VALUES = [
  [1, 1],
  [-1, 1],
  [-1, -1],
  [1, -1],
];
const DIRECTIONS = 72;

const step: Step = {
  title: { en: 'One query, five values', zh: '一个查询，五个值' },
  body: {
    en: `A query${gloss('查询')} is compared with every key${gloss('键')}. The agreement, a dot product, is the score${gloss('分数')}; softmax makes weights${gloss('权重')} of the scores, and the output is the sum of the values${gloss('值')}, each times its weight. That is attention. All the rest is where queries, keys and values come from.`,
    zh: `一个查询${gloss('query')}与每个键${gloss('key')}比较，相合的程度就是点积，称为分数${gloss('score')}；softmax 把分数变成权重${gloss('weight')}，输出就是各个值${gloss('value')}乘以权重再相加。这就是注意力，其余的都是在讲查询、键、值从哪里来。`,
  },
  doThis: {
    en: 'Turn the query until nearly all the weight is on value 4. Then make it shorter: what happens to the weights?',
    zh: '转动查询，让权重几乎都落在第 4 个值上。然后把它缩短：权重怎样变化？',
  },
  check: {
    id: 'inside_the_polygon',
    covers: ['seen'],
    question: {
      en: 'Can some query bring the output outside the polygon of the values?',
      zh: '有没有哪个查询能让输出跑到各个值围成的多边形外面？',
    },
    choices: [
      { en: 'Yes, a long one', zh: '有，足够长的查询' },
      { en: 'No, none', zh: '没有' },
    ],
    reveal: (fovea) => {
      const queries = Array.from({ length: DIRECTIONS }, (_, i) => {
        const angle = (2 * Math.PI * i) / DIRECTIONS;
        return [50 * Math.cos(angle), 50 * Math.sin(angle)];
      });
      const far = (options: object): number => {
        const { output } = fovea.attention(queries, VALUES, VALUES, { scale: 1, ...options });
        return Math.max(...Array.from(output.data, Math.abs));
      };
      const [inside, outside] = [far({}), far({ normalizer: normalizer.relu() })];
      return {
        right: inside <= 1 + 1e-6 ? 1 : 0,
        shown: {
          en: `Weights of softmax are positive and sum to 1: of ${DIRECTIONS} long queries around a square, no output went beyond its corners (${inside.toFixed(2)} at most, 1 is the corner). With ReLU in place of softmax the weights need not sum to 1, and one reached ${outside.toFixed(1)}.`,
          zh: `softmax 的权重都是正数且和为 1：绕正方形取 ${DIRECTIONS} 个很长的查询，输出都没有越过顶点（最远 ${inside.toFixed(2)}，顶点是 1）。把 softmax 换成 ReLU，权重之和不必为 1，最远到了 ${outside.toFixed(1)}。`,
        },
      };
    },
  },
};
export default step;
