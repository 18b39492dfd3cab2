/** memoryNetwork in double, from Sukhbaatar et al. 2015, and its wrong variants by name. */
import type { Run } from '../support/mechanism_properties.ts';
import { columns, dot, hadamard, mix, plus, softmax, times, zeros, type Matrix, type Row } from './equations/rows.ts';

export type Wrong =
  | 'padding read'
  | 'output read from A'
  | 'words from 0'
  | 'bag of words'
  | 'rows from the oldest'
  | '(u + o) H'
  | 'answer from A';

export const reference =
  (wrong: Wrong | ''): Run =>
  (inputs, params, options) => {
    const { story, question, answer } = inputs as { story: Matrix; question: Row; answer?: number };
    const p = params as Record<string, Matrix> & { C: Matrix & Matrix[]; TC?: Matrix & Matrix[] };
    const {
      tying,
      hops = 3,
      encoding,
      linear,
      memoryLengths = story.length,
      sentenceLengths,
    } = options as Record<string, never>;
    const isLayerwise = tying === 'layerwise';
    const [A, TA, d] = [p['A']!, p['TA'], p['A']![0]!.length];
    const tables = isLayerwise ? new Array<Matrix>(hops).fill(p.C) : (p.C as Matrix[]);
    const times_ = isLayerwise ? new Array<Matrix>(hops).fill(p.TC!) : (p.TC as Matrix[] | undefined);
    const encode = (words: Row, table: Matrix): Row => {
      const J = words.length;
      const factors = (j: number): Row =>
        zeros(d).map((_, k) =>
          encoding === 'bagOfWords' || wrong === 'bag of words' ? 1 : 1 - j / J - ((k + 1) / d) * (1 - (2 * j) / J),
        );
      const from = wrong === 'words from 0' ? 0 : 1;
      return words.reduce((sum, word, j) => plus(sum, hadamard(factors(j + from), table[word]!)), zeros(d));
    };
    const n = wrong === 'padding read' ? story.length : (memoryLengths as number);
    const memory = (table: Matrix, rows: Matrix | undefined): Matrix =>
      story.map((sentence, i) => {
        const words = sentence.slice(0, (sentenceLengths as Row | undefined)?.[i] ?? sentence.length);
        const row = rows?.[wrong === 'rows from the oldest' ? i : n - 1 - i];
        return plus(encode(words, table), row ?? zeros(d));
      });
    const u = [encode(question, isLayerwise ? p['B']! : A)];
    const [o, weights]: Matrix[] = [[], []];
    tables.forEach((table, k) => {
      const isFirst = isLayerwise || k === 0;
      const m = memory(isFirst ? A : tables[k - 1]!, isFirst ? TA : times_?.[k - 1]);
      const scores = m.map((row) => dot(u[k]!, row));
      const row = linear ? scores.map((score, i) => (i < n ? score : 0)) : softmax(scores, (i) => i < n);
      const read = mix(row, wrong === 'output read from A' ? m : memory(table, times_?.[k]), d);
      const own = isLayerwise ? times(u[k]!, p['H']!) : u[k]!;
      u.push(isLayerwise && wrong === '(u + o) H' ? times(plus(u[k]!, read), p['H']!) : plus(own, read));
      o!.push(read);
      weights!.push(row);
    });
    const answers = isLayerwise ? p['W']! : columns(wrong === 'answer from A' ? A : tables.at(-1)!);
    const probability = softmax(times(u.at(-1)!, answers));
    return { u, o, weights, probability, ...(answer !== undefined && { loss: -Math.log(probability[answer]!) }) };
  };
