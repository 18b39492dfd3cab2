import type { Fovea, TraceStage } from 'fovea';
import type { Localized } from '../../../shell/localized.ts';
import type { Step } from '../step.ts';
import { gloss } from '../../../shell/gloss.ts';

/** Words over the axes noun, verb, small. A noun asks for a verb; a verb asks for a noun, and three times as much for a small one. */
const X = [
  [1, 0, 0],
  [0, 1, 0],
  [1, 0, 1],
];
const ASKS = [
  [0, 12, 0],
  [4, 0, 12],
  [0, 0, 0],
];
const AS_IT_IS = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];
/** Size and speed. */
const TELLS = [
  [2, 1],
  [0, 8],
  [-1.5, 2],
];

export interface Ties {
  readonly queryIsKey: boolean;
  readonly valueIsKey: boolean;
}

/** The trace of self-attention over the three words. */
export function projected(fovea: Fovea, { queryIsKey, valueIsKey }: Ties): readonly TraceStage[] {
  const params = { Wq: queryIsKey ? AS_IT_IS : ASKS, Wk: AS_IT_IS, Wv: valueIsKey ? AS_IT_IS : TELLS };
  return fovea.selfAttention(X, params, { trace: true }).trace ?? [];
}

export const texts = {
  words: { en: ['cat', 'chases', 'mouse'], zh: ['猫', '追', '老鼠'] },
  features: { en: ['noun', 'verb', 'small'], zh: ['名词', '动词', '小'] },
  told: { en: ['size', 'speed'], zh: ['大小', '速度'] },
  queryIsKey: { en: 'W_q = W_k', zh: 'W_q = W_k' },
  valueIsKey: { en: 'W_v = W_k', zh: 'W_v = W_k' },
  ties: { en: 'Make them equal', zh: '设为相等' },
  Q: { en: 'Q: asks for', zh: 'Q：想找什么' },
  K: { en: 'K: is found by', zh: 'K：凭什么找到' },
  V: { en: 'V: gives', zh: 'V：交出' },
  scores: { en: 'Scores QKᵀ', zh: '分数 QKᵀ' },
  weights: { en: 'Weights', zh: '权重' },
  output: { en: 'Output', zh: '输出' },
  self: {
    en: (word: string, sum: string) => `“${word}” scores itself ${sum}. Choose two different words.`,
    zh: (word: string, sum: string) => `“${word}”对自己的分数是 ${sum}。请选两个不同的词。`,
  },
  pair: {
    en: (a: string, b: string, sum: string, back: string, same: boolean) =>
      `${a} → ${b}: ${sum}. The other way, ${b} → ${a}: ${back}. ${same ? 'The same number both ways.' : 'Asking and being asked are two different things.'}`,
    zh: (a: string, b: string, sum: string, back: string, same: boolean) =>
      `${a} → ${b}：${sum}。反过来，${b} → ${a}：${back}。${same ? '两个方向的分数相同。' : '去找别人和被别人找到，是两回事。'}`,
  },
  symmetric: {
    en: 'Every score equals the one across the diagonal: no word can ask for another without being asked for by it.',
    zh: '每个分数都等于关于对角线对称的那个：一个词找另一个词多强，对方找它就多强。',
  },
  asymmetric: {
    en: 'Scores across the diagonal differ: each direction has an answer of its own.',
    zh: '对角线两侧的分数不同：每个方向各有各的答案。',
  },
  gets: {
    en: (word: string, found: string, share: string, output: string) =>
      `“${word}” gives most weight to ${found} (${share}) and receives ${output}: the size and speed of what it found.`,
    zh: (word: string, found: string, share: string, output: string) =>
      `“${word}”把最大的权重给${found}（${share}），得到 ${output}：所找到的东西的大小和速度。`,
  },
  getsKey: {
    en: (word: string, found: string, share: string, output: string) =>
      `“${word}” gives most weight to ${found} (${share}) and receives ${output}: keys again, the very thing it searched by.`,
    zh: (word: string, found: string, share: string, output: string) =>
      `“${word}”把最大的权重给${found}（${share}），得到 ${output}：又是键，正是查找时用的东西。`,
  },
  and: { en: ' and ', zh: '和' },
  quoted: { en: (word: string) => `“${word}”`, zh: (word: string) => `“${word}”` },
  note: {
    en: 'Matrices set by hand. Rows are words; each table has a color scale of its own.',
    zh: '矩阵由手工设定。每行是一个词；每张表各用一个色标。',
  },
} satisfies Record<string, Localized<unknown>>;

const step: Step = {
  title: { en: 'Why queries, keys and values differ', zh: '为什么查询、键、值各不相同' },
  body: {
    en: `Each word plays three parts. Its query${gloss('查询')} is what it asks for, its key${gloss('键')} what it is found by, its value${gloss('值')} what it hands over when found. Three matrices W_q, W_k, W_v make the three from the same vector: a verb can ask for a noun although it is none.`,
    zh: `每个词扮演三个角色：查询${gloss('query')}是它想找什么，键${gloss('key')}是它凭什么被找到，值${gloss('value')}是找到后它交出什么。同一个向量分别乘以 W_q、W_k、W_v 就得到三者：动词自己不是名词，却可以去找名词。`,
  },
  doThis: {
    en: 'Choose a score to see its arithmetic. Then make W_q equal to W_k and watch the scores; then W_v equal to W_k and watch the output.',
    zh: '选一个分数，看它怎样算出。然后令 W_q = W_k，看分数怎样变；再令 W_v = W_k，看输出怎样变。',
  },
  check: {
    id: 'tied_scores',
    question: {
      en: 'With W_q = W_k, is the score of (a, b) always that of (b, a)?',
      zh: '当 W_q = W_k 时，(a, b) 的分数总等于 (b, a) 的分数吗？',
    },
    choices: [
      { en: 'Yes, for every pair', zh: '是，每一对都是' },
      { en: 'Only for some pairs', zh: '只对某些词对' },
    ],
    reveal: (fovea) => {
      const asked = { Wq: ASKS, Wk: ASKS, Wv: AS_IT_IS };
      const { logits } = fovea.selfAttention(X, asked, { scale: 1, returnLogits: 'raw' });
      const at = (i: number, j: number): number => logits.data[X.length * i + j] ?? NaN;
      const pairs = [0, 1, 2].flatMap((i) => [0, 1, 2].map((j) => [i, j] as const));
      const same = pairs.every(([i, j]) => at(i, j) === at(j, i));
      const [self, other] = [at(0, 0), at(0, 1)];
      return {
        right: same ? 0 : 1,
        shown: {
          en: `With W_q in both places all ${pairs.length} scores mirror each other: the dot product of two vectors made by one matrix has no direction. A cat scores itself ${self} and the verb ${other}: like finds like.`,
          zh: `两处都用 W_q，${pairs.length} 个分数全部对称：同一个矩阵变出的两个向量，点积不分方向。猫对自己的分数是 ${self}，对动词是 ${other}：同类只找同类。`,
        },
      };
    },
  },
};
export default step;
