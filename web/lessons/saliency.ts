import * as texts from '../../build/generated/texts/saliency.ts';
import { choicesOf, fill } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';
import { computed, rowOf, show } from './numbers.ts';

const words = ['the', 'cat', 'chases', 'a', 'mouse'];

export default {
  question: texts.question,
  doThis: texts.doThis,
  live: (trace) => {
    const [the = 0, cat = 0] = words.map((_, t) => rowOf(trace, 'gate', t)[0] ?? 0);
    return fill(texts.live, { cat: show(cat, 2), the: show(the, 2) });
  },
  contrast: {
    id: 'structured_self_attention',
    text: texts.contrast,
  },
  history: texts.history,
  predictions: [
    {
      id: 'pooled_twice',
      question: texts.pooled_twice.question,
      choices: choicesOf(texts.pooled_twice),
      reveal: (fovea) => {
        const x = [
          [0, 1],
          [1, 1],
          [0, 0],
        ];
        const params = { Wg: [[8], [0]], bg: { data: [-4], shape: [1] } };
        const of = (stage: string, twice: boolean): number =>
          computed(fovea, 'saliency', stage, { inputs: { x: twice ? [...x, ...x] : x }, params })[0]!;
        const [sum, doubled] = [of('gatePooled', false), of('gatePooled', true)];
        const [max, same] = [of('maxPooled', false), of('maxPooled', true)];
        const sumGrows = doubled > 1.5 * sum;
        return {
          right: sumGrows ? (same > 1.5 * max ? 2 : 0) : 1,
          shown: fill(texts.pooled_twice.shown, { max: show(max), same: show(same), sum: show(sum), doubled: show(doubled) }),
        };
      },
    },
  ],
} satisfies Lesson;
