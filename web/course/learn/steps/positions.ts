import type { Fovea } from 'fovea';
import { list, run } from 'fovea/catalog';
import type { Matrix } from '../../../figures/matrix.ts';
import { row } from '../../../figures/matrix.ts';
import { slices } from '../../../families/self_attention/maps.ts';
import * as texts from '../../../../build/generated/texts/learn_positions.ts';
import { choicesOf, fill } from '../../../shell/localized.ts';
import type { Step } from '../step.ts';

/** The two words that are spelled alike. */
export const [FIRST, SECOND] = [1, 3] as const;

export interface Reading {
  readonly weights: Matrix;
  readonly outputs: readonly [readonly number[], readonly number[]];
  readonly difference: readonly number[];
  /** The largest of the differences, without its sign. */
  readonly apart: number;
}

/** "I saw a saw" with the table of positions, or with a table of zeros. */
export function read(fovea: Fovea, positions: boolean): Reading {
  const { contrast } = list().find(({ id }) => id === 'learned_positions')!.defaults;
  const { trace } = run(fovea, 'learned_positions', undefined, positions ? undefined : contrast.params);
  const stage = (name: string): Matrix => slices(trace.find((one) => one.name === name)!)[0]!;
  const output = stage('output');
  const outputs = [row(output, FIRST), row(output, SECOND)] as const;
  const difference = outputs[0].map((x, i) => x - outputs[1][i]!);
  return { weights: stage('weights'), outputs, difference, apart: Math.max(...difference.map(Math.abs)) };
}

const step: Step = {
  title: texts.title,
  body: texts.body,
  doThis: texts.doThis,
  check: {
    id: 'two_saws',
    covers: ['outputs'],
    question: texts.two_saws.question,
    choices: choicesOf(texts.two_saws),
    reveal: (fovea) => {
      const [without, withThem] = [read(fovea, false).apart, read(fovea, true).apart];
      return {
        right: without === 0 ? 0 : 1,
        shown: fill(texts.two_saws.shown, { off: without, on: withThem.toFixed(2) }),
      };
    },
  },
  further: [
    { path: 'sinusoidal', text: texts.further.sinusoidal },
    { path: 'rope', text: texts.further.rope },
  ],
};
export default step;
