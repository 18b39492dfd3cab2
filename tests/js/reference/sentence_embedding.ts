/** sentenceEmbedding in double, from Kim 2014, and its wrong variants by name. */
import type { Run } from '../support/mechanism_properties.ts';
import { bothWays, gruOf } from './equations/recurrent_layers.ts';
import { columns, plus, relu, scaled, tanh, times, zeros, type Matrix, type Row } from './equations/rows.ts';

export type Wrong = 'last of the padding' | 'both halves from the last token' | 'mean over T' | 'n-grams averaged';

export const reference =
  (wrong: Wrong | ''): Run =>
  (inputs, params, options) => {
    const given = (inputs['H'] ?? inputs['x']) as Matrix;
    const { activation = 'relu', lengths = given.length, ...rest } = options as Record<string, never>;
    const isTwoWays = inputs['x'] !== undefined && params['gru.weight_hh_l0_reverse'] !== undefined;
    const bidirectional = isTwoWays || (rest['bidirectional'] ?? false);
    const states = (x: Matrix): Matrix => (isTwoWays ? bothWays(params, 'gru', x).states : gruOf(params, 'gru', x));
    const H = inputs['x'] ? states(given.slice(0, lengths)) : given.slice(0, lengths);
    const D = (inputs['x'] ? states(given) : given)[0]!.length;
    const all = given.map((_, t) => H[t] ?? zeros(D));
    const end = (wrong === 'last of the padding' ? all : H).at(-1) ?? zeros(D);
    const backward = bidirectional && wrong !== 'both halves from the last token' ? all[0]! : end;
    const mean = scaled(plus(...all), 1 / (wrong === 'mean over T' ? all.length : Math.max(1, H.length)));
    const features = all[0]!.map((_, d) => H.map((row) => row[d]!));
    const act = { relu, tanh, none: (row: Row): Row => row }[activation as string]!;
    const ngram = (params['ngram'] ?? {}) as Record<string, { W: Matrix; b: Row }>;
    const ngrams = [1, 2, 3, 4, 5].flatMap((m) => {
      const W = (params[`ngram.${m}.W`] ?? ngram[m]?.W) as Matrix | undefined;
      if (!W) return [];
      const b = (params[`ngram.${m}.b`] ?? ngram[m]?.b) as Row;
      const windows = H.slice(m - 1).map((_, t) => act(plus(times(H.slice(t, t + m).flat(), W), b)));
      if (windows.length === 0) return zeros(b.length);
      if (wrong === 'n-grams averaged') return scaled(plus(...windows), 1 / windows.length);
      return columns(windows).map((feature) => Math.max(...feature));
    });
    return {
      last: bidirectional ? [...end.slice(0, D / 2), ...backward.slice(D / 2)] : end,
      ...{ H: all, mean, max: features.map((feature) => (feature.length === 0 ? 0 : Math.max(...feature))) },
      maxIndex: features.map((feature) => feature.indexOf(Math.max(...feature))),
      ...(ngrams.length > 0 && { ngrams }),
    };
  };
