/** `TransformerDecoderLayer`: self-attention, attention over the encoder's result, feed-forward. */
import { fail } from '../errors/errors.ts';
import { translate } from '../errors/foreign_names.ts';
import { checkBoolean, readOptions } from '../errors/options.ts';
import type { Fovea } from '../fovea/fovea.ts';
import { add } from '../ops/index.ts';
import { isTensor, type Tensor } from '../tensor/tensor.ts';
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import type { KeyValueCache } from '../attention/types/entries.ts';
import type { MaskInput } from '../attention/types/options.ts';
import { swapAxes } from './axes.ts';
import { attendCached, type CallCache } from './cached_attention.ts';
import { readDecoderCaches } from './decoder_caches.ts';
import { FeedForward } from './feed_forward.ts';
import type { CacheOwner } from './layer_caches.ts';
import { LayerNorm } from './layer_norm.ts';
import { Module } from './module.ts';
import { MultiHeadAttention } from './multi_head_attention.ts';
import { ownOptions, readForwardOptions, type LayerForwardOptions, type ReadOptions } from './forward_options.ts';
import { LAYER_OPTIONS, type TransformerLayerOptions } from './transformer_options.ts';

/** The options of `LayerForwardOptions` are for the self-attention. */
export interface DecoderForwardOptions extends LayerForwardOptions {
  /** [Tq, Tm] or [B·H, Tq, Tm] for the attention over memory. Boolean: true = NOT allowed. */
  readonly memoryMask?: MaskInput | undefined;
  /** [B, Tm], or [Tm] without a batch. Boolean: true = padding. */
  readonly memoryKeyPaddingMask?: MaskInput | undefined;
}

export interface DecoderLayerForwardOptions extends DecoderForwardOptions {
  /**
   * A `KvCache` of fovea/cache, made with `cacheOptions`: it holds the tokens before x, and takes those of x in. Masks then have the tokens
   * of the cache before those of x as keys. With `causal: true` the results are those of the whole sequence.
   */
  readonly cache?: KeyValueCache | undefined;
  /** Another, for the keys and values of memory. The first call fills it; later ones read it, and project memory no more. */
  readonly memoryCache?: KeyValueCache | undefined;
}

/**
 * The options of both attentions, read, and their caches; null where there are none.
 * @internal
 */
export interface DecoderCall {
  readonly own: ReadOptions;
  readonly ofMemory: ReadOptions;
  readonly cache: CallCache | null;
  readonly memoryCache: CallCache | null;
}

/**
 * `torch.nn.TransformerDecoderLayer`, with its names: `self_attn.…` and `multihead_attn.…` as MultiHeadAttention, `linear1.…`,
 * `linear2.…` as FeedForward, `norm1.…`, `norm2.…`, `norm3.…`. Norms stand as in TransformerEncoderLayer.
 *
 * MASKS ARE PyTorch's: true means NOT allowed; `causal: true` is the mask of a decoder. See `LayerForwardOptions`.
 * Source: Vaswani et al. 2017, arXiv:1706.03762 §3.1.
 *
 * @example
 * import { TransformerDecoderLayer } from 'fovea/nn';
 * const layer = new TransformerDecoderLayer(fovea, { dModel: 2, nHead: 1, dimFeedforward: 4, seed: 1 });
 * const { shape } = layer.forward([[1, 0], [0, 1]], [[1, 1]], { causal: true });
 * console.assert(shape.join() === '2,2');
 */
export class TransformerDecoderLayer extends Module {
  readonly #attentions: readonly [MultiHeadAttention, MultiHeadAttention];
  readonly #feedForward: FeedForward;
  readonly #norms: readonly [LayerNorm, LayerNorm, LayerNorm];
  readonly #normFirst: boolean;
  readonly #batchFirst: boolean;
  /** @internal */
  readonly config: CacheOwner['config'];

  /** A decoder layer: weights come from `loadStateDict`, or are drawn where `options.seed` is given. */
  constructor(fovea: Fovea, options: TransformerLayerOptions) {
    const fn = 'TransformerDecoderLayer';
    super(fn, fovea);
    const known = readLayerOptions(fn, options);
    const attention = (name: string): MultiHeadAttention => this.adopt(name, attentionOf(fovea, known));
    const norm = (n: number): LayerNorm => this.adopt(`norm${n}`, normOf(fovea, known));
    this.#attentions = [attention('self_attn'), attention('multihead_attn')];
    const { dModel, dimFeedforward, activation, bias } = known;
    this.#feedForward = this.adopt('', new FeedForward(fovea, { dModel, dimFeedforward, activation, bias }));
    this.#norms = [norm(1), norm(2), norm(3)];
    this.#normFirst = known.normFirst ?? false;
    this.#batchFirst = known.batchFirst ?? true;
    this.config = { kvHeads: known.nHead, headDim: dModel / known.nHead };
    this.begin(fn, known.seed);
  }

