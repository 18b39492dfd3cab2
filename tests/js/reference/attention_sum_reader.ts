/** attentionSumReader in double, from Kadlec et al. 2016, and its wrong variants by name. */
import type { Run } from '../support/mechanism_properties.ts';
import { bothWays } from './equations/recurrent_layers.ts';
import { dot, softmax, sum, zeros, type Matrix, type Row } from './equations/rows.ts';

export type Wrong = 'padding counts' | 'largest, not the sum' | 'both states of the last word';

export const reference =
  (wrong: Wrong | ''): Run =>
  (inputs, params, options) => {
    const { document, query, candidates, answer } = inputs as { document: Row; query: Row; candidates?: Row; answer?: number };
    const { documentLengths: length = document.length, queryLengths } = options as Record<string, number | undefined>;
    const { We } = params as { We: Matrix };
    const embedded = (ids: Row): Matrix => ids.map((id) => We[id]!);
    const f = bothWays(params, 'document', embedded(document.slice(0, length))).states;
    const g = bothWays(params, 'query', embedded(query.slice(0, queryLengths)));
    const queryState = wrong === 'both states of the last word' ? (g.states.at(-1) ?? g.last) : g.last;
    const documentStates = document.map((_, i) => f[i] ?? zeros(queryState.length));
    const scores = documentStates.map((state) => dot(state, queryState));
    const weights = softmax(scores, (i) => wrong === 'padding counts' || i < length);
    const words = [...new Set(document.slice(0, length))];
    const P = (word: number): number => {
      const own = weights.filter((_, i) => i < length && document[i] === word);
      return wrong === 'largest, not the sum' ? Math.max(0, ...own) : sum(own);
    };
    const results = { weights, documentStates, queryState, words, probability: words.map(P) };
    const asked = candidates && { candidateProbability: candidates.map(P) };
    return { ...results, ...asked, ...(answer !== undefined && { loss: -Math.log(P(answer)) }) };
  };
