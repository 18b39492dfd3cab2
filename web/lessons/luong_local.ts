import type { Fovea } from 'fovea';
import type { Arguments } from 'fovea/catalog';
import type { Lesson } from './lesson.ts';
import { computed, isNear, list, rowOf, show } from './numbers.ts';

/** The state h for which S σ(vp tanh(h)) is `center`. */
export function stateAt(center: number, length: number, vp: number): number {
  return Math.atanh(Math.log(center / (length - center)) / vp);
}

/** The source of the defaults has eight words; vp is 2. */
const weightsAt = (fovea: Fovea, center: number, options: Arguments = {}): number[] =>
  computed(fovea, 'luong_local', 'weights', {
    inputs: {
      source: [...Array(8)].map((_, row) => [...Array(8)].map((_, col) => Number(row === col))),
      decoder: [[stateAt(center, 8, 2)]],
    },
    options,
  });
/** Between one word and the next, so that the window has the same words at both centers. */
const [BEFORE, AFTER] = [3.2, 3.6];
const kept = (weights: readonly number[]): number[] => weights.flatMap((w, s) => (w > 0 ? [s] : []));

export default {
  question: {
    en: 'Must every step read the whole source, or is a window of it enough?',
    zh: '每一步都要读完整个原文吗？只看一个窗口够不够？',
  },
  doThis: {
    en: 'Drag the center along the source and watch the sum of the weights. Then switch the Gaussian off and drag again.',
    zh: '沿着原文拖动中心，看权重之和。再关掉高斯，拖动一次。',
  },
  live: (trace) => {
    const center = trace.find(({ name }) => name === 'position')?.data[1] ?? 0;
    const sum = rowOf(trace, 'weights', 1).reduce((total, w) => total + w, 0);
    return {
      en: `Step 2 is centered at ${show(center, 2)}; its weights sum to ${show(sum)}, less than 1.`,
      zh: `第 2 步的中心是 ${show(center, 2)}，权重之和是 ${show(sum)}，小于 1。`,
    };
  },
  contrast: {
    id: 'luong',
    text: {
      en: 'Global attention scores all source words at each step. Here there are at most 2D + 1, however long the source is.',
      zh: '全局注意力每一步都给所有源词打分；这里原文再长，最多也只有 2D + 1 个。',
    },
  },
  history: {
    en: 'Scoring a whole paragraph at each step is dear, and hard attention cannot be trained by gradients. Luong (2015) took a window, and the Gaussian lets gradients reach its center. Sliding windows in Longformer (2020) went on from there.',
    zh: '每一步都给整段文章打分代价太高，硬性注意力又不能用梯度训练。Luong（2015）取一个窗口，高斯让梯度能传到窗口的中心。后来 Longformer（2020）的滑动窗口延续了这个想法。',
  },
  predictions: [
    {
      id: 'center_moves',
      question: {
        en: 'local-p, D = 2: the center moves from 3.2 to 3.6. What changes?',
        zh: '预测对齐（local-p），D = 2：中心从 3.2 移到 3.6，什么会变？',
      },
      choices: [
        { en: 'Nothing', zh: '什么都不变' },
        { en: 'Only the weights', zh: '只有权重' },
        { en: 'Other words are in the window', zh: '窗口里换了词' },
      ],
      reveal: (fovea) => {
        const [before, after] = [BEFORE, AFTER].map((center) => weightsAt(fovea, center)) as [number[], number[]];
        const same = isNear(kept(before), kept(after)) && kept(before).length === kept(after).length;
        const [from, to] = [before, after].map((weights) => list(weights.filter((w) => w > 0)));
        return {
          right: !same ? 2 : isNear(before, after) ? 0 : 1,
          shown: {
            en: `The window has the words ${list(kept(before)).en} (from 0) both times. Their weights were ${from!.en}, and become ${to!.en}.`,
            zh: `两次窗口里都是第 ${list(kept(before)).zh} 号词（从 0 数）。权重从 ${from!.zh} 变成 ${to!.zh}。`,
          },
        };
      },
    },
    {
      id: 'center_moves_flat',
      question: {
        en: 'The same move, 3.2 to 3.6, with the Gaussian switched off. What changes now?',
        zh: '同样从 3.2 移到 3.6，但关掉高斯。这次什么会变？',
      },
      choices: [
        { en: 'Nothing', zh: '什么都不变' },
        { en: 'The weights', zh: '权重' },
      ],
      reveal: (fovea) => {
        const [before, after] = [BEFORE, AFTER].map((center) => weightsAt(fovea, center, { gaussian: false }));
        return {
          right: isNear(before!, after!) ? 0 : 1,
          shown: {
            en: `Each word in the window has ${show(Math.max(...before!))} before and ${show(Math.max(...after!))} after. A center that changes nothing gets no gradient.`,
            zh: `窗口里每个词移动前是 ${show(Math.max(...before!))}，移动后是 ${show(Math.max(...after!))}。中心移动而结果不变，就没有梯度可学。`,
          },
        };
      },
    },
    {
      id: 'window_edge',
      covers: ['edge'],
      question: {
        en: 'With the Gaussian, σ = D/2. By what is the weight of a word at the edge of the window multiplied?',
        zh: '有高斯，σ = D/2。窗口边缘上的词，权重要乘以多少？',
      },
      choices: [
        { en: '0: it fades out', zh: '0：渐渐消失' },
        { en: 'About 0.14', zh: '约 0.14' },
        { en: 'A half', zh: '一半' },
      ],
      reveal: (fovea) => {
        const [weights, align] = ['weights', 'alignment'].map((name) => computed(fovea, 'luong_local', name, {}, (trace, stage) => rowOf(trace, stage, 1))); // prettier-ignore
        const edge = weights!.findIndex((w) => w > 0);
        const factor = weights![edge]! / align![edge]!;
        return {
          right: factor < 0.05 ? 0 : factor < 0.3 ? 1 : 2,
          shown: {
            en: `By ${show(factor)}, which is e to the power −2. One word further the weight is 0: the edge still jumps.`,
            zh: `乘以 ${show(factor)}，即 e 的 −2 次方。再远一个词，权重就是 0：边缘仍然有跳变。`,
          },
        };
      },
    },
  ],
  textbook: [
    {
      writes: { en: 'outside the window the attention is set to 0', zh: '窗口外“注意力设为0”' },
      means: {
        en: 'The weight is 0, which is a score of −∞. A score of 0 would still get a weight.',
        zh: '权重为 0，也就是分数为 −∞。若只把分数设为 0，仍会分到权重。',
      },
    },
  ],
} satisfies Lesson;
