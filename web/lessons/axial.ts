import { xformerCost } from 'fovea/mechanisms';
import { valueAt } from '../stages/read_trace.ts';
import type { Lesson } from './lesson.ts';
import { show } from './numbers.ts';

const SIDE = 32;

export default {
  question: { en: 'How can a pixel see the whole picture in two passes?', zh: '一个像素怎样只看两遍就看到整幅图？' },
  doThis: {
    en: 'Choose a pixel and step through: first its row, then its column. Then look along the rows twice: the other rows stay out of sight.',
    zh: '选一个像素，逐步看：先沿行（row），再沿列（column）。然后改成两遍都沿行：别的行就看不到了。',
  },
  live: (trace) => {
    const [first, second, both] = [
      valueAt(trace, 'firstWeights', [5, 4]),
      valueAt(trace, 'secondWeights', [5, 1]),
      valueAt(trace, 'output', [5, 11]),
    ].map((x) => show(x));
    return {
      en: `The first pass gives each pixel of the row ${first}, the second each of the column ${second}. After both, the corner far away has a share of ${both}.`,
      zh: `第一遍给同一行（row）的每个像素 ${first}，第二遍给同一列（column）的每个像素 ${second}。两遍之后，远处角上的像素占 ${both}。`,
    };
  },
  contrast: {
    id: 'atrous',
    text: {
      en: 'A column of a picture is a stride through its rows laid end to end. Axial attention makes two calls, atrous attention one.',
      zh: '把图像逐行接成一串，一列就是固定步幅的位置。轴向注意力分两次计算，空洞自注意力只算一次。',
    },
  },
  history: {
    en: 'A picture of 64 by 64 has 4096 pixels, nearly 17 million pairs. Axial attention (2019) goes along each axis in turn; vision models later preferred patches and windows, video models still split space and time.',
    zh: '64×64 的图有 4096 个像素，近 1700 万对。轴向注意力（2019）沿各轴依次计算；后来的视觉模型更多用图像块和窗口，视频模型仍把空间与时间分开。',
  },
  predictions: [
    {
      id: 'axial_pairs',
      question: {
        en: 'A picture of 32 × 32. Along rows, then along columns: how much of all pairs is computed?',
        zh: '32×32 的图，先沿行（row）再沿列（column），算了所有配对的多少？',
      },
      choices: [
        { en: 'a half', zh: '一半' },
        { en: 'a sixteenth', zh: '十六分之一' },
        { en: 'a thousandth', zh: '千分之一' },
      ],
      reveal: (fovea) => {
        const { full, axial } = xformerCost(
          fovea,
          {},
          {},
          { n: SIDE * SIDE, d: 1, kinds: { full: {}, axial: { shape: [SIDE, SIDE] } } },
        );
        const share = full.pairs / axial.pairs;
        return {
          right: [2, 16].includes(share) ? [2, 16].indexOf(share) : 2,
          shown: {
            en: `${axial.pairs} of ${full.pairs} pairs: each of 1024 pixels meets 32 in its row and 32 in its column, 1/${share} of all.`,
            zh: `${full.pairs} 对中的 ${axial.pairs} 对：1024 个像素各看行里的 32 个和列里的 32 个，是全部的 1/${share}。`,
          },
        };
      },
    },
  ],
} satisfies Lesson;
