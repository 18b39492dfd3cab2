/** `MultiHeadAttention`: torch.nn.MultiheadAttention and Keras' layer of that name. */
import { fail } from '../errors/errors.ts';
import type { Fovea } from '../fovea/fovea.ts';
import type { Pattern } from '../pattern/pattern.ts';
import { translate } from '../errors/foreign_names.ts';
import { checkBoolean, isPlainObject, ownProperties, readOptions } from '../errors/options.ts';
import { formatShape } from '../tensor/shapes.ts';
import { isTensor, type Tensor } from '../tensor/tensor.ts';
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import type { AskLogits, AskLse, AskTrace, AskWeights } from '../attention/types/results.ts';
import type { AttentionResult, RequestedResult, RequestTypes } from '../attention/types/results.ts';
import type { MultiHeadParams } from '../attention/types/projected.ts';
import { swapAxes } from './axes.ts';
import { fromKeras } from './keras.ts';
import { Module, type SeedOption } from './module.ts';
import { RESULT_OPTIONS, hasProperty, readForwardOptions } from './forward_options.ts';
import type { ForwardOptions, PairSizes, ReadOptions } from './forward_options.ts';
import { readSize, sequenceShape } from './sizes.ts';
import { LOAD_OPTIONS, type LoadOptions, type StateDict } from './state_dict.ts';

export interface MultiHeadAttentionOptions extends SeedOption {
  /** The width E of queries and of the output. */
  readonly embedDim: number;
  readonly numHeads: number;
  /** The widths of keys and of values; default E. */
  readonly kdim?: number | undefined;
  readonly vdim?: number | undefined;
  /** Default true. */
  readonly bias?: boolean | undefined;
  /** A learned key and value behind all others: `bias_k` and `bias_v`. Default false. */
  readonly addBiasKv?: boolean | undefined;
  /** A key and a value of zeros behind all others. Default false. */
  readonly addZeroAttn?: boolean | undefined;
  /** Default true, [B, T, E]; PyTorch's default is false, [T, B, E]. */
  readonly batchFirst?: boolean | undefined;
  /** Whether weights that are asked for are the mean over the heads; default true, as in PyTorch. */
  readonly averageAttnWeights?: boolean | undefined;
  /** Heads of keys and values, which divides numHeads: grouped queries, which PyTorch's module lacks. Default numHeads. */
  readonly kvHeads?: number | undefined;
  /** The width of a head, Keras' key_dim; default E / numHeads. */
  readonly headDim?: number | undefined;
}

const OPTIONS = [
  ...(['embedDim', 'numHeads', 'kdim', 'vdim', 'bias', 'addBiasKv', 'addZeroAttn', 'batchFirst'] as const),
  ...(['averageAttnWeights', 'kvHeads', 'headDim', 'seed'] as const),
];

/**
 * `torch.nn.MultiheadAttention`. Weights, W = numHeads·headDim and G = kvHeads·headDim being E in PyTorch: `in_proj_weight`
 * [W + 2G, E], or where kdim or vdim is not E `q_proj_weight` [W, E], `k_proj_weight` [G, kdim], `v_proj_weight` [G, vdim];
 * `in_proj_bias` [W + 2G], `bias_k` and `bias_v` [1, 1, G], `out_proj.weight` [E, W], `out_proj.bias` [E].
 *
 * MASKS ARE PyTorch's: true means NOT allowed, the opposite of `fovea.attention`. See `LayerForwardOptions`.
 * Source: Vaswani et al. 2017, arXiv:1706.03762 §3.2.2.
 *
 * @example
 * import { MultiHeadAttention } from 'fovea/nn';
 * const attention = new MultiHeadAttention(fovea, { embedDim: 2, numHeads: 1, bias: false });
 * const identity = [[1, 0], [0, 1]];
 * attention.loadStateDict({ in_proj_weight: [...identity, ...identity, ...identity], 'out_proj.weight': identity });
 * const { output } = attention.forward([[1, 2], [3, 4]], { attnMask: [[false, true], [true, false]] });
 * toNested(output); // [[1, 2], [3, 4]]
 */
export class MultiHeadAttention extends Module {
  readonly #heads: number;
  readonly #kvHeads: number;
  readonly #keyWidth: number;
  /** W, G. */
  readonly #inner: readonly [number, number];
  readonly #embed: number;
  readonly #joint: boolean;
  readonly #batchFirst: boolean;
  readonly #average: boolean;
  readonly #zeros: boolean;

