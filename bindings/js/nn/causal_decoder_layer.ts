/** `CausalDecoderLayer`: the layer of GPT-2 and of Llama, which reads the tokens before from a cache. */
import { fail } from '../errors/errors.ts';
import { readOptions } from '../errors/options.ts';
import type { Fovea } from '../fovea/fovea.ts';
import type { PlannedAppend } from '../attention/options/cache_source.ts';
import type { KeyValueCache } from '../attention/types/entries.ts';
import { finish, plan } from '../call/call.ts';
import type { Ptr } from '../call/ptr.ts';
import { copyOut, freshOutput } from '../call/outputs.ts';
import { formatShape, sizeOf } from '../tensor/shapes.ts';
import { gather } from '../tensor/strided.ts';
import { isTensor } from '../tensor/tensor.ts';
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import { readOperand, type Operand } from '../tensor/operands.ts';
import { copyInto } from '../tensor/typed_arrays.ts';
import { placeDense } from '../ops/operands.ts';
import { planAppend } from './layer_caches.ts';
import { readLayerConfig, type CausalDecoderLayerOptions, type LayerConfig } from './layer_config.ts';
import { declareLayer, weightsOf } from './layer_weights.ts';
import { planLayer } from './layer_plan.ts';
import { reserveRoom, type Weights } from './layer_room.ts';
import { NO_TURNS, planTurns } from './rope_plan.ts';
import { Module } from './module.ts';
import { isOneStep, RepeatedSteps, undoOnError } from './repeated_steps.ts';

export interface CausalLayerForwardOptions {
  /**
   * A `KvCache` of fovea/cache with the layer's kvHeads and headDim: it holds the tokens before x, and takes those of x in. Left out,
   * x is the whole sequence.
   */
  readonly cache?: KeyValueCache | undefined;
}

/**
 * h = x + attention(norm1(x)), y = h + feedForward(norm2(h)), every token attending to itself and to those before it. The
 * options make it a layer of GPT-2's kind (layer norm, biases, gelu) or of Llama's (`norm: 'rms'`, `gated`, `rope`, `kvHeads`).
 *
 * Weights, F = dimFeedforward: `norm1.weight` [E], `self_attn.in_proj_weight` [(H + 2·Hkv)·D, E], `self_attn.out_proj.weight` [E, H·D],
 * `norm2.weight` [E], `linear1.weight` [F, E], `linear2.weight` [E, F]; with `bias` the same names with `bias` in place of `weight`.
 * `in_proj` are the rows of queries, keys and values; with `gated` linear1 has 2F rows, those of `up` before those of `gate`. With
 * `weightLayout: 'inOut'` every matrix is transposed.
 *
 * Accuracy: that of the functions of fovea/ops and of attention, one after the other; the bits of a token depend on how many tokens come
 * in one call. Source: Radford et al. 2019 (GPT-2); Touvron et al. 2023, arXiv:2302.13971; Ainslie et al. 2023, arXiv:2305.13245.
 *
 * @example
 * import { CausalDecoderLayer } from 'fovea/nn';
 * import { kvCache } from 'fovea/cache';
 * const layer = new CausalDecoderLayer(fovea, { dModel: 4, nHead: 2, kvHeads: 1, norm: 'rms', gated: true, rope: {}, seed: 1 });
 * const cache = kvCache(fovea, { kvHeads: 1, width: 2, capacity: 16 });
 * const prompt = layer.forward([[1, 0, 0, 1], [0, 1, 1, 0]], { cache });
 * const { shape } = layer.forward([[1, 1, 0, 0]], { cache }); // the third token
 * console.assert(prompt.shape.join() === '2,4' && shape.join() === '1,4' && cache.length === 3);
 * cache.dispose();
 * layer.dispose();
 */
export class CausalDecoderLayer extends Module {
  /** @internal */
  readonly config: LayerConfig;
  readonly #steps = new RepeatedSteps<{ readonly input: Ptr; readonly y: Ptr }>();

