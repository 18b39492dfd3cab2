/** attentionOverAttention in double, from Cui et al. 2017, and its wrong variants by name. */
import type { Run } from '../support/mechanism_properties.ts';
import { bothWays } from './equations/recurrent_layers.ts';
import { columns, dot, plus, scaled, softmax, sum, zeros, type Matrix, type Row } from './equations/rows.ts';

export type Wrong = 'axes exchanged' | 'β summed' | 'divided by |Q|' | 'padding counts';

export const reference =
  (wrong: Wrong | ''): Run =>
  (inputs, params, options) => {
    const { document, query, answer } = inputs as { document: Row; query: Row; answer?: number };
    const { documentLengths: n = document.length, queryLengths: m = query.length } = options as Record<string, number>;
    const { We } = params as { We: Matrix };
    const states = (name: string, ids: Row, length: number): Matrix => {
      const own = bothWays(
        params,
        name,
        ids.slice(0, length).map((id) => We[id]!),
      );
      return ids.map((_, i) => own.states[i] ?? zeros(own.last.length));
    };
    const [hDoc, hQuery] = [states('document', document, n), states('query', query, m)];
    const match = hDoc.map((row) => hQuery.map((column) => dot(row, column)));
    const [inDocument, inQuery] = [n, m].map((length) => (i: number) => wrong === 'padding counts' || i < length) as [
      (i: number) => boolean,
      (j: number) => boolean,
    ];
    const overDocument = columns(columns(match).map((column, j) => softmax(column, (i) => inDocument(i) && inQuery(j))));
    const overQuery = match.map((row, i) => softmax(row, (j) => inDocument(i) && inQuery(j)));
    const [alpha, beta] = wrong === 'axes exchanged' ? [overQuery, overDocument] : [overDocument, overQuery];
    const divisor = wrong === 'β summed' ? 1 : wrong === 'divided by |Q|' ? m : n;
    const averageBeta = scaled(plus(...beta), 1 / Math.max(1, divisor));
    const s = alpha.map((row) => dot(row, averageBeta));
    const words = [...new Set(document.slice(0, n))];
    const P = (word: number): number => sum(s.filter((_, i) => i < n && document[i] === word));
    const results = { match, alpha, beta, averageBeta, s, words, probability: words.map(P) };
    return { ...results, ...(answer !== undefined && { loss: -Math.log(P(answer)) }) };
  };
