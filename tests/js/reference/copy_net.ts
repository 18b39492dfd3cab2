/** copyNet in double, from Gu et al. 2016, and its wrong variants by name. */
import type { Run } from '../support/mechanism_properties.ts';
import { stepOf } from './equations/recurrent_layers.ts';
import { dot, mix, plus, softmax, sum, tanh, times, zeros, type Matrix, type Row } from './equations/rows.ts';

export type Wrong =
  | 'copies count for UNK too'
  | 'two softmaxes'
  | 'all positions read'
  | 'read evenly'
  | 'copies go to UNK'
  | '[e; c; ζ]'
  | 'padding counts'
  | 'state lost';

export const reference =
  (wrong: Wrong | ''): Run =>
  (inputs, params, options) => {
    const { source, sourceIds, decoderIds, targets } = inputs as {
      source: Matrix;
      sourceIds: Row;
      decoderIds: Row;
      targets?: Row;
    };
    const p = params as Record<'embedding' | 'Wa' | 'Ua' | 'Wo' | 'Wc', Matrix> & { va: Row };
    const V = p.embedding.length;
    const {
      sourceLengths: length = Infinity,
      unk = V - 1,
      oovCount,
      targetLengths = decoderIds.length,
      initialState,
    } = options as {
      sourceLengths?: number;
      targetLengths?: number;
      unk?: number;
      oovCount?: number;
      initialState?: { s: Row };
    };
    const exists = (j: number): boolean => wrong === 'padding counts' || j < length;
    const words = V + (oovCount ?? Math.max(0, ...sourceIds.slice(0, length).map((id) => id + 1 - V)));
    const [S, Hs] = [p.Wo.length, p.Ua.length];
    const r = {
      weights: [],
      context: [],
      selectiveWeights: [],
      selectiveRead: [],
      states: [],
      generate: [],
      copy: [],
      distribution: [],
    } as Record<string, Matrix>;
    let s = (wrong !== 'state lost' && initialState?.s) || zeros(S);
    for (const y of decoderIds) {
      const a = softmax(
        source.map((h) => dot(p.va, tanh(plus(times(s, p.Wa), times(h, p.Ua))))),
        exists,
      );
      const c = mix(a, source, Hs);
      const psi = (state: Row): Row => source.map((h) => dot(tanh(times(h, p.Wc)), state));
      const isRead = (j: number): boolean => exists(j) && (wrong === 'all positions read' || sourceIds[j] === y);
      const rho = softmax(wrong === 'read evenly' ? zeros(source.length) : psi(s), isRead);
      const zeta = mix(rho, source, Hs);
      const e = p.embedding[y < V ? y : unk]!;
      s = stepOf(params, 'decoder', wrong === '[e; c; ζ]' ? [...e, ...c, ...zeta] : [...e, ...zeta, ...c], s);
      const both = softmax([...times(s, p.Wo), ...psi(s)], (n) => n < V || exists(n - V));
      let [generate, copy] = [both.slice(0, V), both.slice(V)];
      if (wrong === 'two softmaxes')
        [generate, copy] = [softmax(times(s, p.Wo)).map((x) => x / 2), softmax(psi(s), exists).map((x) => x / 2)];
      const distribution = [...generate, ...zeros(words - V)];
      sourceIds.forEach((id, j) => {
        if (!exists(j)) return;
        distribution[wrong === 'copies go to UNK' && id >= V ? unk : id]! += copy[j]!;
        if (wrong === 'copies count for UNK too' && id >= V) distribution[unk]! += copy[j]!;
      });
      const rows = {
        weights: a,
        context: c,
        selectiveWeights: rho,
        selectiveRead: zeta,
        states: s,
        generate,
        copy,
        distribution,
      };
      for (const [name, row] of Object.entries(rows)) r[name]!.push(row);
    }
    const logs = targets?.slice(0, targetLengths).map((id, t) => Math.log(r['distribution']![t]![id]!));
    const loss = logs && -sum(logs) / Math.max(1, logs.length);
    return { ...r, state: { s }, ...(targets && { loss }) };
  };