  /** Multi-head attention with its projections: weights come from `loadStateDict`, or are drawn where `options.seed` is given. */
  constructor(fovea: Fovea, options: MultiHeadAttentionOptions) {
    const fn = 'MultiHeadAttention';
    super(fn, fovea);
    const known = readOptions(fn, options, OPTIONS, translate);
    for (const name of ['bias', 'addBiasKv', 'addZeroAttn', 'batchFirst', 'averageAttnWeights'] as const)
      checkBoolean(fn, name, known[name]);
    const embed = readSize(fn, 'embedDim', known.embedDim);
    const heads = readSize(fn, 'numHeads', known.numHeads);
    const kvHeads = readSize(fn, 'kvHeads', known.kvHeads, heads);
    const [keyWidth, valueWidth] = [readSize(fn, 'kdim', known.kdim, embed), readSize(fn, 'vdim', known.vdim, embed)];
    if (heads % kvHeads !== 0) fail('shape', fn, `kvHeads must divide numHeads, got ${kvHeads} and ${heads}`);
    if (known.headDim === undefined && embed % heads !== 0)
      fail('shape', fn, `numHeads must divide embedDim, or headDim be given, got ${heads} and ${embed}`);
    const width = readSize(fn, 'headDim', known.headDim, embed / heads);
    const [ofQueries, ofKeys] = (this.#inner = [heads * width, kvHeads * width]);
    this.#heads = heads;
    this.#kvHeads = kvHeads;
    this.#keyWidth = keyWidth;
    this.#embed = embed;
    this.#joint = keyWidth === embed && valueWidth === embed;
    this.#batchFirst = known.batchFirst ?? true;
    this.#average = known.averageAttnWeights ?? true;
    this.#zeros = known.addZeroAttn ?? false;
    if (this.#joint) {
      const parts = [ofQueries, ofKeys, ofKeys];
      this.declareMatrix('in_proj_weight', [ofQueries + 2 * ofKeys, embed], { layout: 'outIn', parts });
    } else {
      this.declareMatrix('q_proj_weight', [ofQueries, embed]);
      this.declareMatrix('k_proj_weight', [ofKeys, keyWidth]);
      this.declareMatrix('v_proj_weight', [ofKeys, valueWidth]);
    }
    if (known.bias ?? true) this.declare('in_proj_bias', [ofQueries + 2 * ofKeys], 'zeros');
    if (known.addBiasKv) {
      this.declare('bias_k', [1, 1, ofKeys]);
      this.declare('bias_v', [1, 1, ofKeys]);
    }
    this.declareMatrix('out_proj.weight', [embed, ofQueries]);
    if (known.bias ?? true) this.declare('out_proj.bias', [embed], 'zeros');
    this.begin(fn, known.seed);
  }

  /**
   * Takes weights as Keras' MultiHeadAttention and GroupQueryAttention have them: `query/kernel` [E, H, D], `key/kernel`
   * [kdim, Hkv, D], `value/kernel` [vdim, Hkv, D], `attention_output/kernel` [H, D, E]; `query/bias` [H, D], `key/bias`,
   * `value/bias` [Hkv, D] and `attention_output/bias` [E]. Names may end in ':0'.
   *
   * @throws AttentionError as `loadStateDict`; `value` for a module with addBiasKv, which Keras lacks.
   */
  loadKeras(weights: StateDict, options?: LoadOptions): void {
    const fn = this.fn('loadKeras');
    const { prefix = '', ...rest } = readOptions<LoadOptions>(fn, options, LOAD_OPTIONS);
    const [queries, keys] = this.#inner;
    this.loadStateDict(fromKeras(this, fn, weights, prefix, { queries, keys, joint: this.#joint }), rest);
  }

  /**
   * Self-attention of one sequence, `forward(x, x, x, options)`.
   *
   * @param x [T, E] or [B, T, E]; [T, B, E] where batchFirst is false. kdim and vdim are E.
   */
  forward<
    X extends ArrayInput,
    const W extends AskWeights = undefined,
    P extends Pattern | undefined = undefined,
    const L extends AskLse = undefined,
    const G extends AskLogits = undefined,
    const T extends AskTrace = undefined,
  >(x: X, options: ForwardOptions<RequestTypes<W, P, L, G, T>>): RequestedResult<ResultArray<X>, RequestTypes<W, P, L, G, T>>;
  /**
   * Attention of the queries over keys and values, between projections.
   *
   * @param query [Tq, E] or [B, Tq, E]; [Tq, B, E] where batchFirst is false.
   * @param key [Tk, kdim] or [B, Tk, kdim]; default the query.
   * @param value [Tk, vdim] or [B, Tk, vdim]; default the key.
   * @param options masks, other attention options, and the results to return; weights only where `returnWeights` asks for them.
   * @returns `output` of the query's shape; `weights` [B, Tq, Tk] where they are averaged, else [B, H, Tq, Tk], appended keys included.
   * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
   */
  forward<
    Q extends ArrayInput,
    const W extends AskWeights = undefined,
    P extends Pattern | undefined = undefined,
    const L extends AskLse = undefined,
    const G extends AskLogits = undefined,
    const T extends AskTrace = undefined,
  >(
    query: Q,
    key?: ArrayInput,
    value?: ArrayInput,
    options?: ForwardOptions<RequestTypes<W, P, L, G, T>>,
  ): RequestedResult<ResultArray<Q>, RequestTypes<W, P, L, G, T>>;
  forward(query: ArrayInput, key?: ArrayInput | ForwardOptions, value?: ArrayInput, options?: ForwardOptions): unknown {
    const fn = this.fn('forward');
    const { fovea } = this;
    const alone = value === undefined && options === undefined && isOptions(key);
    const given = alone ? key : options === undefined ? {} : options;
    const source = alone ? undefined : (key as ArrayInput | undefined);
    return fovea.scope(() => {
      const own = (name: string, input: ArrayInput): ArrayInput => (this.#batchFirst ? input : swapAxes(this, fn, name, input));
      const q = own('query', query);
      const k = source === undefined || source === query ? q : own('key', source);
      const v = value === undefined || value === source ? k : own('value', value);
      const attentionOptions = ownProperties(readForwardOptions(this, fn, given, this.sizes(fn, q, k), RESULT_OPTIONS));
      const { returnWeights, pattern, averageAttnWeights } = attentionOptions;
      checkBoolean(fn, 'averageAttnWeights', averageAttnWeights);
      const sparse = returnWeights === 'sparse' || (pattern !== undefined && returnWeights !== 'dense');
      const averageWeights = averageAttnWeights ?? (this.#average && !sparse);
      const attended = this.attend(fn, q, k, v, { ...attentionOptions, averageAttnWeights: undefined, averageWeights });
      if (!this.#batchFirst) attended.output = swapAxes(this, fn, 'output', attended.output);
      return attended;
    });
  }

  /** @internal */
  sizes(fn: string, query: ArrayInput, key: ArrayInput): PairSizes {
    const [q, k] = [sequenceShape(this.instance, fn, 'query', query), sequenceShape(this.instance, fn, 'key', key)];
    if (q.at(-1) !== this.#embed)
      fail('shape', fn, `query must have the width embedDim = ${this.#embed}, got ${formatShape(q)}`);
    if (k.at(-1) !== this.#keyWidth)
      fail('shape', fn, `key must have the width kdim = ${this.#keyWidth}, got ${formatShape(k)}`);
    const batch = Math.max(q.length === 3 ? q[0]! : 1, k.length === 3 ? k[0]! : 1);
    return { batch, heads: this.#heads, queries: q.at(-2)!, keys: k.at(-2)! };
  }

  /**
   * One call; the batch comes first.
   * @internal
   */
  attend<Q extends ArrayInput>(
    fn: string,
    q: Q,
    k: ArrayInput,
    v: ArrayInput,
    options: ReadOptions,
  ): AttentionResult<ResultArray<Q>> {
    const settings = {
      ...options,
      heads: this.#heads,
      kvHeads: this.#kvHeads,
      weightLayout: 'outIn',
      addZeroAttention: this.#zeros,
    } as const;
    return this.fovea.multiHeadAttention(q, k, v, this.params(fn), settings) as AttentionResult<ResultArray<Q>>;
  }

  /** Views of the weights, by the names of fovea.multiHeadAttention. @internal */
  params(fn: string): MultiHeadParams {
    const [ofQueries, ofKeys] = this.#inner;
    const [first, second] = [ofQueries, ofQueries + ofKeys];
    const thirds = (whole: Tensor | undefined): (Tensor | undefined)[] => [
      whole?.slice(0, 0, first),
      whole?.slice(0, first, second),
      whole?.slice(0, second),
    ];
    const [Wq, Wk, Wv] = this.#joint
      ? [0, 1, 2].map((part) => this.matrix(fn, 'in_proj_weight').part(part))
      : ['q', 'k', 'v'].map((letter) => this.matrix(fn, `${letter}_proj_weight`));
    const [bq, bk, bv] = thirds(this.weight(fn, 'in_proj_bias'));
    const Wo = this.matrix(fn, 'out_proj.weight');
    const bo = this.weight(fn, 'out_proj.bias');
    const [biasK, biasV] = ['bias_k', 'bias_v'].map((name) => this.weight(fn, name)?.reshape([ofKeys]));
    return { Wq: Wq!, Wk: Wk!, Wv: Wv!, bq, bk, bv, Wo, bo, biasK, biasV };
  }
}

/** Whether a second argument is the options and no array: it has no numbers. */
function isOptions(value: unknown): value is ForwardOptions {
  return isPlainObject(value) && !isTensor(value) && !hasProperty(value, 'data');
}
