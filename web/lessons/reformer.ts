import { reformer } from 'fovea/mechanisms';
import * as texts from '../../build/generated/texts/reformer.ts';
import { valueAt } from '../stages/read_trace.ts';
import { choicesOf, fill, series } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';
import { show } from './numbers.ts';

const [COUNT, BUCKETS] = [8, 4];

export default {
  question: texts.question,
  doThis: texts.doThis,
  live: (trace) => {
    const weight = valueAt(trace, 'weights', [0, 0, 1]);
    const stage = trace.find(({ name }) => name === 'weights');
    const n = stage?.shape.at(-1) ?? 0;
    const kept = stage?.data.filter((w, at) => w > 0 && at % (n + 1) !== 0).length ?? 0;
    return fill(texts.live, { weight: show(weight), kept, all: n * (n - 1) });
  },
  contrast: {
    id: 'bigbird',
    text: texts.contrast,
  },
  history: texts.history,
  predictions: [
    {
      id: 'longer_vector_same_bucket',
      question: texts.longer_vector_same_bucket.question,
      choices: choicesOf(texts.longer_vector_same_bucket),
      reveal: (fovea) => {
        const turn = (2 * Math.PI) / COUNT;
        const buckets = (length: number): number[] => {
          const x = Array.from({ length: COUNT }, (_, i) => [length * Math.cos(i * turn), length * Math.sin(i * turn)]);
          return Array.from(reformer(fovea, { x }, {}, { lsh: { buckets: BUCKETS, seed: 6 } }).buckets.data);
        };
        const [before, after] = [buckets(3), buckets(6)];
        const moved = before.filter((bucket, i) => bucket !== after[i]).length;
        return {
          right: moved === 0 ? 0 : moved < COUNT ? 1 : 2,
          shown: fill(texts.longer_vector_same_bucket.shown, { moved, count: COUNT, buckets: series(before) }),
        };
      },
    },
  ],
} satisfies Lesson;
