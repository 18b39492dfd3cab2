/** `TransformerEncoderLayer`: self-attention and feed-forward, each with its residual and its norm. */
import { fail } from '../errors/errors.ts';
import type { Fovea } from '../fovea/fovea.ts';
import { add, type ActivationName } from '../ops/index.ts';
import { translate } from '../errors/foreign_names.ts';
import { checkBoolean, readOptions } from '../errors/options.ts';
import type { Tensor } from '../tensor/tensor.ts';
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import { swapAxes } from './axes.ts';
import { FeedForward } from './feed_forward.ts';
import { LayerNorm } from './layer_norm.ts';
import { Module, type SeedOption } from './module.ts';
import { MultiHeadAttention } from './multi_head_attention.ts';
import { readForwardOptions, type LayerForwardOptions, type ReadOptions } from './forward_options.ts';

export interface TransformerLayerOptions extends SeedOption {
  /** The width E of the tokens. */
  readonly dModel: number;
  readonly nHead: number;
  /** Default 2048. */
  readonly dimFeedforward?: number | undefined;
  /** Default 'relu'. */
  readonly activation?: 'relu' | 'gelu' | 'geluTanh' | 'quickGelu' | undefined;
  /** Default 1e-5. */
  readonly layerNormEps?: number | undefined;
  /** Whether norms stand before attention and feed-forward (pre-norm), not behind the sums. Default false. */
  readonly normFirst?: boolean | undefined;
  /** Default true; false: neither the linear layers nor the norms have any. */
  readonly bias?: boolean | undefined;
  /** Default true, [B, T, E]; PyTorch's default is false, [T, B, E]. */
  readonly batchFirst?: boolean | undefined;
}

export const LAYER_OPTIONS = [
  ...(['dModel', 'nHead', 'dimFeedforward', 'activation', 'layerNormEps', 'normFirst', 'bias', 'batchFirst'] as const),
  'seed',
] as const satisfies readonly (keyof TransformerLayerOptions)[];

/**
 * `torch.nn.TransformerEncoderLayer`, with its names: `self_attn.…` as MultiHeadAttention, `linear1.…`, `linear2.…` as FeedForward,
 * `norm1.…`, `norm2.…`. Post-norm: h = norm1(x + attention(x)), y = norm2(h + feedForward(h)); pre-norm: h = x +
 * attention(norm1(x)), y = h + feedForward(norm2(h)).
 *
 * MASKS ARE PyTorch's: true means NOT allowed. See `LayerForwardOptions`.
 * Source: Vaswani et al. 2017, arXiv:1706.03762 §3.1; pre-norm: Xiong et al. 2020, arXiv:2002.04745.
 *
 * @example
 * import { TransformerEncoderLayer } from 'fovea/nn';
 * const layer = new TransformerEncoderLayer(fovea, { dModel: 4, nHead: 2, dimFeedforward: 8, activation: 'gelu', seed: 1 });
 * const { shape } = layer.forward([[1, 0, 0, 1], [0, 1, 1, 0]], { keyPaddingMask: [false, true] });
 * console.assert(shape.join() === '2,4');
 */
export class TransformerEncoderLayer extends Module {
  readonly #attention: MultiHeadAttention;
  readonly #feedForward: FeedForward;
  readonly #norms: readonly [LayerNorm, LayerNorm];
  readonly #normFirst: boolean;
  readonly #batchFirst: boolean;

  /** An encoder layer: weights come from `loadStateDict`, or are drawn where `options.seed` is given. */
  constructor(fovea: Fovea, options: TransformerLayerOptions) {
    const fn = 'TransformerEncoderLayer';
    super(fn, fovea);
    const known = readLayerOptions(fn, options);
    this.#attention = this.adopt('self_attn', attentionOf(fovea, known));
    this.#feedForward = this.adopt('', new FeedForward(fovea, feedForwardOf(known)));
    this.#norms = [1, 2].map((n) => this.adopt(`norm${n}`, normOf(fovea, known))) as [LayerNorm, LayerNorm];
    this.#normFirst = known.normFirst ?? false;
    this.#batchFirst = known.batchFirst ?? true;
    this.begin(fn, known.seed);
  }

  /**
   * Self-attention and the feed-forward layers, each with its residual and norm.
   *
   * @param x [T, E] or [B, T, E]; [T, B, E] where batchFirst is false.
   * @returns the shape of x.
   * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
   */
  forward<X extends ArrayInput>(x: X, options: LayerForwardOptions = {}): ResultArray<X> {
    const fn = this.fn('forward');
    return runSequences(this, fn, x, this.#batchFirst, (tensor) => this.run(fn, tensor, this.readOptions(fn, tensor, options)));
  }

  /** @internal */
  readOptions(fn: string, x: Tensor, options: LayerForwardOptions): ReadOptions {
    return readForwardOptions(this, fn, options, this.#attention.sizes(fn, x, x));
  }

  /** @internal */
  run(fn: string, x: Tensor, attentionOptions: ReadOptions): Tensor {
    const [norm1, norm2] = this.#norms;
    const h = attendWithNorm(
      norm1,
      this.#normFirst,
      x,
      (query) => this.#attention.attend(fn, query, query, query, attentionOptions).output,
    );
    const y = feedWithNorm(this.#feedForward, norm2, this.#normFirst, h);
    h.dispose();
    return y;
  }
}

export function readLayerOptions(fn: string, options: TransformerLayerOptions): TransformerLayerOptions {
  const known = readOptions(fn, options, LAYER_OPTIONS, translate);
  for (const name of ['dModel', 'nHead'] as const)
    if (known[name] === undefined) fail('option', fn, `the option ${name} must be given`);
  checkBoolean(fn, 'normFirst', known.normFirst);
  checkBoolean(fn, 'batchFirst', known.batchFirst);
  return known;
}

export function attentionOf(fovea: Fovea, { dModel, nHead, bias }: TransformerLayerOptions): MultiHeadAttention {
  return new MultiHeadAttention(fovea, { embedDim: dModel, numHeads: nHead, bias });
}

export function normOf(fovea: Fovea, { dModel, layerNormEps, bias }: TransformerLayerOptions): LayerNorm {
  return new LayerNorm(fovea, { normalizedShape: dModel, eps: layerNormEps, bias });
}

export function feedForwardOf({ dModel, dimFeedforward, activation, bias }: TransformerLayerOptions): {
  readonly dModel: number;
  readonly dimFeedforward: number | undefined;
  readonly activation: ActivationName | undefined;
  readonly bias: boolean | undefined;
} {
  return { dModel, dimFeedforward, activation, bias };
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
export function attendWithNorm(norm: LayerNorm, normFirst: boolean, x: Tensor, attend: (query: Tensor) => Tensor): Tensor {
  const query = normFirst ? norm.forward(x) : x;
  const output = attend(query);
  if (normFirst) query.dispose();
  const sum = normFirst ? add(norm.fovea, x, output) : norm.forward(x, { residual: output });
  output.dispose();
  return sum;
}

export function feedWithNorm(feedForward: FeedForward, norm: LayerNorm, normFirst: boolean, x: Tensor): Tensor {
  const input = normFirst ? norm.forward(x) : x;
  const fed = feedForward.run(input);
  if (normFirst) input.dispose();
  const sum = normFirst ? add(norm.fovea, x, fed) : norm.forward(x, { residual: fed });
  fed.dispose();
  return sum;
}
