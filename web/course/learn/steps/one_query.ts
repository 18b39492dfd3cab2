import { normalizer } from 'fovea/score';
import * as texts from '../../../../build/generated/texts/learn_one_query.ts';
import { choicesOf, fill } from '../../../shell/localized.ts';
import type { Step } from '../step.ts';

/** The corners of a square are the values; a query goes around it. */
const VALUES = [
  [1, 1],
  [-1, 1],
  [-1, -1],
  [1, -1],
];
const DIRECTIONS = 72;

const step: Step = {
  title: texts.title,
  body: texts.body,
  doThis: texts.doThis,
  check: {
    id: 'inside_the_polygon',
    covers: ['seen'],
    question: texts.inside_the_polygon.question,
    choices: choicesOf(texts.inside_the_polygon),
    reveal: (fovea) => {
      const queries = Array.from({ length: DIRECTIONS }, (_, i) => {
        const angle = (2 * Math.PI * i) / DIRECTIONS;
        return [50 * Math.cos(angle), 50 * Math.sin(angle)];
      });
      const far = (options: object): number => {
        const { output } = fovea.attention(queries, VALUES, VALUES, { scale: 1, ...options });
        return Math.max(...Array.from(output.data, Math.abs));
      };
      const [inside, outside] = [far({}), far({ normalizer: normalizer.relu() })];
      return {
        right: inside <= 1 + 1e-6 ? 1 : 0,
        shown: fill(texts.inside_the_polygon.shown, {
          queries: DIRECTIONS,
          inside: inside.toFixed(2),
          outside: outside.toFixed(1),
        }),
      };
    },
  },
};
export default step;
