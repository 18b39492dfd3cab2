import type { Matrix } from '../figures/matrix.ts';
import { zeros } from '../figures/matrix.ts';
import { POSITION_WIDTH, positionVector } from './positions.ts';
import { normalForm } from './tokens.ts';
import type { Feature } from './words.ts';
import { FEATURES, featuresOf, isPunctuation } from './words.ts';

/**
 * A typed word's vector, every axis of it readable: identity (one axis per distinct word) | features from the word list |
 * sinusoidal position | the constant 1.
 */
export type Axis =
  | { readonly kind: 'identity'; readonly word: string }
  | { readonly kind: 'feature'; readonly feature: Feature }
  | { readonly kind: 'position'; readonly index: number }
  | { readonly kind: 'constant' };

export interface Embedding {
  readonly tokens: readonly string[];
  readonly axes: readonly Axis[];
  /** [tokens, axes] */
  readonly X: Matrix;
  /** Listed tokens have features; these have none (punctuation is not counted). */
  readonly unlisted: readonly string[];
}

export function embed(tokens: readonly string[], positions: boolean): Embedding {
  const words = [...new Map(tokens.map((token) => [normalForm(token), token])).entries()];
  const axes: Axis[] = [
    ...words.map(([, word]): Axis => ({ kind: 'identity', word })),
    ...FEATURES.map((feature): Axis => ({ kind: 'feature', feature })),
    ...Array.from({ length: POSITION_WIDTH }, (_, index): Axis => ({ kind: 'position', index })),
    { kind: 'constant' },
  ];
  const X = zeros(tokens.length, axes.length);
  tokens.forEach((token, t) => {
    const features = featuresOf(token);
    const place = positionVector(t);
    axes.forEach((axis, a) => {
      X.data[t * axes.length + a] =
        axis.kind === 'identity'
          ? Number(normalForm(axis.word) === normalForm(token))
          : axis.kind === 'feature'
            ? Number(features?.has(axis.feature) ?? false)
            : axis.kind === 'position'
              ? positions
                ? (place[axis.index] ?? 0)
                : 0
              : 1;
    });
  });
  const unlisted = words.map(([, word]) => word).filter((word) => !featuresOf(word) && !isPunctuation(word));
  return { tokens, axes, X, unlisted };
}

/** The first and one-past-last axis of a kind: a block of columns of X, of rows of Wq, Wk, Wv. */
export function axisRange(axes: readonly Axis[], kind: Axis['kind']): [number, number] {
  const from = axes.findIndex((axis) => axis.kind === kind);
  return [from, from + axes.filter((axis) => axis.kind === kind).length];
}

/** Where each block of axes of one kind begins. */
export function blockStarts(axes: readonly Axis[]): { from: number; kind: Axis['kind'] }[] {
  return axes.flatMap(({ kind }, from) => (axes[from - 1]?.kind === kind ? [] : [{ from, kind }]));
}
