import { speechSelfAttention as compute } from '../mechanisms/speech_self_attention.ts';
import { system } from './entry/define.ts';
import { texts } from './entry/papers.ts';
import { isNear, rowAt, stageOf } from './entry/stage_values.ts';
import { identityMatrix } from './samples/words.ts';

const RATE = 8000;
/** Samples of one vibration of the voice, at 200 Hz: a frame has five, and the next frame begins two later. */
const PERIOD = 40;
const FRAME = 200;
/** Harmonics below half the sample rate. */
const HARMONICS = 19;
/** cos(2πn / 40), each from the two before: cos((n + 1)x) = 2 cos(x) cos(nx) - cos((n - 1)x), with x = 9°. */
const cosine = [1, 0.9876883405951378];
while (cosine.length < PERIOD) cosine.push(2 * cosine[1]! * cosine.at(-1)! - cosine.at(-2)!);
const harmonic = (k: number, n: number): number => cosine[(k * n) % PERIOD]!;

/** Formants as frequency and gain: the resonances of the mouth, which make a vowel. */
const formants = { a: [[800, 1], [1200, 0.7], [2600, 0.2]], i: [[300, 1], [2400, 0.6], [3000, 0.4]] } as const; // prettier-ignore
/** How loud each harmonic of a vowel is, of length 1. */
function spectrum(resonances: readonly (readonly [number, number])[]): number[] {
  const gains = Array.from({ length: HARMONICS }, (_, k) =>
    resonances.reduce((sum, [at, gain]) => {
      const widths = ((k + 1) * 200 - at) / 120;
      return sum + gain / (1 + widths * widths);
    }, 0),
  );
  const length = Math.sqrt(gains.reduce((sum, gain) => sum + gain * gain, 0));
  return gains.map((gain) => gain / length);
}
/** One vibration of a vowel. */
function wave(resonances: readonly (readonly [number, number])[]): number[] {
  const gains = spectrum(resonances);
  return Array.from({ length: PERIOD }, (_, n) => gains.reduce((sum, gain, k) => sum + gain * harmonic(k + 1, n), 0));
}
const [a, i] = [wave(formants.a), wave(formants.i)];
/** From "a" to "i" and back: how much of "i" there is at a time in milliseconds, with glides of 30 ms. */
const openness = (ms: number): number => Math.max(0, Math.min(1, (ms - 110) / 30, (250 - ms) / 30));
/** The second "a" is stressed: louder by a tenth. */
const loudness = (ms: number): number => 1 + 0.1 * Math.max(0, Math.min(1, (ms - 220) / 30));
const signal = Array.from({ length: 0.36 * RATE }, (_, n) => {
  const ms = (1000 * n) / RATE;
  const [ofA, ofI] = [a[n % PERIOD]!, i[n % PERIOD]!];
  return loudness(ms) * (ofA + openness(ms) * (ofI - ofA));
});
/** The harmonics of each band from and to, wider towards the top as the mel scale has them. */
const bands = [[1, 1], [2, 2], [3, 3], [4, 4], [5, 5], [6, 6], [7, 8], [9, 10], [11, 12], [13, 15], [16, 19]] as const; // prettier-ignore
const names = bands.map(([from, to]) => (from === to ? `${200 * from} Hz` : `${200 * from}–${200 * to} Hz`));
/** How much of each band a frame has. */
const Wf = Array.from({ length: FRAME }, (_, n) =>
  bands.map(([from, to]) => {
    let sum = 0;
    for (let k = from; k <= to; k++) sum += harmonic(k, n);
    return (2 * sum) / FRAME;
  }),
);
const F = bands.length;
const [Wq, Wk, Wv] = [identityMatrix(F), identityMatrix(F), identityMatrix(F)];
/** A frame of the first "a", the frames before the glide, and the first of the second "a". */
const [CHOSEN, GLIDE, AGAIN] = [6, 10, 25];

export default system({
  id: 'speech_self_attention',
  family: 'beyondText',
  title: { en: 'Self-attention over speech frames', zh: '语音帧上的自注意力' },
  aliases: ['truncated self-attention for speech', '语音自注意力', '语音识别中的截断自注意力'],
  notations: [
    {
      text: texts.chapter,
      writes: { en: '100 vectors a second', zh: '1 秒有 100 个向量' },
      means: {
        en: '98 frames: each needs 25 ms, so the last that fits begins at 970 ms',
        zh: '98 帧：每帧要 25 毫秒，放得下的最后一帧从 970 毫秒开始',
      },
    },
    {
      text: texts.chapter,
      writes: { en: 'only a small range is seen', zh: '只看一个小的范围' },
      means: { en: 'left and right, in frames', zh: 'left 与 right，以帧计' },
    },
  ],
  paper: {
    authors: 'Yeh, Mahadeokar, Kalgaonkar, Wang, Le, Jain, Schubert, Fuegen, Seltzer',
    title: 'Transformer-Transducer: End-to-End Speech Recognition with Self-Attention',
    year: 2019,
    url: 'https://arxiv.org/abs/1910.12977',
    equations: 'truncated self-attention',
  },
  equation:
    'X = \\operatorname{frames}(s)\\, W_f,\\quad O_t = \\sum_{t-l \\le j \\le t+r} \\operatorname{softmax}_j(q_t^\\top k_j)\\, v_j',
  parent: 'local',
  slots: { mask: 't - l \\le j \\le t + r' },
  complexity: {
    letters: ['n', 'l', 'r', 'L', 'F', 'dk', 'dv'],
    sizes: { n: 34, l: 8, r: 8, L: FRAME, F, dk: F, dv: F },
    pairs: ({ n, l, r }) => pairsOf(n!, l!, r!),
    multiplyAdds: ({ n, l, r, L, F, dk, dv }) => n! * F! * (L! + 2 * dk! + dv!) + pairsOf(n!, l!, r!) * (dk! + dv!),
  },
  ranges: { 'options.left': { from: -1, to: 33, step: 1 }, 'options.right': { from: -1, to: 33, step: 1 } },
  defaults: {
    inputs: { signal },
    params: { Wf, Wq, Wk, Wv },
    options: { sampleRate: RATE, left: 8, right: 8, scale: 8 },
    labels: { Wf: [null, names], Wq: [names, names], Wk: [names, names], Wv: [names, names] },
    claim: {
      text: {
        en: '360 ms of sound, “a – i – a”, are 34 frames of 25 ms, one every 10 ms. Each sees itself and eight on either side: frame 7 gives 0.95 to the first “a” around it, and 0 to the second, which is out of its reach.',
        zh: '360 毫秒的声音 a – i – a 切成 34 帧，每帧 25 毫秒，每 10 毫秒一帧。每帧只看自己和左右各八帧：第 7 帧把 0.95 给了身边的第一个 a，第二个 a 够不着，得 0。',
      },
      tolerance: 0.005,
      holds: (trace) => {
        const row = rowAt(trace, 'weights', [0, CHOSEN]);
        const sum = (from: number, to?: number): number => row.slice(from, to).reduce((total, weight) => total + weight, 0);
        return (
          stageOf(trace, 'frames').shape.join() === `34,${FRAME}` && isNear(sum(0, GLIDE), 0.95, 0.005) && sum(AGAIN) === 0
        );
      },
    },
    contrast: { options: { left: -1, right: -1 } },
  },
  compute,
});

/** Pairs of n frames that see l before and r after. */
function pairsOf(n: number, l: number, r: number): number {
  return Array.from({ length: n }, (_, t) => Math.min(l, t) + 1 + Math.min(r, n - 1 - t)).reduce((a, b) => a + b, 0);
}
