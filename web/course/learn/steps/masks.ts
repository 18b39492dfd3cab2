import type { Fovea } from 'fovea';
import { kvCache } from 'fovea/cache';
import type { Matrix } from '../../../figures/matrix.ts';
import { at, nested, row } from '../../../figures/matrix.ts';
import type { Localized } from '../../../shell/localized.ts';
import { embed } from '../../../text/vectors.ts';
import type { Step } from '../step.ts';
import { gloss } from '../../../shell/gloss.ts';

/** Words that are not filler. */
const LENGTH = 5;
/** The shorter sentence of a batch: its end is filled up. Both repeat their first word, and so have the same numbers. */
export const WORDS = { en: ['the', 'cat', 'chases', 'the', 'mouse', '[pad]'], zh: ['那', '猫', '追', '那', '老鼠', '[填充]'] };
export const SIZE = WORDS.en.length;
const X = nested(embed(WORDS.en, true).X);
const WIDTH = X[0]!.length;
/** Weak scores: no row puts everything on one word. */
const SCALE = 0.25;

export interface Masks {
  readonly causal: boolean;
  readonly padding: boolean;
}

/** 1 where a pair may not attend. */
export function masked({ causal, padding }: Masks): Matrix {
  const data = Float32Array.from({ length: SIZE * SIZE }, (_, pair) => {
    const [query, key] = [Math.floor(pair / SIZE), pair % SIZE];
    return Number((causal && key > query) || (padding && key >= LENGTH));
  });
  return { data, rows: SIZE, cols: SIZE };
}

/** All rows in one call. */
export function atOnce(fovea: Fovea, { causal, padding }: Masks): Matrix {
  const mask = { data: Uint8Array.from(WORDS.en, (_, key) => Number(!padding || key < LENGTH)), shape: [1, SIZE] };
  const { weights } = fovea.attention(X, X, X, { scale: SCALE, causal, mask, returnWeights: true });
  return { data: Float32Array.from(weights.data), rows: SIZE, cols: SIZE };
}

/** A call a word: its key and value join the cache, its query reads the cache. Rows of words not yet written are zero. */
export function wordByWord(fovea: Fovea, written: number): Matrix {
  const cache = kvCache(fovea, { kvHeads: 1, width: WIDTH, capacity: SIZE });
  const data = new Float32Array(SIZE * SIZE);
  try {
    for (let word = 0; word < written; word++) {
      const x = { data: Float32Array.from(X[word]!), shape: [1, 1, WIDTH] };
      cache.append(x, x);
      const { weights } = fovea.attention(x, cache, { scale: SCALE, returnWeights: true });
      data.set(weights.data, word * SIZE);
    }
  } finally {
    cache.dispose();
  }
  return { data, rows: SIZE, cols: SIZE };
}

/** 1 in rows that are not yet written, and after the word itself. */
export function unwritten(written: number): Matrix {
  const data = Float32Array.from({ length: SIZE * SIZE }, (_, pair) => {
    const [query, key] = [Math.floor(pair / SIZE), pair % SIZE];
    return Number(query >= written || key > query);
  });
  return { data, rows: SIZE, cols: SIZE };
}

/** The largest difference in the rows written so far. */
export function apart(a: Matrix, b: Matrix, written: number): number {
  return Math.max(
    ...Array.from({ length: written }, (_, i) => Math.max(...row(a, i).map((x, j) => Math.abs(x - at(b, i, j))))),
  );
}

export const messages = {
  masks: { en: 'Masks', zh: '掩码' },
  causal: { en: 'Causal: no word sees later ones', zh: '因果掩码：看不到后面的词' },
  padding: { en: 'Padding: none sees [pad]', zh: '填充掩码：看不到 [填充]' },
  query: { en: 'query', zh: '查询' },
  key: { en: 'key', zh: '键' },
  weight: { en: 'weight', zh: '权重' },
  atOnce: { en: 'All words at once, with masks', zh: '所有词一次算完，加掩码' },
  wordByWord: { en: 'Word by word, with the keys kept', zh: '逐词计算，保留以前的键' },
  written: { en: 'Words so far', zh: '已写出的词' },
  place: { en: (word: number, of: number) => `${word} of ${of}`, zh: (word: number, of: number) => `${word} / ${of}` },
  back: { en: 'One word less', zh: '少一个词' },
  on: { en: 'Next word', zh: '下一个词' },
  hatched: { en: 'Hatched: masked, or not yet written. Computed live.', zh: '斜线：被掩码，或尚未写出。数值为实时计算。' },
  same: {
    en: (rows: number, most: string) =>
      `Rows 1 to ${rows} agree on both sides (largest difference ${most}): a model trained with the causal mask can write word by word.`,
    zh: (rows: number, most: string) => `第 1 到 ${rows} 行两边一致（最大相差 ${most}）：用因果掩码训练的模型，可以逐词生成。`,
  },
  other: {
    en: (rows: number, most: string) =>
      `In rows 1 to ${rows} the two sides differ by up to ${most}: at the left words see what is not yet written.`,
    zh: (rows: number, most: string) => `第 1 到 ${rows} 行两边最多相差 ${most}：左边的词看到了还没写出的词。`,
  },
} satisfies Record<string, Localized<unknown>>;

const step: Step = {
  title: { en: 'Masks and decoding', zh: '掩码与逐词生成' },
  body: {
    en: `A mask${gloss('掩码')} sets scores to −∞. The padding mask hides filler; the causal mask hides later words: a model that writes word by word cannot have read them. Each new word needs one row only; the keys and values of earlier words are kept, the KV cache.`,
    zh: `掩码${gloss('mask')}把分数设为 −∞。填充掩码遮住补位符；因果掩码遮住后面的词：逐词生成的模型还没写到那里。每写一个新词只需算一行，以前的键和值都保留着，这就是键值缓存${gloss('KV cache')}。`,
  },
  doThis: {
    en: 'Write word after word and compare the rows. Then switch the causal mask off.',
    zh: '一个词一个词地写下去，比较两边的行；然后关掉因果掩码。',
  },
  check: {
    id: 'whole_row_masked',
    question: {
      en: 'Every key of a query is masked. What are its weights?',
      zh: '一个查询的所有键都被掩码，它的权重是多少？',
    },
    choices: [
      { en: 'All equal, so that they sum to 1', zh: '全部相等，和为 1' },
      { en: 'All zero', zh: '全为 0' },
    ],
    reveal: (fovea) => {
      const mask = { data: new Uint8Array(SIZE), shape: [1, SIZE] };
      const { weights, output } = fovea.attention(X, X, X, { scale: SCALE, mask, returnWeights: true });
      const [most, out] = [weights, output].map(({ data }) => Math.max(...Array.from(data as Float32Array, Math.abs)));
      return {
        right: most === 0 ? 1 : 0,
        shown: {
          en: `The largest weight is ${most}, the largest number of the output ${out}. By its formula softmax would divide 0 by 0: the weights are all zero here; many libraries give NaN.`,
          zh: `最大的权重是 ${most}，输出中最大的数是 ${out}。照 softmax 的公式是 0 除以 0：这里权重全为 0，许多库给出 NaN。`,
        },
      };
    },
  },
  further: [{ path: 'transformer-generate', text: { en: 'A Transformer that writes', zh: '会写句子的 Transformer' } }],
};
export default step;
