/** emAttention in double, from Li et al. 2019, and its wrong variants by name. */
import type { Run } from '../support/mechanism_properties.ts';
import { columns, dot, mix, plus, relu, scaled, softmax, sum, times, zeros, type Matrix, type Row } from './equations/rows.ts';

export type Wrong =
  'softmax over tokens' | 'bases not normalized' | 'M step not normalized' | 'last M step left out' | 'one more E step';
interface Options {
  iterations?: number;
  lambda?: number;
  normalize?: string;
  eps?: number;
  residual?: boolean;
  activation?: string;
}

export const norm = (x: Row): number => Math.sqrt(dot(x, x));

export const reference =
  (wrong: Wrong | ''): Run =>
  (inputs, params, options) => {
    const { X } = inputs as { X: Matrix };
    const { mu: start, W1, b1, W2, b2 } = params as { mu: Matrix; W1?: Matrix; b1?: Row; W2?: Matrix; b2?: Row };
    const {
      iterations = 3,
      lambda = 1,
      normalize = 'l2',
      eps = 1e-6,
      residual = true,
      activation = 'none',
    } = options as Options;
    const act = (row: Row): Row => (activation === 'relu' ? relu(row) : row);
    const affine = (row: Row, W: Matrix | undefined, b: Row | undefined): Row =>
      W === undefined ? row : plus(times(row, W), b ?? zeros(W[0]!.length));
    const features = X.map((row) => affine(row, W1, b1));
    let mu = start;
    const expect = (): Matrix => {
      const scores = features.map((row) => mu.map((base) => lambda * dot(row, base)));
      return wrong === 'softmax over tokens'
        ? columns(columns(scores).map((column) => softmax(column)))
        : scores.map((row) => softmax(row));
    };
    let Z: Matrix = [];
    for (let n = 0; n < iterations; n++) {
      Z = expect();
      if (wrong === 'last M step left out' && n === iterations - 1) break;
      mu = columns(Z).map((weights) => {
        const mean = scaled(
          mix(weights, features, mu[0]!.length),
          wrong === 'M step not normalized' ? 1 : 1 / (eps + sum(weights)),
        );
        return normalize === 'l2' && wrong !== 'bases not normalized' ? scaled(mean, 1 / (eps + norm(mean))) : mean;
      });
    }
    if (wrong === 'one more E step') Z = expect();
    const reconstruction = Z.map((row) => mix(row, mu, mu[0]!.length));
    const Y = reconstruction.map((row) => (W2 === undefined ? row : affine(act(row), W2, b2)));
    return { Z, mu, reconstruction, output: residual ? X.map((row, n) => act(plus(row, Y[n]!))) : Y };
  };
