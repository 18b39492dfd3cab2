import type { Fovea } from 'fovea';
import { pattern } from 'fovea/pattern';
import type { Localized } from '../../../shell/localized.ts';
import type { Step } from '../step.ts';
import { gloss } from '../../../shell/gloss.ts';

/** A word sees itself and so many on each side. */
const SIDE = 64;
const neighbors = pattern.window(SIDE, SIDE);
/** Of linear attention: a state of FEATURES rows takes the place of the keys. */
export const FEATURES = 64;

export interface Cost {
  readonly dense: number;
  readonly window: number;
  readonly linear: number;
}

/** Pairs of n words with one another; of linear attention the features that n words are multiplied with. */
export function costOf(fovea: Fovea, n: number): Cost {
  const share = n === 0 ? 0 : neighbors.density(fovea, { queries: n, keys: n });
  return { dense: n * n, window: Math.round(share * n * n), linear: n * FEATURES };
}

export const KINDS = [
  { id: 'dense', ink: 'var(--negative)' },
  { id: 'window', ink: 'var(--positive)' },
  { id: 'linear', ink: 'var(--value)' },
] as const;

export const messages = {
  words: { en: 'Words', zh: '词数' },
  place: { en: (n: string) => `n = ${n}`, zh: (n: string) => `n = ${n}` },
  back: { en: 'Half as many', zh: '减半' },
  on: { en: 'Twice as many', zh: '加倍' },
  way: { en: 'Way', zh: '方式' },
  count: { en: 'Comparisons', zh: '比较次数' },
  memory: { en: 'As a matrix of weights', zh: '存成权重矩阵' },
  dense: { en: 'all pairs: n·n', zh: '所有配对：n·n' },
  window: { en: `window: ${SIDE} on each side`, zh: `窗口：左右各 ${SIDE}` },
  linear: { en: `linear: n·${FEATURES} features`, zh: `线性：n·${FEATURES} 个特征` },
  none: { en: 'none needed', zh: '不需要' },
  axis: { en: 'words n', zh: '词数 n' },
  units: {
    en: ['comparisons', 'thousands of comparisons', 'millions of comparisons', 'billions of comparisons'],
    zh: ['比较次数', '比较次数（千）', '比较次数（百万）', '比较次数（十亿）'],
  },
  curve: { en: 'Comparisons by the number of words', zh: '比较次数随词数的变化' },
  seen: {
    en: (n: string, times: string) => `With ${n} words, all pairs take ${times} times as many comparisons as the window.`,
    zh: (n: string, times: string) => `${n} 个词时，所有配对的比较次数是窗口的 ${times} 倍。`,
  },
  alike: {
    en: (n: string) => `With ${n} words the window reaches from end to end: it saves nothing yet.`,
    zh: (n: string) => `${n} 个词时，窗口还能盖住全文，没有省下什么。`,
  },
  provenance: { en: 'Pairs of the window counted live by the package.', zh: '窗口的配对数由软件包实时数出。' },
} satisfies Record<string, Localized<unknown>>;

const [SHORT, LONG] = [64, 128];

const step: Step = {
  title: { en: 'The cost, and the ways out', zh: '代价与出路' },
  body: {
    en: `Every word is compared with every word, so a long text is costly. Two ways out: sparse${gloss('稀疏')} attention leaves pairs out, as a window of neighbors does; linear${gloss('线性')} attention changes the order of multiplication: φ(Q)(φ(K)ᵀV), where no matrix of all pairs comes up at all.`,
    zh: `每个词都与每个词比较，所以长文本代价很高。出路有两条：稀疏${gloss('sparse')}注意力省去一些配对，例如只看窗口内的邻词；线性${gloss('linear')}注意力改变相乘的顺序，先算 φ(K)ᵀV，再用 φ(Q) 去乘，所有配对的矩阵根本不出现。`,
  },
  doThis: {
    en: 'Answer the question first. Then double the number of words until all pairs take a gigabyte, and watch the scale of the curve.',
    zh: '先回答问题，再不断加倍词数，直到所有配对要占 1 GB 以上。注意曲线的刻度。',
  },
  check: {
    id: 'twice_the_words',
    covers: ['picture'],
    question: { en: 'Twice as many words: how many scores?', zh: '词数变为两倍，分数的个数变为几倍？' },
    choices: [
      { en: 'Twice as many', zh: '两倍' },
      { en: 'Four times as many', zh: '四倍' },
      { en: 'Eight times as many', zh: '八倍' },
    ],
    reveal: (fovea) => {
      const [few, many] = [SHORT, LONG].map((n) => {
        const x = { data: new Float32Array(n), shape: [n, 1] };
        return fovea.attention(x, x, x, { returnWeights: true }).weights.data.length;
      }) as [number, number];
      return {
        right: [2, 4, 8].indexOf(many / few),
        shown: {
          en: `${SHORT} words had ${few} weights, ${LONG} words had ${many}: ${many / few} times as many. n words make n² scores.`,
          zh: `${SHORT} 个词有 ${few} 个权重，${LONG} 个词有 ${many} 个：${many / few} 倍。n 个词就有 n² 个分数。`,
        },
      };
    },
  },
  further: [
    { path: 'family/sparse', text: { en: 'Sparse', zh: '稀疏' } },
    { path: 'family/linear-and-low-rank', text: { en: 'Linear and low-rank', zh: '线性与低秩' } },
  ],
};
export default step;
