/** An encoder's weights, and the states of texts whose rows lie one after another: nothing is padded. */
import type { Fovea } from '../../fovea/fovea.ts';
import { finish, plan } from '../../call/call.ts';
import type { CallArena } from '../../call/call_arena.ts';
import { NULL_PTR, type Ptr } from '../../call/ptr.ts';
import { freshOutput } from '../../call/outputs.ts';
import { OffsetPtr } from '../../call/strided_ptr.ts';
import { EncoderLayer } from '../../nn/encoder_layer.ts';
import { planEncoder } from '../../nn/encoder_plan.ts';
import type { LayerConfig } from '../../nn/layer_config.ts';
import { reserveRoom, type LayerRoom } from '../../nn/layer_room.ts';
import { planNorm, planSum } from '../../nn/row_steps.ts';
import { declareNorm, weightsOf } from '../../nn/layer_weights.ts';
import { Module } from '../../nn/module.ts';
import { planRows } from '../../nn/table_rows.ts';
import { linear } from '../../ops/products.ts';
import { layerNorm } from '../../ops/norms.ts';
import { bias } from '../../score/bias.ts';
import type { NDArray } from '../../tensor/array_types.ts';
import type { EncoderSpec } from '../families/family.ts';
import type { TokenizedText } from '../text/tokens.ts';

/** The results for some texts. */
export interface EncodedTexts {
  /** [ΣT, E]. */
  readonly states: NDArray;
  /** By layer, for those that were asked for: the weights of each text, [H, T, T]. */
  readonly weights: ReadonlyMap<number, readonly NDArray[]>;
}

export class EncoderModel extends Module {
  readonly spec: EncoderSpec;
  readonly #layers: readonly EncoderLayer[];

  constructor(fovea: Fovea, spec: EncoderSpec) {
    super('Encoder', fovea);
    this.spec = spec;
    const { vocabSize, positions, types, distanceBuckets, layers, finalNorm, head } = spec;
    const { config } = this;
    const { dModel } = config;
    this.declareMatrix('embedding.weight', [vocabSize, dModel]);
    if (positions !== null) this.declare('positions.weight', [positions.rows, dModel]);
    if (types > 0) this.declare('types.weight', [types, dModel]);
    declareNorm(this, 'embedding_norm', config);
    if (distanceBuckets !== null) this.declare('distance_buckets.weight', [distanceBuckets.buckets, config.heads]);
    this.#layers = layers.map((layer, n) => this.adopt(`layers.${n}`, new EncoderLayer(fovea, layer)));
    if (finalNorm) declareNorm(this, 'norm', config);
    if (head === null) return;
    if (head.dense !== null) {
      this.declareMatrix('head.dense.weight', [dModel, dModel]);
      if (head.dense.bias) this.declare('head.dense.bias', [dModel], 'zeros');
      if (head.dense.norm) declareNorm(this, 'head.norm', config);
    }
    this.declareMatrix('head.out.weight', [head.labels.length, dModel]);
    if (head.bias) this.declare('head.out.bias', [head.labels.length], 'zeros');
  }

  get config(): LayerConfig {
    return this.spec.layers[0]!;
  }

  /** The width of a state. */
  get width(): number {
    return this.config.dModel;
  }

  /** Whether products round their input by the number of rows of a call. */
  get roundsByRows(): boolean {
    return this.matrix('Encoder', 'embedding.weight').inputs === 'fast';
  }

  /** The states of all texts; `layers` are those whose attention weights are wanted. */
  encode(fn: string, texts: readonly TokenizedText[], layers: readonly number[] = []): EncodedTexts {
    this.checkUsable(fn);
    const rows = texts.reduce((sum, { ids }) => sum + ids.length, 0);
    const { config } = this;
    const { dModel, heads } = config;
    const call = plan(this.instance, fn, (arena) => {
      const states = freshOutput(arena, [rows, dModel], false);
      const weights = new Map(
        layers.map((layer) => [layer, texts.map(({ ids }) => freshOutput(arena, [heads, ids.length, ids.length], false))]),
      );
      const room = reserveRoom(
        arena,
        config,
        texts.map(({ ids }) => ({ batch: 1, tokens: ids.length })),
      );
      const x = this.spec.finalNorm ? arena.reserveFloats(rows * dModel) : states.ptr;
      this.#planEmbedding(arena, fn, texts, room, x);
      planEncoder(arena, this.#layers, {
        ...{ room, states: [x, ...this.#layers.map(() => x)], attention: this.#attention(fn) },
        weightsAt: new Map([...weights].map(([layer, list]) => [layer, list.map(({ ptr }) => ptr)])),
        finalNorm: this.spec.finalNorm ? { module: this, y: states.ptr } : null,
      });
      return () => ({
        states: states.finish() as NDArray,
        weights: new Map([...weights].map(([layer, list]) => [layer, list.map((one) => one.finish() as NDArray)])),
      });
    });
    return finish(call);
  }

  /** The table of biases by distance, where all layers share one. */
  #attention(fn: string): LayerConfig['attention'] {
    const { distanceBuckets } = this.spec;
    if (distanceBuckets === null) return {};
    const table = this.weight(fn, 'distance_buckets.weight')!;
    return { bias: bias.t5(table, { ...distanceBuckets, bidirectional: true }) };
  }

  /** x <- norm(words + positions + types). */
  #planEmbedding(arena: CallArena, fn: string, texts: readonly TokenizedText[], room: LayerRoom, x: Ptr): void {
    const weights = weightsOf(this, fn);
    const { config } = this;
    const { dModel } = config;
    const { positions, types } = this.spec;
    const { rows, normed } = room;
    const ids = arena.placeIntegers(Int32Array.from(texts.flatMap((text) => text.ids)));
    planRows(arena, weights('embedding.weight')!, ids, 0, rows, x);
    if (positions !== null) {
      let first = 0;
      for (const { ids: own } of texts) {
        planRows(arena, weights('positions.weight')!, null, positions.first, own.length, new OffsetPtr(normed, first * dModel));
        first += own.length;
      }
      planSum(arena, room, x, normed, x);
    }
    if (types > 0) {
      const kinds = arena.placeIntegers(Int32Array.from(texts.flatMap((text) => text.types)));
      planRows(arena, weights('types.weight')!, kinds, 0, rows, normed);
      planSum(arena, room, x, normed, x);
    }
    planNorm(arena, config, weights, 'embedding_norm', { x, rows, rowStride: dModel, residual: NULL_PTR }, x);
  }

  /** The logits of the head for rows of states, [rows, classes]. */
  logits(fn: string, states: NDArray): NDArray {
    this.checkUsable(fn);
    const { dense } = this.spec.head!;
    const { fovea } = this;
    return fovea.scope(() => {
      let x = fovea.tensor(states);
      if (dense !== null)
        x = linear(fovea, x, this.matrix(fn, 'head.dense.weight'), this.weight(fn, 'head.dense.bias'), {
          activation: dense.activation,
        });
      if (dense?.norm === true) {
        const [weight, bias] = ['weight', 'bias'].map((name) => this.weight(fn, `head.norm.${name}`));
        x = layerNorm(fovea, x, { weight, bias, eps: this.config.eps });
      }
      return linear(fovea, x, this.matrix(fn, 'head.out.weight'), this.weight(fn, 'head.out.bias')).toArray();
    });
  }
}
