import type { Fovea } from 'fovea';
import { matmul } from 'fovea/ops';
import type { Matrix } from '../../../figures/matrix.ts';
import { zeros } from '../../../figures/matrix.ts';
import type { HeadName } from '../../../text/named_heads.ts';
import { head } from '../../../text/named_heads.ts';
import { POSITION_WIDTH, positionVector } from '../../../text/positions.ts';
import { normalForm } from '../../../text/tokens.ts';
import type { Axis } from '../../../text/vectors.ts';
import { FEATURES, featuresOf } from '../../../text/words.ts';

/**
 * A long text's readable vectors. One axis for each distinct word would be as wide as the text: here a word has a number of two
 * digits, each digit one-hot in axes of its own. The dot product of two words is 2 where they are the same, else 1 or 0.
 */
export interface Projected {
  /** [tokens, width] each. */
  readonly q: Float32Array;
  readonly k: Float32Array;
  readonly width: number;
  readonly tokens: number;
}

export function embedLong(tokens: readonly string[]): { axes: readonly Axis[]; X: Matrix } {
  const numbers = new Map<string, number>();
  for (const token of tokens) {
    const form = normalForm(token);
    if (!numbers.has(form)) numbers.set(form, numbers.size);
  }
  const base = Math.max(1, Math.ceil(Math.sqrt(numbers.size)));
  const axes: Axis[] = [
    ...Array.from({ length: 2 * base }, (_, digit): Axis => ({ kind: 'identity', word: `${digit}` })),
    ...FEATURES.map((feature): Axis => ({ kind: 'feature', feature })),
    ...Array.from({ length: POSITION_WIDTH }, (_, index): Axis => ({ kind: 'position', index })),
    { kind: 'constant' },
  ];
  const X = zeros(tokens.length, axes.length);
  tokens.forEach((token, t) => {
    const number = numbers.get(normalForm(token)) ?? 0;
    const features = featuresOf(token);
    const line = X.data.subarray(t * axes.length, (t + 1) * axes.length);
    line[Math.floor(number / base)] = 1;
    line[base + (number % base)] = 1;
    FEATURES.forEach((feature, f) => (line[2 * base + f] = Number(features?.has(feature) ?? false)));
    line.set(positionVector(t), 2 * base + FEATURES.length);
    line[axes.length - 1] = 1;
  });
  return { axes, X };
}

/** Queries and keys of a named head. */
export function project(fovea: Fovea, tokens: readonly string[], name: HeadName): Projected {
  const { axes, X } = embedLong(tokens);
  const { q, k } = head(name, axes);
  const times = ({ data, rows, cols }: Matrix): Float32Array =>
    matmul(
      fovea,
      { data: X.data as Float32Array, shape: [X.rows, X.cols] },
      { data: data as Float32Array, shape: [rows, cols] },
    ).data as Float32Array;
  return { q: times(q.matrix), k: times(k.matrix), width: q.matrix.cols, tokens: tokens.length };
}
