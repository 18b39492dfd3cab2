/** taskSpecific in double, from Blackwood, Ballesteros and Ward 2018, and its wrong variants by name. */
import type { Run } from '../support/mechanism_properties.ts';
import { reference as bahdanau } from './bahdanau.ts';
import type { Matrix, Row } from './equations/rows.ts';

export type Wrong = "the mean of all tasks' parameters" | 'task 0 always' | 'softmax over the padding' | 'state is s_{T-1}';

/** The params of one task. */
export function ofTask(params: Record<string, unknown>, task: number): Record<string, unknown> {
  const own = ['Wa', 'Ua', 'va', 'ba'].filter((name) => params[name] !== undefined);
  return { ...params, ...Object.fromEntries(own.map((name) => [name, (params[name] as unknown[])[task]])) };
}

function mean(arrays: readonly unknown[]): unknown {
  if (typeof arrays[0] === 'number') return (arrays as Row).reduce((sum, x) => sum + x, 0) / arrays.length;
  return (arrays[0] as unknown[]).map((_, n) => mean(arrays.map((array) => (array as unknown[])[n])));
}

export const reference =
  (wrong: Wrong | ''): Run =>
  (inputs, params, options) => {
    const averaged = Object.fromEntries(
      Object.entries(params).map(([name, array]) => [
        name,
        ['Wa', 'Ua', 'va', 'ba'].includes(name) ? [mean(array as unknown[])] : array,
      ]),
    );
    const own =
      wrong === "the mean of all tasks' parameters"
        ? ofTask(averaged, 0)
        : ofTask(params, wrong === 'task 0 always' ? 0 : Number(inputs['task']));
    const kept = wrong === 'softmax over the padding' || wrong === 'state is s_{T-1}' ? wrong : '';
    const results = bahdanau(kept)(inputs, own, options) as Record<string, Matrix>;
    const [targets, probability] = [inputs['targets'] as Row | undefined, results['probability']];
    if (!targets || !probability) return results;
    const losses = targets
      .slice(0, options['targetLengths'] as number | undefined)
      .map((id, t) => -Math.log(probability[t]![id]!));
    return { ...results, loss: losses.reduce((sum, loss) => sum + loss, 0) / Math.max(1, losses.length) };
  };
