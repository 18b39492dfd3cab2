import type { FeatureMap, LinearOptions } from 'fovea/linear-attention';
import { subscript } from '../../figures/format.ts';

/** Linear attention's feature maps as they are chosen: what the package calls them, and what the page has to know of them. */

interface MapSpec {
  readonly name: FeatureMap;
  /** Whether the scale of q·k goes inside: half of it to each side, before φ. */
  readonly scaled: boolean;
}

const MAPS = {
  elu1: { name: 'elu1', scaled: false },
  relu: { name: 'relu', scaled: false },
  squaredRelu: { name: 'squaredRelu', scaled: false },
  exp: { name: 'exp', scaled: true },
  softmax: { name: 'softmax', scaled: false },
  favor: { name: 'favor+', scaled: true },
  taylor: { name: 'taylor', scaled: true },
} as const satisfies Record<string, MapSpec>;

export type MapName = keyof typeof MAPS;
export const MAP_NAMES = Object.keys(MAPS) as MapName[];

/** The numbers of random features. More of them than `most` are too many to point at. */
export const FAVOR_FIELDS = {
  features: { usual: 16, least: 1, most: 128 },
  seed: { usual: 1, least: 0, most: 999_999 },
} as const;

export interface ChosenMap {
  readonly map: MapName;
  /** FAVOR+ alone. */
  readonly features: number;
  readonly seed: number;
}

/** The package's options. `scaled`: scores are divided by √d, which is the package's default. */
export function linearOptions({ map, features, seed }: ChosenMap, scaled: boolean, causal: boolean): LinearOptions {
  return {
    featureMap: MAPS[map].name,
    ...(map === 'favor' ? { features, seed } : {}),
    ...(MAPS[map].scaled && !scaled ? { scale: 1 } : {}),
    ...(causal ? { causal } : {}),
  };
}

/** The columns of φ: the components themselves, products of them, or random directions. */
export function featureNames(map: MapName, components: readonly string[], count: number): readonly string[] {
  const numbered = (letter: string, n: number): string[] => Array.from({ length: n }, (_, i) => letter + subscript(i + 1));
  if (map === 'favor') return numbered('w', count);
  if (map !== 'taylor') return components;
  const names = numbered('x', components.length);
  return ['1', ...names, ...names.flatMap((a) => names.map((b) => a + b))];
}

interface Sizes {
  readonly tokens: number;
  readonly width: number;
  readonly valueWidth: number;
  readonly features: number;
  /** Efficient Attention has no denominators, as its features sum to 1 already. */
  readonly normalized: boolean;
  /** Pairs of a later key are not counted. */
  readonly causal: boolean;
}

/**
 * Multiplications of (QKᵀ)V as `pairs`, of φ(Q)(φ(K)ᵀV) and its denominators as `linear`; `from` is the number of tokens from which on the second
 * takes fewer.
 */
export function costOf({ tokens, width, valueWidth, features, normalized, causal }: Sizes) {
  const perPair = width + valueWidth;
  const perToken = features * (2 * valueWidth + (normalized ? 1 : 0));
  const pairs = (causal ? (tokens * (tokens + 1)) / 2 : tokens ** 2) * perPair;
  const equal = causal ? (2 * perToken) / perPair - 1 : perToken / perPair;
  return { pairs, linear: tokens * perToken, from: Math.max(1, Math.floor(equal) + 1) };
}
