import { speechSelfAttention as compute } from '../../mechanisms/speech_self_attention.ts';
import type { RunnableEntry } from '../entry.ts';
import { texts } from '../papers.ts';
import { isNear, rowAt, stageOf } from '../stage_values.ts';
import { identityMatrix } from '../words.ts';

/** Square waves of a low and a high tone, 1000 samples a second. */
const low = (n: number): number => (n % 10 < 5 ? 1 : -1);
const high = (n: number): number => (n % 2 === 0 ? 1 : -1);
const signal = Array.from({ length: 180 }, (_, n) => (n < 60 || n >= 130 ? low(n) : high(n)));
/** How much of each tone a frame has. */
const Wf = Array.from({ length: 25 }, (_, n) => [low(n) / 25, high(n) / 25]);
const tones = ['low', 'high'];
const [Wq, Wk, Wv] = [identityMatrix(2), identityMatrix(2), identityMatrix(2)];
const seen = [6, 7, 8, 9, 10];

export const speechSelfAttention: RunnableEntry = {
  id: 'speech_self_attention',
  kind: 'system',
  family: 'beyondText',
  title: { en: 'Self-attention over speech frames', zh: '语音帧上的自注意力' },
  aliases: ['truncated self-attention for speech', '语音自注意力', '语音识别中的截断自注意力'],
  notations: [
    {
      text: texts.chapter,
      writes: '1 秒有 100 个向量',
      means: '98 frames: each needs 25 ms, so the last that fits begins at 970 ms',
    },
    { text: texts.chapter, writes: '只看一个小的范围', means: 'left and right, in frames' },
  ],
  paper: {
    authors: 'Yeh, Mahadeokar, Kalgaonkar, Wang, Le, Jain, Schubert, Fuegen, Seltzer',
    title: 'Transformer-Transducer: End-to-End Speech Recognition with Self-Attention',
    year: 2019,
    url: 'https://arxiv.org/abs/1910.12977',
    equations: 'truncated self-attention',
  },
  year: 2019,
  equation:
    'X = \\operatorname{frames}(s)\\, W_f,\\quad O_t = \\sum_{t-l \\le j \\le t+r} \\operatorname{softmax}_j(q_t^\\top k_j)\\, v_j',
  parent: 'local',
  slots: { mask: 't - l \\le j \\le t + r' },
  complexity: {
    letters: ['n', 'l', 'r', 'L', 'F', 'dk', 'dv'],
    sizes: { n: 16, l: 2, r: 2, L: 25, F: 2, dk: 2, dv: 2 },
    pairs: ({ n, l, r }) => pairsOf(n!, l!, r!),
    multiplyAdds: ({ n, l, r, L, F, dk, dv }) => n! * F! * (L! + 2 * dk! + dv!) + pairsOf(n!, l!, r!) * (dk! + dv!),
  },
  ranges: { 'options.left': { from: -1, to: 15, step: 1 }, 'options.right': { from: -1, to: 15, step: 1 } },
  code: 'speechSelfAttention(fovea, { signal }, { Wf, Wq, Wk, Wv }, { sampleRate, left, right, scale })',
  defaults: {
    inputs: { signal },
    params: { Wf, Wq, Wk, Wv },
    options: { sampleRate: 1000, left: 2, right: 2, scale: 4 },
    provenance: 'designed',
    seeded: false,
    labels: { Wf: [null, tones], Wq: [tones, tones], Wk: [tones, tones], Wv: [tones, tones] },
    claim: {
      text: {
        en: '180 ms of sound are 16 frames of 25 ms, one every 10 ms. Each sees itself and two on either side, nothing farther: frame 9 of 16 weighs five frames of its own tone 0.20 each.',
        zh: '180 毫秒的声音切成 16 帧，每帧 25 毫秒，每 10 毫秒一帧。每帧只看自己和左右各两帧：第 9 帧给同一音调的五帧各 0.20，更远的一概不看。',
      },
      tolerance: 0.005,
      holds: (trace) => {
        const row = rowAt(trace, 'weights', [0, 8]);
        return (
          stageOf(trace, 'frames').shape.join() === '16,25' &&
          row.every((weight, j) => (seen.includes(j) ? isNear(weight, 0.2, 0.005) : weight === 0))
        );
      },
    },
    contrast: { options: { left: -1, right: -1 } },
  },
  compute,
};

/** Pairs of n frames that see l before and r after. */
function pairsOf(n: number, l: number, r: number): number {
  return Array.from({ length: n }, (_, t) => Math.min(l, t) + 1 + Math.min(r, n - 1 - t)).reduce((a, b) => a + b, 0);
}