  /**
   * Self-attention, attention over the memory, and the feed-forward layers, each with its residual and norm.
   *
   * @param x [T, E] or [B, T, E]; [T, B, E] where batchFirst is false.
   * @param memory [Tm, E], [B, Tm, E] or [Tm, B, E]: what the encoder gave.
   * @returns the shape of x.
   * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` (also where a cache has no room) | `internal`; the
   *   caches are then as they were.
   */
  forward<X extends ArrayInput>(x: X, memory: ArrayInput, options: DecoderLayerForwardOptions = {}): ResultArray<X> {
    const fn = this.fn('forward');
    return runSequences(this, fn, x, this.#batchFirst, (tensor) => {
      const seen = asMemory(this, fn, memory, this.#batchFirst);
      const { cache, memoryCache, ...rest } = ownOptions(fn, options);
      const own = cache === undefined ? undefined : [cache];
      const caches = readDecoderCaches(fn, [this], tensor, seen, own, memoryCache === undefined ? undefined : [memoryCache]);
      const read = this.readOptions(fn, tensor, seen, rest, caches.before);
      return caches.during(() => this.run(fn, tensor, seen, { ...read, ...caches.list[0]! }));
    });
  }

  /** The options of `kvCache` of fovea/cache for `cache` and `memoryCache`, but capacity and batch. */
  get cacheOptions(): { readonly kvHeads: number; readonly width: number } {
    const { kvHeads, headDim: width } = this.config;
    return { kvHeads, width };
  }

  /**
   * `before`: the tokens of the self-attention's cache; null where neither attention has one.
   * @internal
   */
  readOptions(
    fn: string,
    x: Tensor,
    memory: Tensor,
    options: DecoderForwardOptions,
    before: number | null,
  ): Pick<DecoderCall, 'own' | 'ofMemory'> {
    const { memoryMask: attnMask, memoryKeyPaddingMask: keyPaddingMask, ...own } = ownOptions(fn, options);
    const [first, second] = this.#attentions;
    const ofMemory = { attnMask, keyPaddingMask };
    const names = ['memoryMask', 'memoryKeyPaddingMask'] satisfies (keyof DecoderForwardOptions)[];
    const sizes = first.sizes(fn, x, x);
    const keys = sizes.keys + (before ?? 0);
    return {
      own: readForwardOptions(this, fn, own, { ...sizes, keys }, names, before !== null),
      ofMemory: readForwardOptions(this, fn, ofMemory, second.sizes(fn, x, memory), [], before !== null),
    };
  }

  /** @internal */
  run(fn: string, x: Tensor, memory: Tensor, { own, ofMemory, cache, memoryCache }: DecoderCall): Tensor {
    const [first, second] = this.#attentions;
    const [norm1, norm2, norm3] = this.#norms;
    const a = attendWithNorm(norm1, this.#normFirst, x, (query) =>
      cache === null
        ? first.attend(fn, query, query, query, own).output
        : attendCached(first, fn, this.config, query, query, cache, own),
    );
    const b = attendWithNorm(norm2, this.#normFirst, a, (query) =>
      memoryCache === null
        ? second.attend(fn, query, memory, memory, ofMemory).output
        : attendCached(second, fn, this.config, query, memory, memoryCache, ofMemory),
    );
    a.dispose();
    const y = feedWithNorm(this.#feedForward, norm3, this.#normFirst, b);
    b.dispose();
    return y;
  }
}

/** A Tensor of the enclosing scope, its batch first. */
export function asMemory(module: Module, fn: string, memory: ArrayInput, batchFirst: boolean): Tensor {
  const tensor = isTensor(memory) ? memory : module.fovea.tensor(memory);
  return batchFirst ? tensor : swapAxes(module, fn, 'memory', tensor);
}

export function readLayerOptions(fn: string, options: TransformerLayerOptions): TransformerLayerOptions {
  const known = readOptions(fn, options, LAYER_OPTIONS, translate);
  for (const name of ['dModel', 'nHead'] as const)
    if (known[name] === undefined) fail('option', fn, `the option ${name} must be given`);
  checkBoolean(fn, 'normFirst', known.normFirst);
  checkBoolean(fn, 'batchFirst', known.batchFirst);
  return known;
}

function attentionOf(fovea: Fovea, { dModel, nHead, bias }: TransformerLayerOptions): MultiHeadAttention {
  return new MultiHeadAttention(fovea, { embedDim: dModel, numHeads: nHead, bias });
}

export function normOf(fovea: Fovea, { dModel, layerNormEps, bias }: TransformerLayerOptions): LayerNorm {
  return new LayerNorm(fovea, { normalizedShape: dModel, eps: layerNormEps, bias });
}

/** x as a Tensor whose batch comes first, and the result as x has its axes. */
export function runSequences<X extends ArrayInput>(
  module: Module,
  fn: string,
  x: X,
  batchFirst: boolean,
  body: (x: Tensor) => Tensor,
): ResultArray<X> {
  return module.compute(x, (tensor) =>
    batchFirst ? body(tensor) : swapAxes(module, fn, 'output', body(swapAxes(module, fn, 'x', tensor))),
  );
}

/** x + attend(norm(x)), or norm(x + attend(x)). */
function attendWithNorm(norm: LayerNorm, normFirst: boolean, x: Tensor, attend: (query: Tensor) => Tensor): Tensor {
  const query = normFirst ? norm.forward(x) : x;
  const output = attend(query);
  if (normFirst) query.dispose();
  const sum = normFirst ? add(norm.fovea, x, output) : norm.forward(x, { residual: output });
  output.dispose();
  return sum;
}

function feedWithNorm(feedForward: FeedForward, norm: LayerNorm, normFirst: boolean, x: Tensor): Tensor {
  const input = normFirst ? norm.forward(x) : x;
  const fed = feedForward.run(input);
  if (normFirst) input.dispose();
  const sum = normFirst ? add(norm.fovea, x, fed) : norm.forward(x, { residual: fed });
  fed.dispose();
  return sum;
}
