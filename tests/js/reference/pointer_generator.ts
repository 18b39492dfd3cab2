/** pointerGenerator in double, from See, Liu and Manning 2017, and its wrong variants by name. */
import type { Run } from '../support/mechanism_properties.ts';
import { dot, mix, plus, scaled, sigmoid, softmax, tanh, times, zeros, type Matrix, type Row } from './equations/rows.ts';

export type Wrong =
  | 'nothing copied'
  | 'the last position overwrites'
  | 'no wx'
  | 'p_gen and 1 - p_gen exchanged'
  | 'the current row counted'
  | '[h*; s]'
  | 'coverage without wc'
  | 'padding counts'
  | 'state.coverage lost';

export const reference =
  (wrong: Wrong | ''): Run =>
  (inputs, params, options) => {
    const { source, decoder, decoderInputs, sourceIds, targets } = inputs as Record<string, Matrix> & {
      sourceIds: Row;
      targets?: Row;
    };
    const p = params as Record<string, Row> & Record<'Wh' | 'Ws' | 'V' | 'Vprime', Matrix> & { bptr: number };
    const {
      sourceLengths: length = Infinity,
      lambda = 1,
      pointer = true,
      initialState,
      oovCount,
    } = options as {
      sourceLengths?: number;
      lambda?: number;
      pointer?: boolean;
      oovCount?: number;
      initialState?: { coverage: Row };
    };
    const exists = (i: number): boolean => wrong === 'padding counts' || i < length;
    const V = p.Vprime[0]!.length;
    const words = pointer ? V + (oovCount ?? Math.max(0, ...sourceIds.slice(0, length).map((id) => id + 1 - V))) : V;
    const r: Record<string, Matrix & Row> = {};
    const push = (name: string, one: Row | number): void => void (r[name] ??= [] as never).push(one as never);
    let c = (wrong !== 'state.coverage lost' && initialState?.coverage) || zeros(source!.length);
    const losses = decoder!.map((s, t) => {
      const covered = (i: number): Row =>
        p['wc'] ? scaled(p['wc'], c[i]!) : zeros(p['v']!.length).map(() => (wrong === 'coverage without wc' ? c[i]! : 0));
      const e = source!.map((h, i) => dot(p['v']!, tanh(plus(times(h, p.Wh), times(s, p.Ws), covered(i), p['battn']!))));
      const a = softmax(e, exists);
      const before = wrong === 'the current row counted' ? plus(c, a) : c;
      const h = mix(a, source!, source![0]!.length);
      const hidden = plus(times(wrong === '[h*; s]' ? [...h, ...s] : [...s, ...h], p.V), p['b']!);
      const pVocab = softmax(plus(times(hidden, p.Vprime), p['bprime']!));
      const covloss = a.reduce((sum, x, i) => sum + Math.min(x, before[i]!), 0);
      let distribution = pVocab;
      if (pointer) {
        const wx = wrong === 'no wx' ? 0 : dot(p['wx']!, decoderInputs![t]!);
        const [pGen] = sigmoid([dot(p['whstar']!, h) + dot(p['ws']!, s) + wx + p.bptr]) as [number];
        const [generate, copy] = wrong === 'p_gen and 1 - p_gen exchanged' ? [1 - pGen, pGen] : [pGen, 1 - pGen];
        distribution = [...scaled(pVocab, generate), ...zeros(words - V)];
        const generated = [...distribution];
        if (wrong !== 'nothing copied')
          sourceIds.forEach((id, i) => {
            if (!exists(i)) return;
            distribution[id] = (wrong === 'the last position overwrites' ? generated : distribution)[id]! + copy * a[i]!;
          });
        push('pGen', pGen);
      }
      if (p['wc']) (push('coverage', before), push('coverageLoss', covloss));
      (push('weights', a), push('context', h), push('pVocab', pVocab), push('distribution', distribution));
      c = plus(c, a);
      return targets ? -Math.log(distribution[targets[t]!]!) + (p['wc'] ? lambda * covloss : 0) : 0;
    });
    const loss = losses.reduce((sum, one) => sum + one, 0) / losses.length;
    return { ...r, ...(p['wc'] && { state: { coverage: c } }), ...(targets && { loss }) };
  };
