/** `SelfAttention`: fovea.selfAttention with weights of its own. */
import { SPEC_OPTIONS } from '../attention/options/attention_spec.ts';
import { OUTPUT_OPTIONS } from '../attention/request/results.ts';
import { fail } from '../errors/errors.ts';
import type { Pattern } from '../pattern/pattern.ts';
import type { Fovea } from '../fovea/fovea.ts';
import { translate } from '../errors/foreign_names.ts';
import { checkBoolean, readOptions } from '../errors/options.ts';
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import type { AskLogits, AskLse, AskTrace, AskWeights, RequestedResult, RequestTypes } from '../attention/types/results.ts';
import type { ProjectionParams, SelfAttentionOptions } from '../attention/types/projected.ts';
import { Module, type SeedOption } from './module.ts';
import { readSize } from './sizes.ts';

export interface SelfAttentionModuleOptions extends SeedOption {
  /** The width of the sequence. */
  readonly dim: number;
  /** Default 1. */
  readonly heads?: number | undefined;
  /** Default heads. */
  readonly kvHeads?: number | undefined;
  /** The width D of a head; default dim / heads. */
  readonly headDim?: number | undefined;
  /** The width of the output; default dim. */
  readonly outDim?: number | undefined;
  /** Whether there is Wo; default true. Without it the output is H·D wide. */
  readonly outputProjection?: boolean | undefined;
  /** Default false. */
  readonly bias?: boolean | undefined;
}

/** The options of `fovea.selfAttention` that the module has not fixed. */
type Options<R extends RequestTypes> = Omit<SelfAttentionOptions<R>, 'heads' | 'kvHeads' | 'weightLayout'>;

const OPTIONS = [...SPEC_OPTIONS, ...OUTPUT_OPTIONS];

/**
 * `fovea.selfAttention` as a module, in the papers' notation: `Wq` [dim, H·D], `Wk` and `Wv` [dim, Hkv·D], `Wo` [H·D, outDim]; with
 * `bias` `bq`, `bk`, `bv`, `bo`. Its `mask` is that of `fovea.selfAttention`: true = allowed.
 * Source: Vaswani et al. 2017, arXiv:1706.03762 §3.2.
 *
 * @example
 * import { SelfAttention } from 'fovea/nn';
 * const block = new SelfAttention(fovea, { dim: 2, outputProjection: false });
 * const identity = [[1, 0], [0, 1]];
 * block.loadStateDict({ Wq: identity, Wk: identity, Wv: identity });
 * toNested(block.forward([[1, 2], [3, 4]], { causal: true, window: [0, 0] }).output); // [[1, 2], [3, 4]]
 */
export class SelfAttention extends Module {
  readonly #heads: { readonly heads: number; readonly kvHeads: number };

  /** Self-attention with its projections: weights come from `loadStateDict`, or are drawn where `options.seed` is given. */
  constructor(fovea: Fovea, options: SelfAttentionModuleOptions) {
    const fn = 'SelfAttention';
    super(fn, fovea);
    const names = ['dim', 'heads', 'kvHeads', 'headDim', 'outDim', 'outputProjection', 'bias', 'seed'] as const;
    const known = readOptions(fn, options, names, translate);
    checkBoolean(fn, 'outputProjection', known.outputProjection);
    checkBoolean(fn, 'bias', known.bias);
    const dim = readSize(fn, 'dim', known.dim);
    const heads = readSize(fn, 'heads', known.heads, 1);
    const kvHeads = readSize(fn, 'kvHeads', known.kvHeads, heads);
    if (heads % kvHeads !== 0) fail('shape', fn, `kvHeads must divide heads, got ${kvHeads} and ${heads}`);
    if (known.headDim === undefined && dim % heads !== 0)
      fail('shape', fn, `heads must divide dim, or headDim be given, got ${heads} and ${dim}`);
    const width = readSize(fn, 'headDim', known.headDim, dim / heads);
    const outDim = readSize(fn, 'outDim', known.outDim, dim);
    if (known.outputProjection === false && known.outDim !== undefined)
      fail('option', fn, 'outDim goes with an output projection, got outputProjection: false');
    this.#heads = { heads, kvHeads };
    const matrices: [letter: string, from: number, to: number][] = [
      ['q', dim, heads * width],
      ['k', dim, kvHeads * width],
      ['v', dim, kvHeads * width],
      ...((known.outputProjection ?? true) ? [['o', heads * width, outDim] as [string, number, number]] : []),
    ];
    for (const [letter, from, to] of matrices) {
      this.declareMatrix(`W${letter}`, [from, to], { layout: 'inOut', parts: null });
      if (known.bias) this.declare(`b${letter}`, [to], 'zeros');
    }
    this.begin(fn, known.seed);
  }

  /**
   * Attention of the sequence over itself, between projections.
   *
   * @param X [T, dim] or [B, T, dim].
   * @param options those of `fovea.selfAttention`.
   * @returns as `fovea.selfAttention`; weights are [B?, H, T, T], also of one head.
   * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
   */
  forward<
    Q extends ArrayInput,
    const W extends AskWeights = undefined,
    P extends Pattern | undefined = undefined,
    const L extends AskLse = undefined,
    const G extends AskLogits = undefined,
    const T extends AskTrace = undefined,
  >(X: Q, options?: Options<RequestTypes<W, P, L, G, T>>): RequestedResult<ResultArray<Q>, RequestTypes<W, P, L, G, T>> {
    const fn = this.fn('forward');
    const known = readOptions(fn, options, OPTIONS, translate);
    const params = Object.fromEntries(
      [...this.own].map(([name, { packing }]) => [name, packing === null ? this.weight(fn, name) : this.matrix(fn, name)]),
    );
    return this.fovea.selfAttention(X, params as unknown as ProjectionParams, { ...known, ...this.#heads } as typeof known);
  }
}
