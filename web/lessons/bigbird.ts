import { pattern } from 'fovea/pattern';
import { reachOf } from '../patterns/reach.ts';
import type { Lesson } from './lesson.ts';
import { rowOf } from './numbers.ts';

const [WORDS, SEED] = [64, 1];

export default {
  question: { en: 'Why would anyone choose keys by chance?', zh: '为什么要随机挑选键？' },
  doThis: {
    en: 'Take 32 words and no global block, then set random to 0 and to 2: compare the layers that all pairs need. Draw again a few times.',
    zh: '取 32 个词、0 个全局块，把随机数设为 0 和 2，比较所有配对可达各需要几层。再多抽几次。',
  },
  live: (trace) => {
    const counts = Array.from({ length: 9 }, (_, i) => rowOf(trace, 'weights', i).filter((weight) => weight > 0).length);
    const share = rowOf(trace, 'weights', 1).find((weight) => weight > 0) ?? 0;
    return {
      en: `Keys of the nine words: ${counts.join(', ')}. The second word gives each of its keys ${share.toFixed(3)}.`,
      zh: `九个词的键数：${counts.join('、')}。第 2 个词给每个键 ${share.toFixed(3)}。`,
    };
  },
  contrast: {
    id: 'longformer',
    text: {
      en: 'Longformer has the window and the global tokens, and no chance.',
      zh: 'Longformer 有窗口和全局词元，没有随机抽取。',
    },
  },
  history: {
    en: 'BigBird (2020) took the draws from the theory of random graphs, for 4096 tokens, and proved that such attention can compute whatever full attention can. In practice, later models left the random part out.',
    zh: 'BigBird（2020）借用随机图的理论来处理 4096 个词元，并证明这样的注意力表达能力不减。后来的模型在实践中大多去掉了随机部分。',
  },
  predictions: [
    {
      id: 'random_or_wider',
      question: {
        en: '64 words, five keys each: two neighbors on each side, or one on each side and two at random. Which connects all pairs in fewer layers?',
        zh: '64 个词，每词五个键：左右各两个邻居，或左右各一个再随机抽两个。哪种用更少的层连通所有配对？',
      },
      choices: [
        { en: 'The wider window', zh: '更宽的窗口' },
        { en: 'The random keys', zh: '随机的键' },
        { en: 'Both alike', zh: '两者一样' },
      ],
      reveal: (fovea) => {
        const wider = reachOf(fovea, pattern.local(2), WORDS).depth;
        const drawn = pattern.local(1).or(pattern.random({ perQuery: 2, seed: SEED }));
        const random = reachOf(fovea, drawn, WORDS).depth;
        return {
          right: wider < random ? 0 : wider > random ? 1 : 2,
          shown: {
            en: `The window needs ${wider} layers, the random keys ${random} (seed ${SEED}): a shortcut saves many small steps.`,
            zh: `窗口需要 ${wider} 层，随机的键只要 ${random} 层（随机种子 ${SEED}）：一条捷径省去许多小步。`,
          },
        };
      },
    },
  ],
} satisfies Lesson;
