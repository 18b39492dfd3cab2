import type { Fovea } from 'fovea';
import type { Arguments } from 'fovea/catalog';
import * as texts from '../../build/generated/texts/luong_local.ts';
import { choicesOf, fill } from '../shell/localized.ts';
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
  question: texts.question,
  doThis: texts.doThis,
  live: (trace) => {
    const center = trace.find(({ name }) => name === 'position')?.data[1] ?? 0;
    const sum = rowOf(trace, 'weights', 1).reduce((total, w) => total + w, 0);
    return fill(texts.live, { center: show(center, 2), sum: show(sum) });
  },
  contrast: {
    id: 'luong',
    text: texts.contrast,
  },
  history: texts.history,
  predictions: [
    {
      id: 'center_moves',
      question: texts.center_moves.question,
      choices: choicesOf(texts.center_moves),
      reveal: (fovea) => {
        const [before, after] = [BEFORE, AFTER].map((center) => weightsAt(fovea, center)) as [number[], number[]];
        const same = isNear(kept(before), kept(after)) && kept(before).length === kept(after).length;
        const [from, to] = [before, after].map((weights) => list(weights.filter((w) => w > 0)));
        return {
          right: !same ? 2 : isNear(before, after) ? 0 : 1,
          shown: fill(texts.center_moves.shown, { kept: list(kept(before)), from: from!, to: to! }),
        };
      },
    },
    {
      id: 'center_moves_flat',
      question: texts.center_moves_flat.question,
      choices: choicesOf(texts.center_moves_flat),
      reveal: (fovea) => {
        const [before, after] = [BEFORE, AFTER].map((center) => weightsAt(fovea, center, { gaussian: false }));
        return {
          right: isNear(before!, after!) ? 0 : 1,
          shown: fill(texts.center_moves_flat.shown, { before: show(Math.max(...before!)), after: show(Math.max(...after!)) }),
        };
      },
    },
    {
      id: 'window_edge',
      covers: ['edge'],
      question: texts.window_edge.question,
      choices: choicesOf(texts.window_edge),
      reveal: (fovea) => {
        const [weights, align] = ['weights', 'alignment'].map((name) =>
          computed(fovea, 'luong_local', name, {}, (trace, stage) => rowOf(trace, stage, 1)),
        );
        const edge = weights!.findIndex((w) => w > 0);
        const factor = weights![edge]! / align![edge]!;
        return {
          right: factor < 0.05 ? 0 : factor < 0.3 ? 1 : 2,
          shown: fill(texts.window_edge.shown, { factor: show(factor) }),
        };
      },
    },
  ],
  textbook: [texts.textbook1],
} satisfies Lesson;
