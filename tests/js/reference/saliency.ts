/** saliency in double, from Qiu 2020, and its wrong variants by name. */
import type { Run } from '../support/mechanism_properties.ts';
import { columns, plus, sigmoid, softmax, times, zeros, type Matrix, type Row } from './equations/rows.ts';

export type Wrong = 'last on ties' | 'starts from 0' | 'padding pooled' | 'softmax gate';

export const reference =
  (wrong: Wrong | ''): Run =>
  (inputs, params, options) => {
    const { x } = inputs as { x: Matrix };
    const { Wg, bg } = params as { Wg?: Matrix; bg?: Row };
    const length = wrong === 'padding pooled' ? x.length : ((options['lengths'] as number | undefined) ?? x.length);
    const tokens = x.slice(0, length);
    const maxIndex = columns(x).map((all) => {
      const feature = all.slice(0, length);
      const largest = Math.max(...feature, ...(wrong === 'starts from 0' ? [0] : []));
      return wrong === 'last on ties' ? feature.lastIndexOf(largest) : feature.indexOf(largest);
    });
    const results = {
      maxIndex,
      maxPooled: maxIndex.map((i, d) => tokens[i]?.[d] ?? 0),
      maxWeights: x.map((_, i) => maxIndex.map((best) => Number(best === i))),
    };
    if (!Wg) return results;
    const scores = x.map((row) => plus(times(row, Wg), bg ?? zeros(Wg[0]!.length)));
    const soft = softmax(
      scores.map(([score]) => score!),
      (i) => i < length,
    );
    const gate = scores.map((row, i) =>
      i >= length ? zeros(row.length) : wrong === 'softmax gate' ? [soft[i]!] : sigmoid(row),
    );
    const gated = x.map((row, i) => row.map((value, d) => value * gate[i]![gate[i]!.length === 1 ? 0 : d]!));
    return { ...results, gate, gated, gatePooled: gated.reduce((sum, row) => plus(sum, row)) };
  };
