import type { Fovea } from 'fovea';
import { list, run } from 'fovea/catalog';
import type { Matrix } from '../../../figures/matrix.ts';
import { row } from '../../../figures/matrix.ts';
import { slices } from '../../../families/self_attention/maps.ts';
import type { Localized } from '../../../shell/localized.ts';
import type { Step } from '../step.ts';
import { gloss } from '../../../shell/gloss.ts';

export const WORDS = { en: ['I', 'saw', 'a', 'saw'], zh: ['我', '画', '一张', '画'] };
/** The two words that are spelled alike. */
export const [FIRST, SECOND] = [1, 3] as const;

export interface Reading {
  readonly weights: Matrix;
  readonly outputs: readonly [readonly number[], readonly number[]];
  readonly difference: readonly number[];
  /** The largest of the differences, without its sign. */
  readonly apart: number;
}

/** "I saw a saw" with the table of positions, or with a table of zeros. */
export function read(fovea: Fovea, positions: boolean): Reading {
  const { contrast } = list().find(({ id }) => id === 'learned_positions')!.defaults;
  const { trace } = run(fovea, 'learned_positions', undefined, positions ? undefined : contrast.params);
  const stage = (name: string): Matrix => slices(trace.find((one) => one.name === name)!)[0]!;
  const output = stage('output');
  const outputs = [row(output, FIRST), row(output, SECOND)] as const;
  const difference = outputs[0].map((x, i) => x - outputs[1][i]!);
  return { weights: stage('weights'), outputs, difference, apart: Math.max(...difference.map(Math.abs)) };
}

export const messages = {
  switch: { en: 'Positions', zh: '位置' },
  off: { en: 'off', zh: '关' },
  on: { en: 'on', zh: '开' },
  query: { en: 'query', zh: '查询' },
  key: { en: 'key', zh: '键' },
  weight: { en: 'weight', zh: '权重' },
  outputs: { en: 'The two outputs of “saw”', zh: '两个“画”的输出' },
  first: { en: 'saw, word 2', zh: '画，第 2 词' },
  second: { en: 'saw, word 4', zh: '画，第 4 词' },
  difference: { en: 'difference', zh: '相差' },
  equal: {
    en: 'Without positions the two rows are exactly equal: the order of the words is lost.',
    zh: '没有位置时两行完全相等：词的顺序丢失了。',
  },
  different: {
    en: (most: string) => `With positions each saw finds the word before it, and the outputs differ by up to ${most}.`,
    zh: (most: string) => `有了位置，每个“画”都找到自己前面的词，输出最多相差 ${most}。`,
  },
  provenance: { en: 'Weights set by hand; computed live.', zh: '权重为手工设定，数值为实时计算。' },
} satisfies Record<string, Localized<unknown>>;

const step: Step = {
  title: { en: 'Positions', zh: '位置' },
  body: {
    en: `Attention compares vectors. A position vector${gloss('位置编码')} says where a word stands; it is added to the word before the queries and keys are made, so that a head can ask for “the word before me”. What does attention know of the order of the words without it?`,
    zh: `注意力比较的是向量。位置编码${gloss('position encoding')}表示词排在哪里；在求查询和键之前把它加到词上，一个头就能问“我前面是哪个词”。没有它，注意力对词的顺序知道多少？`,
  },
  doThis: {
    en: 'Choose the first saw, then the second. Then switch positions on and choose them again.',
    zh: '先选第一个“画”，再选第二个；然后打开位置，再各选一次。',
  },
  check: {
    id: 'two_saws',
    covers: ['outputs'],
    question: {
      en: 'Are the two outputs for saw equal when positions are off?',
      zh: '关掉位置时，两个“画”的输出相等吗？',
    },
    choices: [
      { en: 'Yes, exactly', zh: '相等，完全一样' },
      { en: 'No, their neighbors differ', zh: '不相等，它们的邻词不同' },
    ],
    reveal: (fovea) => {
      const [without, withThem] = [read(fovea, false).apart, read(fovea, true).apart];
      return {
        right: without === 0 ? 0 : 1,
        shown: {
          en: `Off, they differ by ${without}: swap two words, and the same outputs come out, swapped. On, they differ by up to ${withThem.toFixed(2)}.`,
          zh: `关掉时相差 ${without}：交换两个词，得到的还是原来的输出，只是换了位置。打开后最多相差 ${withThem.toFixed(2)}。`,
        },
      };
    },
  },
  further: [
    { path: 'sinusoidal', text: { en: 'Sinusoidal positions', zh: '正弦位置编码' } },
    { path: 'rope', text: { en: 'Rotary positions', zh: '旋转位置编码' } },
  ],
};
export default step;
