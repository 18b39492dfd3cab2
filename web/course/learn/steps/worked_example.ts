import type { Localized } from '../../../shell/localized.ts';
import type { Step } from '../step.ts';

export const texts = {
  token: { en: 'token', zh: '词元' },
  component: { en: 'component', zh: '分量' },
  query: { en: 'query', zh: '查询' },
  key: { en: 'key', zh: '键' },
  quantities: {
    query: { en: 'query', zh: '查询' },
    key: { en: 'key', zh: '键' },
    value: { en: 'value', zh: '值' },
    scores: { en: 'score', zh: '分数' },
    weights: { en: 'weight', zh: '权重' },
    output: { en: 'output', zh: '输出' },
  },
  choose: { en: 'Choose a cell of S, A or O.', zh: '选中 S、A 或 O 里的一个格子。' },
} satisfies Record<string, Localized<unknown> | Record<string, Localized>>;

const step: Step = {
  title: { en: 'The worked example, cell by cell', zh: '逐格看一个算例' },
  body: {
    en: 'Three tokens have become three queries, keys and values. Query 1 times each key gives the scores 2, 4, 4. Softmax turns them into weights, and the output is the sum of the values, each times its weight. Every other number here is computed the same way.',
    zh: '三个词元已经变成三个查询、三个键和三个值。第 1 个查询与各个键的点积是分数 2、4、4；softmax 把分数变成权重，输出就是各个值乘以权重再相加。其余每个数都是这样算出来的。',
  },
  doThis: {
    en: 'Choose a cell of the scores S: what it is made from is outlined, and its arithmetic is written above. Answer the question, then choose cells of the weights A and of the output O.',
    zh: '选中分数 S 里的一个格子：用到的数会被框出来，算式写在上面。回答问题之后，再选权重 A 和输出 O 里的格子。',
  },
  check: {
    id: 'scores_2_4_4',
    covers: ['weights'],
    question: { en: 'The scores are 2, 4 and 4. Which weight is the largest?', zh: '分数是 2、4、4。哪个权重最大？' },
    choices: [
      { en: 'The second', zh: '第二个' },
      { en: 'The third', zh: '第三个' },
      { en: 'The second and the third are equal', zh: '第二、第三个一样大' },
    ],
    reveal: (fovea) => {
      const scores = [[2], [4], [4]];
      const { weights } = fovea.attention([[1]], scores, scores, { scale: 1, returnWeights: true });
      const [first, second, third] = Array.from(weights.data) as [number, number, number];
      const shown = [first, second, third].map((weight) => weight.toFixed(3));
      return {
        right: second === third ? 2 : second > third ? 0 : 1,
        shown: {
          en: `The weights are ${shown.join(', ')}: equal scores get equal weights.`,
          zh: `权重是 ${shown.join('、')}：分数相同，权重就相同。`,
        },
      };
    },
  },
  further: [{ path: 'self-attention', text: { en: 'The example with its own numbers to change', zh: '这个算例，数字可以改' } }],
};
export default step;
