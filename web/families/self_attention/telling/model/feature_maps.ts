import type { FeatureMap, LinearOptions } from 'fovea/linear-attention';

/** Linear attention's feature maps as they are chosen: what the package calls them, and what the page has to know of them. */

interface MapSpec {
  readonly name: FeatureMap;
  /** Whether a number of φ comes from the one number in its place. */
  readonly elementwise: boolean;
  /** Whether the scale of q·k goes inside: half of it to each side, before φ. */
  readonly scaled: boolean;
}

const MAPS = {
  elu1: { name: 'elu1', elementwise: true, scaled: false },
  relu: { name: 'relu', elementwise: true, scaled: false },
  squaredRelu: { name: 'squaredRelu', elementwise: true, scaled: false },
  exp: { name: 'exp', elementwise: true, scaled: true },
  softmax: { name: 'softmax', elementwise: false, scaled: false },
  favor: { name: 'favor+', elementwise: false, scaled: true },
  taylor: { name: 'taylor', elementwise: false, scaled: true },
} as const satisfies Record<string, MapSpec>;

export type MapName = keyof typeof MAPS;
export const MAP_NAMES = Object.keys(MAPS) as MapName[];

export const mapSpec = (map: MapName): MapSpec => MAPS[map];

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

/** The same as code. */
export function linearOptionsCode(options: LinearOptions): string {
  const entries = Object.entries({ ...options, trace: true });
  return `{ ${entries.map(([name, value]) => `${name}: ${typeof value === 'string' ? `'${value}'` : String(value)}`).join(', ')} }`;
}
