import type { Fovea } from 'fovea';
import { frames, patches } from 'fovea/ops';
import type { Matrix } from '../../../figures/matrix.ts';
import { at, fromRows } from '../../../figures/matrix.ts';
import type { Localized } from '../../../shell/localized.ts';
import type { Step } from '../step.ts';
import { gloss } from '../../../shell/gloss.ts';

export const THINGS = ['embedding', 'oneHot', 'patches', 'frames', 'nodes'] as const;
export type Thing = (typeof THINGS)[number];

const WORDS = { en: ['cat', 'dog', 'lion', 'car', 'truck'], zh: ['猫', '狗', '狮子', '轿车', '卡车'] };
const FEATURES = { en: ['animal', 'vehicle', 'at home', 'large'], zh: ['动物', '车', '家养', '大'] };
const EMBEDDING = [
  [1, 0, 1, 0],
  [1, 0, 0.9, 0.3],
  [1, 0, 0, 0.6],
  [0, 1, 0.3, 0.6],
  [0, 1, 0, 1],
];
/** Black is -1, white is 1. */
export const IMAGE = ['#..#..', '.#..#.', '..#..#', '..####', '.#.###', '#..###'].map((line) =>
  [...line].map((pixel) => (pixel === '#' ? -1 : 1)),
);
export const PATCH = 3;
/** A tone, silence, the tone once more. */
export const SIGNAL = Array.from({ length: 30 }, (_, t) => (t >= 12 && t < 18 ? 0 : [0, 1, 0, -1][t % 4]!));
export const FRAME = { length: 8, shift: 4 };
/** Where the nodes stand in their picture; each has three features. */
export const NODES = [
  { x: 20, y: 24, features: [1, 0, 1] },
  { x: 78, y: 16, features: [1, 0, 0] },
  { x: 52, y: 54, features: [0, 1, 1] },
  { x: 16, y: 88, features: [0, 1, 0] },
  { x: 86, y: 84, features: [1, 1, 1] },
];
export const EDGES = [
  [0, 1],
  [0, 2],
  [1, 2],
  [2, 3],
  [2, 4],
] as const;

export interface Rows {
  readonly X: Matrix;
  readonly rows: Localized<readonly string[]>;
  readonly cols: Localized<readonly string[]>;
}

const matrixOf = ({ data, shape }: { data: ArrayLike<number>; shape: readonly number[] }): Matrix => ({
  data,
  rows: shape[0] ?? 0,
  cols: shape[1] ?? 0,
});
const numbered = (count: number): Localized<readonly string[]> => {
  const names = Array.from({ length: count }, (_, i) => String(i + 1));
  return { en: names, zh: names };
};

/** Things as the rows of a matrix. */
export function rowsOf(fovea: Fovea, thing: Thing): Rows {
  if (thing === 'oneHot') {
    const X = fromRows(WORDS.en.map((_, i) => WORDS.en.map((_, j) => Number(i === j))));
    return { X, rows: WORDS, cols: numbered(X.cols) };
  }
  if (thing === 'embedding') return { X: fromRows(EMBEDDING), rows: WORDS, cols: FEATURES };
  const X =
    thing === 'nodes'
      ? fromRows(NODES.map(({ features }) => features))
      : thing === 'frames'
        ? matrixOf(frames(fovea, { data: Float32Array.from(SIGNAL), shape: [SIGNAL.length] }, FRAME))
        : matrixOf(patches(fovea, { data: Float32Array.from(IMAGE.flat()), shape: [6, 6, 1] }, { size: PATCH }));
  return { X, rows: numbered(X.rows), cols: numbered(X.cols) };
}

/** The dot product of every row with every row. */
export function scoresOf(fovea: Fovea, X: Matrix): Matrix {
  const x = { data: Float32Array.from(X.data), shape: [X.rows, X.cols] };
  return matrixOf(fovea.attention(x, x, x, { scale: 1, returnLogits: 'raw' }).logits);
}

