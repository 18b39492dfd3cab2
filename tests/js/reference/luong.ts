/** luong in double, from Luong, Pham and Manning 2015, and its wrong variants by name. */
import { decode, luongReadout, luongScores, meanLoss } from './equations/luong_decoder.ts';
import type { Run } from '../support/mechanism_properties.ts';
import { mix, scaled, softmax, type Matrix, type Row } from './equations/rows.ts';

export type Wrong =
  | 'softmax over the padding'
  | 'dot divided by √S'
  | '[h̄; h_t]'
  | 'h_{t-1} is the query'
  | '[h_t; c_t]'
  | 'state.attentional lost'
  | 'c_t is fed';

export const reference =
  (wrong: Wrong | ''): Run =>
  (inputs, params, options) => {
    const { source, targets } = inputs as { source: Matrix; targets?: Row };
    const length = wrong === 'softmax over the padding' ? source.length : Number(options['sourceLengths'] ?? source.length);
    const attend = (h: Row, _: number, before: Row) => {
      const query = wrong === 'h_{t-1} is the query' ? before : h;
      const scores = luongScores(query, source, params, options['score'], wrong === '[h̄; h_t]');
      const scale = wrong === 'dot divided by √S' && options['score'] === 'dot' ? 1 / Math.sqrt(h.length) : 1;
      const weights = softmax(scaled(scores, scale), (s) => s < length);
      const context = mix(weights, source, source[0]!.length);
      const readout = luongReadout(wrong === '[h_t; c_t]' ? [h, context] : [context, h], params);
      return { weights, context, ...readout, ...(wrong === 'c_t is fed' && { fed: context }) };
    };
    const results = decode(inputs, params, options, attend, wrong !== 'state.attentional lost');
    if (!targets) return results;
    return { ...results, loss: meanLoss(results['probability'] as Matrix, targets) };
  };
