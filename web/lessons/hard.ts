import type { Lesson } from './lesson.ts';
import { computed, isNear, list, rowOf } from './numbers.ts';

export default {
  question: { en: 'Why mix values at all, and not take the best one?', zh: '为什么要混合各个值，而不只取最好的一个？' },
  doThis: {
    en: 'Drag the score of token 3 past that of token 2: the output jumps. With softmax it glides.',
    zh: '把词元 3 的分数拖到超过词元 2：输出突然跳变。换成 softmax，它会平滑地变化。',
  },
  live: (trace) => {
    const [weights, output] = [list(rowOf(trace, 'weights', 2)), list(rowOf(trace, 'output', 2))];
    return {
      en: `The third query’s weights are ${weights.en}; its output ${output.en} is one value, unmixed.`,
      zh: `第三个查询的权重是 ${weights.zh}，输出 ${output.zh} 就是其中一个值，没有混合。`,
    };
  },
  contrast: {
    id: 'scaled_dot',
    text: {
      en: 'Softmax leaves every key a share, so a small change of a score changes the output a little, and gradients can flow.',
      zh: 'softmax 给每个键都留一份，分数变一点，输出就变一点，梯度因此可以传回去。',
    },
  },
  history: {
    en: 'Soft attention reads every position; hard attention reads one, which is cheap, but argmax has no gradient. It needs sampling and policy gradients; sparse normalizers offer a way between.',
    zh: '软性注意力要读所有位置，硬性注意力只读一个，省计算；但 argmax 没有梯度，要靠采样和策略梯度训练。稀疏的归一化是折中。',
  },
  predictions: [
    {
      id: 'nearly_best',
      question: {
        en: 'Scores 4, 12, 10: the third rises to 11.9. Does the output change?',
        zh: '分数是 4、12、10，第三个升到 11.9，输出会变吗？',
      },
      choices: [
        { en: 'Yes', zh: '会' },
        { en: 'No', zh: '不会' },
      ],
      reveal: (fovea) => {
        const output = (third: number) =>
          computed(fovea, 'hard', 'output', { inputs: { q: [[1]], k: [[4], [12], [third]], v: [[1, 2], [2, 8], [2, 6]] } }); // prettier-ignore
        const [before, after] = [output(10), output(11.9)];
        const shown = list(after);
        return {
          right: isNear(before, after) ? 1 : 0,
          shown: { en: `It stays ${shown.en}: second place counts for nothing.`, zh: `仍是 ${shown.zh}：第二名等于没有。` },
        };
      },
    },
  ],
} satisfies Lesson;