  /** A layer of a decoder of GPT-2's or Llama's kind: weights come from `loadStateDict`, or are drawn where `options.seed` is given. */
  constructor(fovea: Fovea, options: CausalDecoderLayerOptions) {
    const fn = 'CausalDecoderLayer';
    super(fn, fovea);
    this.config = readLayerConfig(this.instance, fn, options);
    declareLayer(this, this.config);
    this.begin(fn, this.config.seed);
  }

  /**
   * The layer of each token, which attends to itself and to those before it.
   *
   * @param x [T, E] or [B, T, E], T ≥ 1.
   * @returns the shape of x.
   * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` (also where the cache has no room) | `internal`; the
   *   cache is then as it was.
   */
  forward<X extends ArrayInput>(x: X, options?: CausalLayerForwardOptions): ResultArray<X> {
    const fn = this.fn('forward');
    const { cache } = readOptions(fn, options, ['cache']);
    const { dModel } = this.config;
    const operand = readOperand(this.instance, fn, 'x', x);
    const { shape } = operand;
    if ((shape.length !== 2 && shape.length !== 3) || shape.at(-1) !== dModel || shape.at(-2) === 0)
      fail('shape', fn, `x must be [T, E] or [B, T, E] with T ≥ 1 and E = ${dModel}, got ${formatShape(shape)}`);
    const [tokens, batch] = [shape.at(-2)!, shape.length === 3 ? shape[0]! : 1];
    const append = cache === undefined ? null : planAppend(this, fn, 'cache', cache, batch, tokens);
    const weights = this.weights(fn);
    if (append !== null && batch > 0 && isOneStep(tokens, [append])) return this.#step(fn, x, operand, append);
    const call = plan(this.instance, fn, (arena) => {
      const y = freshOutput(arena, shape, isTensor(x));
      if (batch === 0) return () => y.finish();
      const room = reserveRoom(arena, this.config, [{ batch, tokens }]);
      planLayer(arena, this.config, weights, room, placeDense(arena, operand), y.ptr, {
        ...{ cache: append, turns: NO_TURNS, weightsAt: null },
      });
      return () => y.finish();
    });
    return undoOnError(append === null ? [] : [append], () => finish(call)) as ResultArray<X>;
  }

  /** One token of each sequence, as a call that is repeated. */
  #step<X extends ArrayInput>(fn: string, x: X, { shape, ...operand }: Operand, append: PlannedAppend): ResultArray<X> {
    const { heap } = this.instance;
    const [count, rows] = [sizeOf(shape), shape.length === 3 ? shape[0]! : 1];
    const { y } = this.#steps.run(fn, this.instance, this.weight(fn, 'norm1.weight')!, [append], {
      plan: (arena) => {
        const [input, y] = [arena.reserveFloats(count), arena.reserveFloats(count)];
        const room = reserveRoom(arena, this.config, [{ batch: rows, tokens: 1 }]);
        const turns = planTurns(arena, [this.config], append.position);
        planLayer(arena, this.config, this.weights(fn), room, input, y, { cache: append, turns, weightsAt: null });
        return { input, y };
      },
      fill: (places) => {
        const target = heap.floats(places.input.address, count);
        if (operand.address === null) copyInto(fn, target, operand.data);
        else gather(heap, operand.address, shape, operand.strides, target);
      },
    });
    const data = heap.floats(y.address, count);
    return (
      isTensor(x) ? this.fovea.tensor({ data, shape }) : { data: copyOut({ fn }, data), shape: [...shape] }
    ) as ResultArray<X>;
  }

  /** Frees the weights, and what repeated calls hold. May be called again. */
  override dispose(): void {
    this.#steps.dispose();
    super.dispose();
  }

  /**
   * Its weights by name, as a call reads them.
   * @internal
   */
  weights(fn: string): Weights {
    return weightsOf(this, fn);
  }
}
