/** transformerGenerate in double, from Vaswani et al. 2017, and its wrong variants by name. */
import type { Run } from '../support/mechanism_properties.ts';
import type { Matrix, Row } from './equations/rows.ts';
import { reference as transformer } from './transformer.ts';

export type Wrong = 'positions restart' | 'end ignored';

/** The definition: the transformer's step, again and again. */
export const reference =
  (wrong: Wrong | ''): Run =>
  (inputs, params, { start, end, maxLength, ...options }) => {
    const step = transformer(wrong === 'positions restart' ? wrong : '');
    const [generated, logits]: [Row, Matrix] = [[], []];
    let [last, state, logProbability, memory] = [start as number, undefined as unknown, 0, undefined as unknown];
    while (
      generated.length < (maxLength as number) &&
      (wrong === 'end ignored' || generated.at(-1) !== end || end === undefined)
    ) {
      const results = step({ ...(state ? {} : inputs), target: [last] }, params, { ...options, initialState: state });
      ({ state } = results);
      memory ??= results['memory'];
      last = results['next'] as number;
      generated.push(last);
      logits.push((results['logits'] as Matrix)[0]!);
      logProbability += Math.log((results['probability'] as Matrix)[0]![last]!);
    }
    return { generated, logits, logProbability, length: generated.length, memory };
  };
