import type { Fovea } from 'fovea';
import { run } from 'fovea/catalog';
import type { Lesson } from './lesson.ts';
import { list, rowOf } from './numbers.ts';

/** The outputs for the last word. */
const lastRow = (fovea: Fovea, x: readonly (readonly number[])[]): number[] =>
  rowOf(run(fovea, 'fully_connected', { x }).trace, 'output', x.length - 1);

export default {
  question: { en: 'How far can a net see that has no attention?', zh: '没有注意力的网络，能看多远？' },
  doThis: {
    en: 'Choose each “saw” and read its label. Then let the net see this word alone: both get the same outputs.',
    zh: '分别选两个“画”，读出标签。再让网络只看这个词：两者的输出就一样了。',
  },
  live: (trace) => {
    const [first, second] = [list(rowOf(trace, 'output', 1)), list(rowOf(trace, 'output', 3))];
    return {
      en: `Outputs for pronoun, verb, article, noun: the first “saw” ${first.en}, the second ${second.en}.`,
      zh: `代词、动词、数量词、名词四个输出：第一个“画”是 ${first.zh}，第二个是 ${second.zh}。`,
    };
  },
  contrast: {
    id: 'scaled_dot',
    text: {
      en: 'Its weights are fixed once and for all, one for each position of the window. Attention makes its weights from each text, and reaches any position.',
      zh: '它的权重一旦定下就不变，窗口里每个位置各有一份；注意力每次根据文本现算权重，多远都够得着。',
    },
  },
  history: {
    en: 'A net for each word alone cannot tell two equal words apart. NETtalk (1987) gave it a window; a wider one needs more weights, and texts differ in length. Recurrent nets, then self-attention replaced it.',
    zh: '逐词的网络分不清两个相同的词。NETtalk（1987）给它一个窗口；窗口越大参数越多，文本又长短不一。后来被循环网络、再被自注意力取代。',
  },
  predictions: [
    {
      id: 'word_between',
      question: {
        en: 'A word stands between: “I often saw”. Does the net still call “saw” a verb?',
        zh: '中间插一个词：“我常画”。网络还会把“画”认作动词吗？',
      },
      choices: [
        { en: 'Yes', zh: '会' },
        { en: 'No', zh: '不会' },
      ],
      reveal: (fovea) => {
        const x = [[1, 0, 0], [0, 0, 0], [0, 1, 0]]; // prettier-ignore
        const output = lastRow(fovea, x);
        const shown = list(output);
        return {
          right: (output[1] ?? 0) > 0 ? 0 : 1,
          shown: {
            en: `Its outputs are ${shown.en}: “I” has left the window of one word on each side.`,
            zh: `四个输出是 ${shown.zh}：“我”已经落在左右各一个词的窗口之外。`,
          },
        };
      },
    },
  ],
} satisfies Lesson;
