import { run } from 'fovea/catalog';
import type { Lesson } from './lesson.ts';
import { rowOf, show } from './numbers.ts';

const ID = 'convolution_attention';
/** The pixel left of the edge in the second row. */
const PIXEL = 5;

export default {
  question: { en: 'Can attention do exactly what a convolution does?', zh: '注意力能做得与卷积一模一样吗？' },
  doThis: {
    en: 'Lower α and watch the nine heads and their sum. Raise it again; press pixels of the image to change them.',
    zh: '把 α 调小，看九个头和它们的和怎样变。再调大；点图像里的像素可以改变它。',
  },
  live: (trace) => {
    const [attended = 0] = rowOf(trace, 'output', PIXEL);
    const [convolved = 0] = rowOf(trace, 'convolution', PIXEL);
    return {
      en: `At the edge, row 2 and column 2, nine heads give ${show(attended)}, the convolution ${show(convolved)}.`,
      zh: `边缘处第 2 行（row）第 2 列（column），九个头给出 ${show(attended)}，卷积给出 ${show(convolved)}。`,
    };
  },
  contrast: {
    id: 'image_self_attention',
    text: {
      en: 'There weights follow content. Here the score knows positions alone: each head looks at one, whatever is there.',
      zh: '那里的权重随内容而变；这里的分数只认位置：每个头盯住一个位置，不管那里是什么。',
    },
  },
  history: {
    en: 'Were attention and convolution rivals, or relatives? A proof (2020) showed convolution as a special case. It replaced nothing; it explained why attention needs more data, and hybrids of both (Conformer) followed.',
    zh: '注意力与卷积是对手还是亲戚？2020 年证明了卷积是自注意力的特例。它没有取代谁，却说明了自注意力为什么需要更多数据；两者合用的模型（如 Conformer）随后流行。',
  },
  predictions: [
    {
      id: 'alpha_zero',
      question: { en: 'α = 0: where do the nine heads look?', zh: 'α = 0 时，九个头看向哪里？' },
      choices: [
        { en: 'at their own position', zh: '仍看各自的位置' },
        { en: 'everywhere alike', zh: '处处一样多' },
        { en: 'nowhere', zh: '哪儿也不看' },
      ],
      reveal: (fovea) => {
        const { trace } = run(fovea, ID, undefined, undefined, { alpha: 0 });
        const row = rowOf(trace, 'weights', PIXEL);
        const [least, most] = [Math.min(...row), Math.max(...row)];
        const output = rowOf(trace, 'output', PIXEL)[0] ?? 0;
        return {
          right: most === 0 ? 2 : most - least < 1e-6 ? 1 : 0,
          shown: {
            en: `Each of ${row.length} positions gets ${show(most)}. All heads read the same mean, and the kernel’s numbers, which sum to 0, give ${show(output)}.`,
            zh: `${row.length} 个位置各得 ${show(most)}。所有头读到同一个平均值，而卷积核各数之和为 0，输出就是 ${show(output)}。`,
          },
        };
      },
    },
  ],
  textbook: [
    {
      writes: { en: 'people set the receptive field of a convolution', zh: '卷积的感受野大小由人决定' },
      means: {
        en: 'Nine heads at nine positions make the 3×3 field here. A learned attention chooses its field itself.',
        zh: '这里九个头占九个位置，合成 3×3 的感受野；学出来的注意力自己决定感受野。',
      },
    },
  ],
} satisfies Lesson;
