import type { Fovea } from 'fovea';
import type { Arguments } from 'fovea/catalog';
import { xformerCost } from 'fovea/mechanisms';
import type { BigBirdOptions, Pattern } from 'fovea/pattern';
import { pattern } from 'fovea/pattern';
import * as messages from '../../../build/generated/texts/family_sparse.ts';
import type { Localized } from '../../shell/localized.ts';

/** A number of a mechanism's pattern that the visitor may change. */
export interface PatternField {
  readonly label: Localized;
  readonly least: number;
  readonly most: number;
  readonly step: number;
  readonly read: (options: Arguments) => number;
  readonly write: (value: number) => Arguments;
}

/** The pattern of one mechanism, and how its pairs are counted without listing them. */
export interface Variant {
  readonly fields: readonly PatternField[];
  readonly patternOf: (options: Arguments) => Pattern;
  /** In the letters of the fields' labels. */
  readonly formula: string;
  /** The formula's count for n tokens; null where it does not hold. */
  readonly count: (fovea: Fovea, options: Arguments, n: number) => number | null;
  /** Draws may meet pairs that are there already. */
  readonly isBound?: true;
}

const number = (options: Arguments, name: string): number => Number(options[name] ?? 0);

function option(name: string, label: Localized, least: number, most: number, step = 1): PatternField {
  return { label, least, most, step, read: (options) => number(options, name), write: (value) => ({ [name]: value }) };
}

const globalTokens: PatternField = {
  label: messages.globalTokens,
  least: 0,
  most: 3,
  step: 1,
  read: (options) => (options['globalTokens'] as readonly number[]).length,
  write: (count) => ({ globalTokens: Array.from({ length: count }, (_, i) => i) }),
};

export const variants: Readonly<Record<string, Variant>> = {
  local: {
    fields: [option('radius', messages.radius, 0, 8)],
    patternOf: (options) => pattern.local(number(options, 'radius')),
    formula: 'n(2k + 1) − k(k + 1)',
    count: (fovea, options, n) =>
      xformerCost(fovea, {}, {}, { n, d: 1, kinds: { local: { k: number(options, 'radius') } } }).local.pairs,
  },
  atrous: {
    fields: [option('stride', messages.stride, 1, 8)],
    patternOf: (options) => pattern.atrous(number(options, 'stride')),
    formula: 'r(q + 1)² + (k − r)q², n = qk + r',
    count: (fovea, options, n) =>
      xformerCost(fovea, {}, {}, { n, d: 1, kinds: { atrous: { k: number(options, 'stride') } } }).atrous.pairs,
  },
  sparse_transformer: {
    fields: [option('stride', messages.stride, 1, 8)],
    patternOf: (options) => pattern.strided(number(options, 'stride')),
    formula: 'Σᵢ min(i, k) + 1 + max(0, ⌊i / k⌋ − 1), i = 0 … n − 1',
    count: (fovea, options, n) =>
      xformerCost(fovea, {}, {}, { n, d: 1, kinds: { sparse: { k: number(options, 'stride'), causal: true } } }).sparse.pairs,
  },
  longformer: {
    fields: [option('window', messages.window, 0, 16, 2), globalTokens],
    patternOf: (options) =>
      pattern.longformer({
        window: number(options, 'window'),
        globalTokens: options['globalTokens'] as readonly number[],
      }),
    formula: 'm + 2 Σ (m − p) + 2gn − g², m = n − g, p = 1 … w/2',
    count: (fovea, options, n) => {
      const longformer = { window: number(options, 'window'), global: globalTokens.read(options) };
      return xformerCost(fovea, {}, {}, { n, d: 1, kinds: { longformer } }).longformer.pairs;
    },
  },
  bigbird: {
    fields: [
      option('block', messages.block, 1, 4),
      option('global', messages.globalBlocks, 0, 3),
      option('random', messages.random, 0, 4),
    ],
    patternOf: (options) => {
      const { block, window, global, random, seed } = options as BigBirdOptions;
      return pattern.bigBird({ block, window, global, random, seed });
    },
    formula: 'b² Σᵢ min(N, |Wᵢ ∪ G| + r), i ∈ G: N, N = n / b',
    count: (fovea, options, n) => {
      const [block, window, global, random] = ['block', 'window', 'global', 'random'].map((name) => number(options, name)) as [
        number,
        number,
        number,
        number,
      ];
      if (n % block !== 0) return null;
      return xformerCost(fovea, {}, {}, { n, d: 1, kinds: { bigBird: { block, window, global, random } } }).bigBird.pairs;
    },
    isBound: true,
  },
};
