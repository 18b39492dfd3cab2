/** luongLocal in double, from Luong, Pham and Manning 2015, and its wrong variants by name. */
import { decode, luongReadout, luongScores } from './equations/luong_decoder.ts';
import type { Run } from '../support/mechanism_properties.ts';
import { dot, mix, scaled, sigmoid, softmax, tanh, times, type Matrix, type Row } from './equations/rows.ts';

export type Wrong =
  | 'softmax over all, then cut'
  | 'renormalized'
  | 'the right end left out'
  | 'S is the length of the array'
  | 'scores scaled by 1/√S'
  | 'state.position lost';

export const reference =
  (wrong: Wrong | ''): Run =>
  (inputs, params, options) => {
    const { source } = inputs as { source: Matrix };
    const { Wp, vp } = params as { Wp: Matrix; vp: Row };
    const { variant = 'predictive', D = 10 } = options as { variant?: string; D?: number };
    const { gaussian = variant === 'predictive', sigma = D / 2 } = options as { gaussian?: boolean; sigma?: number };
    const n = Number(options['sourceLengths'] ?? source.length);
    const start = Number((options['initialState'] as { position?: number } | undefined)?.position ?? 0);
    const S = wrong === 'S is the length of the array' ? source.length : n;
    const attend = (h: Row, t: number) => {
      const position = variant === 'predictive' ? S * sigmoid([dot(vp, tanh(times(h, Wp)))])[0]! : start + t;
      const inWindow = (s: number): boolean =>
        s < n && (wrong === 'the right end left out' ? s - position < D && position - s <= D : Math.abs(s - position) <= D);
      const scale = wrong === 'scores scaled by 1/√S' ? 1 / Math.sqrt(h.length) : 1;
      const scores = scaled(luongScores(h, source, params, options['score']), scale);
      const alignment =
        wrong === 'softmax over all, then cut'
          ? softmax(scores, (s) => s < n).map((weight, s) => (inWindow(s) ? weight : 0))
          : softmax(scores, inWindow);
      const parts = alignment.map((weight, s) => weight * (gaussian ? Math.exp(-((s - position) ** 2) / (2 * sigma ** 2)) : 1));
      const total = wrong === 'renormalized' ? parts.reduce((sum, part) => sum + part, 0) : 1;
      const weights = scaled(parts, total === 0 ? 0 : 1 / total);
      const context = mix(weights, source, source[0]!.length);
      return { position, alignment, weights, context, ...luongReadout([context, h], params) };
    };
    const results = decode(inputs, params, options, attend);
    const steps = (results['states'] as Matrix).length;
    const position = wrong === 'state.position lost' ? 0 : start + steps;
    return { ...results, state: { ...(results['state'] as object | undefined), position } };
  };
