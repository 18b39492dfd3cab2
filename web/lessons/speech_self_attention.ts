import { run } from 'fovea/catalog';
import type { Lesson } from './lesson.ts';
import { rowOf, show } from './numbers.ts';

const ID = 'speech_self_attention';
/** A frame of the first "a"; the end of that vowel, and where it comes again. */
const [CHOSEN, GLIDE, AGAIN] = [6, 10, 25];
const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

export default {
  question: {
    en: 'A second of speech is about a hundred vectors. How far must each look?',
    zh: '一秒语音就有约一百个向量，每个要看多远？',
  },
  doThis: {
    en: 'Choose a frame of the first “a” and hear its five strongest frames. Then let it see all frames: it finds the second “a”.',
    zh: '选第一个 a 里的一帧，听一听它权重最大的五帧。再让它看全部帧：它找到了第二个 a。',
  },
  live: (trace) => {
    const row = rowOf(trace, 'weights', CHOSEN);
    const [first, second] = [show(sum(row.slice(0, GLIDE))), show(sum(row.slice(AGAIN)))];
    return {
      en: `Frame 7 gives the first “a” ${first}, the second “a” ${second}.`,
      zh: `第 7 帧一共给第一个 a ${first}，给第二个 a ${second}。`,
    };
  },
  contrast: {
    id: 'image_self_attention',
    text: {
      en: 'An image has few patches, and all see all. Sound is long: 10 minutes are 60,000 frames, so each sees a band around itself.',
      zh: '图像块不多，可以两两都看；声音很长，10 分钟就有 6 万帧，所以每帧只看自己周围的一段。',
    },
  },
  history: {
    en: 'Speech has so many frames that all pairs do not fit, and a listener must not wait for the end. Truncated self-attention (2019) sees a band; today’s recognizers join it with convolution, in chunks.',
    zh: '语音帧太多，两两比较放不下，而且边听边认不能等到结尾。截断自注意力（2019）只看一个范围；如今的识别器把它与卷积结合，分段处理。',
  },
  predictions: [
    {
      id: 'kept_pairs',
      covers: ['pairs'],
      question: {
        en: '34 frames, each sees eight before and eight after. What share of all pairs is kept?',
        zh: '34 帧，每帧看前后各八帧。全部配对里保留了多少？',
      },
      choices: [
        { en: 'less than half', zh: '不到一半' },
        { en: 'exactly half, 17 of 34', zh: '正好一半，34 个里的 17 个' },
        { en: 'more than half', zh: '超过一半' },
      ],
      reveal: (fovea) => {
        const weights = run(fovea, ID).trace.find(({ name }) => name === 'weights')!;
        const kept = weights.data.filter((x) => x > 0).length;
        const [all, half] = [weights.data.length, weights.data.length / 2];
        return {
          right: kept < half ? 0 : kept === half ? 1 : 2,
          shown: {
            en: `${kept} of ${all}: the frames at both ends have fewer neighbors. Twice as many frames would keep twice as many pairs, not four times.`,
            zh: `${all} 对里的 ${kept} 对：两端的帧邻居更少。帧数翻倍，保留的配对只翻倍，而不是变成四倍。`,
          },
        };
      },
    },
  ],
  textbook: [
    {
      writes: { en: '1 second has 100 vectors', zh: '1 秒有 100 个向量' },
      means: {
        en: 'A frame every 10 ms; but each needs 25 ms, so the last that fits is the 98th.',
        zh: '每 10 毫秒一帧；但一帧要 25 毫秒，所以最后放得下的是第 98 帧。',
      },
    },
  ],
} satisfies Lesson;
