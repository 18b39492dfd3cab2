import { list as entries, run } from 'fovea/catalog';
import type { Lesson } from './lesson.ts';
import { list, rowOf, show } from './numbers.ts';

/** What would read 0.000 is told with its power of ten. */
const small = (x: number): string => (x > 0 && x < 5e-4 ? x.toExponential(1).replace('-', '−') : show(x));

const ID = 'image_self_attention';
const { contrast } = entries().find(({ id }) => id === ID)!.defaults;
/** The shaded side of the roof, the lit side left of it, and the cloud. */
const [SHADED, LIT, CLOUD] = [35, 34, 11];

export default {
  question: {
    en: 'What does a patch of an image look at: what resembles it, or what is near?',
    zh: '图像里的一块看向哪里：看像它的，还是看离它近的？',
  },
  doThis: {
    en: 'Choose the dark side of the roof: it finds the red side, though brighter. Switch to raw colors and look again. Then let position count, step by step.',
    zh: '选屋顶背光的一块：它找到了更亮的红色一侧。改用原始颜色，再看一次。然后让位置一点一点起作用。',
  },
  live: (trace) => {
    const row = rowOf(trace, 'weights', SHADED);
    const [self, lit, cloud] = [SHADED, LIT, CLOUD].map((n) => small(row[n] ?? 0)) as [string, string, string];
    return {
      en: `The dark red patch gives itself ${self}, the lit red patch beside it ${lit}, a patch of the cloud ${cloud}.`,
      zh: `深红的这一块给自己 ${self}，给旁边受光的红色 ${lit}，给云的一块 ${cloud}。`,
    };
  },
  contrast: {
    id: 'convolution_attention',
    text: {
      en: 'A convolution looks at fixed positions around it, whatever is there. Attention compares contents over the whole image.',
      zh: '卷积只看周围固定的几个位置，不管那里是什么；注意力在整幅图里按内容比较。',
    },
  },
  history: {
    en: 'A convolution needs many layers until two far corners meet. Non-local blocks (2018) joined all positions in one layer; Vision Transformers (2021) built whole networks of it, today often beside windows and convolutions.',
    zh: '卷积要叠很多层，相隔很远的两角才能相遇。非局部模块（2018）一层就把所有位置连起来；Vision Transformer（2021）整个网络都用它，如今常与窗口、卷积并用。',
  },
  predictions: [
    {
      id: 'raw_colors',
      question: {
        en: 'Scores are dot products of raw colors. Which scores highest with dark red (1, 0, 0)?',
        zh: '分数是原始颜色的点积。与深红（1, 0, 0）点积最大的是谁？',
      },
      choices: [
        { en: 'dark red itself', zh: '深红自己' },
        { en: 'red (2, 0, 0)', zh: '红（2, 0, 0）' },
        { en: 'white (3, 3, 3)', zh: '白（3, 3, 3）' },
      ],
      reveal: (fovea) => {
        const row = rowOf(run(fovea, ID, contrast.inputs).trace, 'weights', SHADED);
        const weights = [SHADED, LIT, CLOUD].map((n) => row[n] ?? 0);
        const shown = list(weights);
        return {
          right: weights.indexOf(Math.max(...weights)),
          shown: {
            en: `A patch of dark red, red and white gets ${shown.en}. The dot products 1, 2, 3 follow brightness, not hue: hence colors are centered and normalized.`,
            zh: `深红、红、白各一块得 ${shown.zh}。点积 1、2、3 跟着亮度走，与色相无关；所以先把颜色中心化并归一化。`,
          },
        };
      },
    },
  ],
  textbook: [
    {
      writes: { en: 'an image 5×10×3 is 50 vectors of width 3', zh: '5×10×3 的图像是 50 个三维向量' },
      means: {
        en: 'Here 8×10 patches, row by row. In practice a patch is 16×16 pixels, else the pairs are too many.',
        zh: '这里是 8×10 块，逐行（row）排列。实际中一块常是 16×16 个像素，否则配对太多。',
      },
    },
  ],
} satisfies Lesson;
