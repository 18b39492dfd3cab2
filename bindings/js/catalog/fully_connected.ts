import { fullyConnected as compute } from '../mechanisms/fully_connected.ts';
import { system } from './entry/define.ts';
import { texts } from './entry/papers.ts';
import { isNear, rowAt } from './entry/stage_values.ts';
import { readableWords, sparseMatrix } from './samples/words.ts';

const words = ['I', 'saw', 'a', 'saw'];
const classes = ['pronoun', 'verb', 'article', 'noun'];
const { vectors, axes, axis } = readableWords(words);
const inWindow = (offset: -1 | 0, word: string): number => (offset + 1) * axes.length + axis[word]!;
/** A unit for each class. A verb is “saw” after “I”, a noun “saw” after “a”: relu(1 + 1 - 1). */
const W1 = sparseMatrix(3 * axes.length, 4, [
  [inWindow(0, 'I'), 0, 1],
  [inWindow(0, 'saw'), 1, 1],
  [inWindow(-1, 'I'), 1, 1],
  [inWindow(0, 'a'), 2, 1],
  [inWindow(0, 'saw'), 3, 1],
  [inWindow(-1, 'a'), 3, 1],
]);
const b1 = [0, -1, 0, -1];

const inWords: Readonly<Record<string, string>> = { I: '我', saw: '画', a: '一张' };
const inPlaces: Readonly<Record<string, string>> = { before: '在前', here: '在本处', after: '在后' };
/** "saw before" and the words themselves. Chinese has a measure word where English has an article. */
const inChinese = Object.fromEntries([
  ...Object.entries(inWords),
  ...axes.flatMap((word) => Object.entries(inPlaces).map(([place, zh]) => [`${word} ${place}`, `${inWords[word]}${zh}`])),
  ['article', '数量词'],
]);

export default system({
  id: 'fully_connected',
  family: 'basics',
  title: { en: 'Fully connected net over a window', zh: '窗口上的全连接网络' },
  aliases: ['feed-forward net per token', 'context window', 'NETtalk', '全连接网络', '序列标注'],
  notations: [
    {
      text: texts.chapter,
      writes: { en: '5 frames before and after (11 in all)', zh: '前后 5 个帧（共 11 个帧）' },
      means: 'context: 5',
    },
  ],
  paper: {
    authors: 'Sejnowski, Rosenberg',
    title: 'Parallel Networks that Learn to Pronounce English Text',
    year: 1987,
  },
  equation: 'y_t = \\operatorname{act}([x_{t-c}; \\dots; x_{t+c}]\\, W_1 + b_1)\\, W_2 + b_2',
  parent: null,
  complexity: {
    letters: ['T', 'c', 'D', 'A'],
    sizes: { T: words.length, c: 1, D: axes.length, A: 4 },
    pairs: () => 0,
    multiplyAdds: ({ T, c, D, A }) => T! * (2 * c! + 1) * D! * A!,
  },
  defaults: {
    inputs: { x: vectors },
    params: { W1, b1 },
    options: { context: 1 },
    labels: {
      x: [words, axes],
      W1: [['before', 'here', 'after'].flatMap((place) => axes.map((word) => `${word} ${place}`)), classes],
      b1: [classes],
    },
    claim: {
      text: {
        en: 'In “I saw a saw” a window of one word on each side tells the two apart: the first “saw” is a verb, the second a noun. Without a window both would get the same label.',
        zh: '在“我画一张画”里，左右各看一个词就能分清：第一个“画”是动词，第二个是名词。不看窗口，两个“画”的标签必然相同。',
      },
      tolerance: 0,
      holds: (trace) =>
        classes.every((_, label) =>
          rowAt(trace, 'output', [label]).every((output, n) => isNear(output, Number(n === label), 0)),
        ),
    },
    // One net for each word alone: “saw” gives one answer, wherever it stands.
    contrast: { params: { W1: W1.slice(axes.length, 2 * axes.length), b1: [0, 0, 0, 0] }, options: { context: 0 } },
  },
  chineseLabels: inChinese,
  compute,
});
