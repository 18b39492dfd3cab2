/** decomposableAttention in double, from Parikh et al. 2016, and its wrong variants by name. */
import type { Run } from '../support/mechanism_properties.ts';
import { columns, dot, mix, plus, relu, scaled, softmax, times, zeros, type Matrix, type Row } from './equations/rows.ts';

export type Wrong = "alpha by the rows' softmax" | '[beta; a]' | 'mean' | 'padding aggregated' | 'j - i' | 'diagonal forbidden';
export type Stack = Record<string, Matrix | Row>;

export function stack(layers: Stack, x: Row, endsLinear = false): Row {
  const count = Object.keys(layers).length / 2;
  let h = x;
  for (let n = 1; n <= count; n++) {
    const y = plus(times(h, layers[`W${n}`] as Matrix), layers[`b${n}`] as Row);
    h = endsLinear && n === count ? y : relu(y);
  }
  return h;
}

export const reference =
  (wrong: Wrong | ''): Run =>
  (inputs, params, options) => {
    const { F, G, H, Fintra, d } = params as { F: Stack; G: Stack; H: Stack; Fintra?: Stack; d?: Row };
    const { target } = inputs as { target?: number };
    const intra = (x: Matrix): { rows: Matrix; weights?: Matrix } => {
      if (d === undefined) return { rows: x };
      const [f, K] = [x.map((row) => stack(Fintra!, row)), (d.length - 1) / 2];
      const weights = f.map((one, i) => {
        const offset = (j: number): number => Math.max(-K, Math.min(K, wrong === 'j - i' ? j - i : i - j));
        const scores = f.map((other, j) => dot(one, other) + d[offset(j) + K]!);
        return softmax(scores, (j) => wrong !== 'diagonal forbidden' || j !== i);
      });
      return { rows: x.map((row, i) => [...row, ...mix(weights[i]!, x, row.length)]), weights };
    };
    const cut = (name: 'a' | 'b'): Matrix => {
      const rows = inputs[name] as Matrix;
      const length = options[`${name}Lengths`] as number | undefined;
      return wrong === 'padding aggregated' ? rows : rows.slice(0, length ?? rows.length);
    };
    const [a, b] = [intra(cut('a')), intra(cut('b'))];
    const padded = (rows: Matrix, name: 'a' | 'b'): Matrix =>
      (inputs[name] as Matrix).map((_, t) => rows[t] ?? zeros(rows[0]!.length));
    const table = (rows: Matrix, down: 'a' | 'b', across: 'a' | 'b'): Matrix =>
      padded(columns(padded(columns(rows), across)), down);
    const [fa, fb] = [a.rows, b.rows].map((rows) => rows.map((row) => stack(F, row))) as [Matrix, Matrix];
    const e = fa.map((one) => fb.map((other) => dot(one, other)));
    const betaWeights = e.map((row) => softmax(row));
    const alphaWeights =
      wrong === "alpha by the rows' softmax" ? columns(betaWeights) : columns(e).map((column) => softmax(column));
    const beta = betaWeights.map((row) => mix(row, b.rows, b.rows[0]!.length));
    const alpha = alphaWeights.map((row) => mix(row, a.rows, a.rows[0]!.length));
    const compare = (rows: Matrix, others: Matrix): Matrix =>
      rows.map((row, i) => stack(G, wrong === '[beta; a]' ? [...others[i]!, ...row] : [...row, ...others[i]!]));
    const [v1Tokens, v2Tokens] = [compare(a.rows, beta), compare(b.rows, alpha)];
    const pool = (rows: Matrix): Row => scaled(plus(...rows), wrong === 'mean' ? 1 / rows.length : 1);
    const [v1, v2] = [pool(v1Tokens), pool(v2Tokens)];
    const logits = stack(H, [...v1, ...v2], true);
    const probability = softmax(logits);
    return {
      ...(a.weights && { aIntraWeights: table(a.weights, 'a', 'a'), bIntraWeights: table(b.weights!, 'b', 'b') }),
      ...{ e: table(e, 'a', 'b'), betaWeights: table(betaWeights, 'a', 'b'), alphaWeights: table(alphaWeights, 'b', 'a') },
      ...{
        beta: padded(beta, 'a'),
        alpha: padded(alpha, 'b'),
        v1Tokens: padded(v1Tokens, 'a'),
        v2Tokens: padded(v2Tokens, 'b'),
      },
      ...{ v1, v2, logits, probability },
      ...(target !== undefined && { loss: -Math.log(probability[target]!) }),
    };
  };
