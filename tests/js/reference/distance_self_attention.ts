/** distanceSelfAttention in double, from Im and Cho 2017, and its wrong variants by name. */
import type { Run } from '../support/mechanism_properties.ts';
import {
  columns,
  dot,
  elu,
  hadamard,
  mix,
  plus,
  relu,
  sigmoid,
  softmax,
  times,
  zeros,
  type Matrix,
  type Row,
} from './equations/rows.ts';

export type Wrong =
  | 'diagonal allowed'
  | 'distance added'
  | 'gate of raw S and H'
  | 'gate swapped'
  | 'scale by the whole width'
  | 'softmax over features'
  | 'padding pooled';
export type Letters = Record<'Wq' | 'Wk' | 'Wv' | 'Wo' | 'WS' | 'WH' | 'W1P' | 'W2P', Matrix> &
  Record<'bF' | 'b1P' | 'b2P', Row>;
export type Params = { forward: Letters; backward: Letters; W1M: Matrix; W2M: Matrix; b1M: Row; b2M: Row };

function encode(x: Matrix, p: Letters, forward: boolean, heads: number, alpha: number, wrong: Wrong | '') {
  const D = x[0]!.length;
  const dk = D / heads;
  const [q, k, v] = [p.Wq, p.Wk, p.Wv].map((W) => x.map((row) => times(row, W))) as [Matrix, Matrix, Matrix];
  const part = (row: Row, h: number): Row => row.slice(h * dk, (h + 1) * dk);
  const scale = 1 / Math.sqrt(wrong === 'scale by the whole width' ? D : dk);
  const weights = Array.from({ length: heads }, (_, h) =>
    q.map((query, i) => {
      const distance = (j: number): number => (wrong === 'distance added' ? alpha : -alpha) * Math.abs(i - j);
      const scores = k.map((key, j) => scale * dot(part(query, h), part(key, h)) + distance(j));
      return softmax(scores, (j) => (j === i ? wrong === 'diagonal allowed' : forward ? j < i : j > i));
    }),
  );
  const gate: Matrix = [];
  const U = x.map((row, i) => {
    const joined = weights.flatMap((rows, h) =>
      mix(
        rows[i]!,
        v.map((one) => part(one, h)),
        dk,
      ),
    );
    const H = times(joined, p.Wo);
    const [SF, HF] = [times(row, p.WS), times(H, p.WH)];
    const F = sigmoid(plus(SF, HF, p.bF));
    gate.push(F);
    const [a, b] = wrong === 'gate of raw S and H' ? [row, H] : wrong === 'gate swapped' ? [HF, SF] : [SF, HF];
    const G = F.map((f, d) => f * a[d]! + (1 - f) * b[d]!);
    return plus(G, times(relu(plus(times(G, p.W1P), p.b1P)), p.W2P), p.b2P);
  });
  return { weights, gate, U };
}

export const reference =
  (wrong: Wrong | ''): Run =>
  (inputs, params, options) => {
    const p = params as Params;
    const {
      heads = 1,
      alpha = 1.5,
      lengths,
      pooling = 'both',
    } = options as { heads?: number; alpha?: number; lengths?: number; pooling?: string };
    const all = inputs['x'] as Matrix;
    const x = wrong === 'padding pooled' ? all : all.slice(0, lengths ?? all.length);
    const [fw, bw] = [encode(x, p.forward, true, heads, alpha, wrong), encode(x, p.backward, false, heads, alpha, wrong)];
    const U = fw.U.map((row, i) => [...row, ...bw.U[i]!]);
    const scores = U.map((u) => plus(times(elu(plus(times(u, p.W1M), p.b1M)), p.W2M), p.b2M));
    const featureWeights =
      wrong === 'softmax over features'
        ? scores.map((row) => softmax(row))
        : columns(columns(scores).map((feature) => softmax(feature)));
    const attentionPooled = U.map((u, i) => hadamard(u, featureWeights[i]!)).reduce((sum, row) => plus(sum, row));
    const maxPooled = columns(U).map((feature) => Math.max(...feature));
    const output = { both: [...attentionPooled, ...maxPooled], attention: attentionPooled, max: maxPooled }[pooling];
    const padded = (rows: Matrix): Matrix => all.map((_, t) => rows[t] ?? zeros(rows[0]!.length));
    const wider = (heads: Matrix[]): Matrix[] => heads.map((rows) => padded(rows.map((row) => all.map((_, j) => row[j] ?? 0))));
    const [forwardWeights, backwardWeights] = [wider(fw.weights), wider(bw.weights)];
    const directed = { forwardWeights, backwardWeights, forwardGate: padded(fw.gate), backwardGate: padded(bw.gate) };
    return { ...directed, U: padded(U), featureWeights: padded(featureWeights), attentionPooled, maxPooled, output };
  };