export const messages = {
  things: { en: 'Things', zh: '事物' },
  names: {
    oneHot: { en: 'words, one-hot', zh: '词，独热' },
    embedding: { en: 'words, embedded', zh: '词，词嵌入' },
    patches: { en: 'image', zh: '图像' },
    frames: { en: 'speech', zh: '语音' },
    nodes: { en: 'graph', zh: '图（节点与边）' },
  },
  row: {
    oneHot: { en: 'word', zh: '词' },
    embedding: { en: 'word', zh: '词' },
    patches: { en: 'patch', zh: '图像块' },
    frames: { en: 'frame', zh: '帧' },
    nodes: { en: 'node', zh: '节点' },
  },
  component: { en: 'component', zh: '分量' },
  number: { en: 'number', zh: '数值' },
  score: { en: 'dot product', zh: '点积' },
  picture: {
    patches: { en: 'An image of 6×6 pixels, cut into 4 patches of 3×3', zh: '6×6 像素的图像，切成 4 个 3×3 的图像块' },
    frames: {
      en: `A signal of ${SIGNAL.length} samples, cut into frames of ${FRAME.length}, each ${FRAME.shift} later`,
      zh: `${SIGNAL.length} 个采样点的信号，每 ${FRAME.length} 个一帧，每帧后移 ${FRAME.shift} 个`,
    },
    nodes: { en: 'A graph: 5 nodes, each with three features', zh: '一张图：5 个节点，每个有三个特征' },
  },
  seen: {
    oneHot: {
      en: (pair: string, other: string) =>
        `Cat and dog score ${pair}, cat and truck ${other}: one-hot vectors know only whether two words are the same.`,
      zh: (pair: string, other: string) => `猫和狗的点积是 ${pair}，猫和卡车是 ${other}：独热向量只分得清是不是同一个词。`,
    },
    embedding: {
      en: (pair: string, other: string) =>
        `Cat and dog score ${pair}, cat and truck ${other}: words alike in meaning lie close.`,
      zh: (pair: string, other: string) => `猫和狗的点积是 ${pair}，猫和卡车是 ${other}：意思相近的词，向量也相近。`,
    },
    patches: {
      en: (pair: string, other: string) => `Patches 1 and 2 are alike: ${pair}. Patches 1 and 3 differ: ${other}.`,
      zh: (pair: string, other: string) => `图像块 1 和 2 相同：${pair}；1 和 3 不同：${other}。`,
    },
    frames: {
      en: (pair: string, other: string) => `Frames 1 and 2 carry the same tone: ${pair}. Frame 4 is mostly silence: ${other}.`,
      zh: (pair: string, other: string) => `第 1、2 帧是同一个音：${pair}；第 4 帧大半是静音：${other}。`,
    },
    nodes: {
      en: (pair: string, other: string) => `Nodes 1 and 2 share ${pair} feature, nodes 1 and 4 ${other}.`,
      zh: (pair: string, other: string) => `节点 1 和 2 有 ${pair} 个共同特征，1 和 4 有 ${other} 个。`,
    },
  },
  tasks: { en: 'Three kinds of tasks, whatever the rows are:', zh: '不论行代表什么，任务都有三类：' },
  kinds: [
    { size: 'n → n', text: { en: 'a label for each row (sequence labeling)', zh: '每一行一个标签（序列标注）' } },
    { size: 'n → 1', text: { en: 'one label for all of them', zh: '整体一个标签' } },
    { size: 'n → m', text: { en: 'a new sequence (sequence to sequence)', zh: '一个新序列（序列到序列）' } },
  ],
};

const step: Step = {
  title: { en: 'Things become vectors', zh: '万物皆可成向量' },
  body: {
    en: `Attention sees rows of numbers only. A one-hot${gloss('独热')} vector has a single 1, at its word’s own place. An embedding${gloss('嵌入')} puts like words near each other: their dot product${gloss('点积')}, or score, is large. Pieces of an image, of speech, of a graph become rows too.`,
    zh: `注意力只看得见一行行数。独热${gloss('one-hot')}向量只有一个 1，位置各词不同；嵌入${gloss('embedding')}让相近的词靠近，点积${gloss('dot product')}就大。图像的小块、语音的帧、图的节点，也都变成一行。`,
  },
  doThis: {
    en: 'Which pairs of words score high? Answer the question, then switch the words to one-hot. Look at the image, the speech and the graph, too.',
    zh: '哪些词对的点积大？先回答下面的问题，再把词换成独热。也看看图像、语音和图。',
  },
  check: {
    id: 'one_hot_score',
    question: {
      en: 'As one-hot vectors, how do cat and dog score?',
      zh: '用独热向量时，猫和狗的点积是多少？',
    },
    choices: [
      { en: '0, as any two different words', zh: '0，任何两个不同的词都一样' },
      { en: 'More than cat and truck, both are animals', zh: '比猫和卡车大，因为都是动物' },
      { en: '1', zh: '1' },
    ],
    reveal: (fovea) => {
      const [words, meanings] = (['oneHot', 'embedding'] as const).map((thing) => scoresOf(fovea, rowsOf(fovea, thing).X));
      const [alone, truck, embedded] = [at(words!, 0, 1), at(words!, 0, 4), at(meanings!, 0, 1).toFixed(1)];
      return {
        right: alone === 1 ? 2 : alone > truck ? 1 : 0,
        shown: {
          en: `The score is ${alone}, and so is that of cat and truck (${truck}). In the embedding cat and dog score ${embedded}.`,
          zh: `点积是 ${alone}，猫和卡车也是 ${truck}。换成词嵌入，猫和狗是 ${embedded}。`,
        },
      };
    },
  },
};
export default step;
