import type { Lesson } from './lesson.ts';
import { computed, isNear, list, rowOf, show } from './numbers.ts';

export default {
  question: {
    en: 'What if the score is asked for a position, not for a word?',
    zh: '如果打分时问的是位置，而不是词，会怎样？',
  },
  doThis: {
    en: 'Change a number of the keys and watch the weights. Then switch the score to the dot product and change it again.',
    zh: '改动键里的一个数，看权重怎样变。再把打分函数换成点积，改一次。',
  },
  live: (trace) => {
    const weight = show(rowOf(trace, 'weights', 1)[1] ?? 0);
    return {
      en: `At step 2 position 2 gets ${weight}, though the three words are the same.`,
      zh: `第 2 步，位置 2 的权重是 ${weight}，尽管三个词一模一样。`,
    };
  },
  contrast: {
    id: 'dot',
    text: {
      en: 'The dot product of three equal keys is three equal scores: by content alone they get a third each.',
      zh: '三个相同的键，点积也相同：只凭内容，每个只能得到三分之一。',
    },
  },
  history: {
    en: 'Luong (2015) tried it as the simplest score. It knows as many positions as W has rows. Local attention and positional encodings took its part.',
    zh: 'Luong（2015）把它当作最简单的打分。W 有几行就只认得几个位置；后来由局部注意力和位置编码接替。',
  },
  predictions: [
    {
      id: 'other_word',
      question: {
        en: 'The second word is exchanged for another one. Do the weights of step 2 change?',
        zh: '把第二个词换成别的词，第 2 步的权重会变吗？',
      },
      choices: [
        { en: 'Yes', zh: '会' },
        { en: 'No', zh: '不会' },
      ],
      reveal: (fovea) => {
        const weights = (second: number[]) =>
          computed(fovea, 'location', 'weights', {
            inputs: { q: [[0, 1, 0]], k: [[1, 1, 1], second, [1, 1, 1]], v: [[1], [2], [3]] },
          });
        const [before, after] = [weights([1, 1, 1]), weights([0, 9, 0])];
        const shown = list(after);
        return {
          right: isNear(before, after) ? 1 : 0,
          shown: { en: `They stay ${shown.en}: no key takes part in the score.`, zh: `仍是 ${shown.zh}：键根本没有参与打分。` },
        };
      },
    },
  ],
} satisfies Lesson;
