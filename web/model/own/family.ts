/** Facts about a kind of model that the page needs to open a file of it. */
import type { ActivationName } from 'fovea/ops';
import type { RotaryOptions } from 'fovea/position';
import type { Checkpoint } from './checkpoint.ts';
import type { ConfigReader } from './config.ts';

export type FamilyName = 'bert' | 'gpt2' | 'llama' | 'vit';

/** Sizes and options of a model. E width, H heads, V vocabulary. */
/** Made from a configuration: no tables of its own. */
export type Rope = Omit<RotaryOptions, 'cos' | 'sin'>;

export interface Plan {
  readonly family: FamilyName;
  /** Before the names of the layers: "bert.encoder.layer.". */
  readonly prefix: string;
  readonly layers: number;
  readonly width: number;
  readonly heads: number;
  readonly kvHeads: number;
  readonly headDim: number;
  readonly between: number;
  readonly eps: number;
  readonly activation: ActivationName;
  readonly rope?: Rope;
  /** V, or null where patches are read. */
  readonly vocabulary: number | null;
  /** The most tokens that have a position; null where positions are rotated. */
  readonly positions: number | null;
  /** The row of the first token's position. */
  readonly firstPosition: number;
  /** Side of a patch, patches along a side, channels. */
  readonly patches?: { readonly size: number; readonly grid: number; readonly channels: number };
}

/** The tensors of one part of a layer: lists are joined along the first axis; `turned` are [in, out]. */
export interface Source {
  readonly weight: readonly string[];
  readonly bias?: readonly string[];
  readonly turned?: boolean;
}
export type LayerSources = Readonly<Record<'norm1' | 'qkv' | 'out' | 'norm2' | 'up' | 'down', Source> & { gate?: Source }>;

export interface Family {
  readonly name: FamilyName;
  /** The prefix of the names of all of its weights, or undefined where the file is another model. */
  prefixOf(names: Iterable<string>): string | undefined;
  plan(checkpoint: Checkpoint, config: ConfigReader, prefix: string): Plan;
  layer(plan: Plan, n: number, has: (name: string) => boolean): LayerSources;
}

/** The prefix of the first name that ends so. */
export function before(names: Iterable<string>, ending: string): string | undefined {
  for (const name of names) if (name === ending || name.endsWith(`.${ending}`)) return name.slice(0, -ending.length);
  return undefined;
}
