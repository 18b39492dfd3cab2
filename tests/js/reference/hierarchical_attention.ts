/** hierarchicalAttention in double, from Yang et al. 2016, and its wrong variants by name. */
import type { Run } from '../support/mechanism_properties.ts';
import { dot, gruStep, mix, plus, softmax, tanh, times, zeros, type Matrix, type Row } from './equations/rows.ts';

export type Wrong = 'padding attended' | 'sums the projection' | 'backward begins in the padding';
export type State = Record<string, Matrix>;
interface Level {
  readonly gru: State;
  readonly W: Matrix;
  readonly b: Row;
  readonly u: Row;
}

/** Both directions over the first `length` rows. */
function biGru(rows: Matrix, gru: State, length: number, wrong: Wrong | ''): Matrix {
  const width = gru['weight_hh_l0']![0]!.length;
  const from = wrong === 'backward begins in the padding' ? rows.length : length;
  const run = (way: string, count: number): Matrix => {
    const states = rows.map(() => zeros(width));
    let h = zeros(width);
    for (let n = 0; n < count; n++) {
      const t = way === '' ? n : count - 1 - n;
      h = gruStep(rows[t]!, h, [gru[`weight_ih_l0${way}`]!, gru[`weight_hh_l0${way}`]!]);
      states[t] = h;
    }
    return states;
  };
  const [forward, backward] = [run('', length), run('_reverse', from)];
  return rows.map((_, t) => (t < length ? [...forward[t]!, ...backward[t]!] : zeros(2 * width)));
}

function read(rows: Matrix, { gru, W, b, u }: Level, length: number, wrong: Wrong | ''): { h: Matrix; weights: Row; sum: Row } {
  const h = biGru(rows, gru, length, wrong);
  const projected = h.map((row) => tanh(plus(times(row, W), b)));
  const weights = softmax(
    projected.map((row) => dot(row, u)),
    (t) => t < length || wrong === 'padding attended',
  );
  const summed = wrong === 'sums the projection' ? projected : h;
  return { h, weights, sum: mix(weights, summed, summed[0]!.length) };
}

export const reference =
  (wrong: Wrong | ''): Run =>
  (inputs, params, options) => {
    const { words, target } = inputs as { words: Matrix[]; target?: number };
    const { word, sentence, Wc, bc } = params as {
      word: { gru: State; Ww: Matrix; bw: Row; uw: Row };
      sentence: { gru: State; Ws: Matrix; bs: Row; us: Row };
      Wc: Matrix;
      bc: Row;
    };
    const lengths = (options['wordLengths'] as Row | undefined) ?? words.map((rows) => rows.length);
    const sentences = words.map((rows, i) =>
      read(rows, { gru: word.gru, W: word.Ww, b: word.bw, u: word.uw }, lengths[i]!, wrong),
    );
    const above = { gru: sentence.gru, W: sentence.Ws, b: sentence.bs, u: sentence.us };
    const s = sentences.map(({ sum }) => sum);
    const document = read(s, above, s.length, wrong);
    const logits = plus(times(document.sum, Wc), bc);
    const probability = softmax(logits);
    return {
      ...{ wordStates: sentences.map(({ h }) => h), wordWeights: sentences.map(({ weights }) => weights), sentences: s },
      ...{ sentenceStates: document.h, sentenceWeights: document.weights, document: document.sum, logits, probability },
      ...(target !== undefined && { loss: -Math.log(probability[target]!) }),
    };
  };
