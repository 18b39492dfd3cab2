/** `CausalDecoder`: ids of tokens to the logits of the tokens that follow them. */
import { describe, fail } from '../errors/errors.ts';
import { translate } from '../errors/foreign_names.ts';
import { checkBoolean, checkFinite, checkInteger, isList, readOptions } from '../errors/options.ts';
import type { Fovea } from '../fovea/fovea.ts';
import type { PlannedAppend } from '../attention/options/cache_source.ts';
import type { Ptr } from '../call/ptr.ts';
import { finish, plan } from '../call/call.ts';
import { copyOut, freshOutput } from '../call/outputs.ts';
import { readIntegerArray, type IntegerInput } from '../tensor/integer_arrays.ts';
import { formatShape, sizeOf } from '../tensor/shapes.ts';
import type { NDArray } from '../tensor/array_types.ts';
import { planDecoder, startOf, type DecoderInputs, type DecoderParts } from './causal_decoder_plan.ts';
import { DECODER_OPTIONS, MAX_LAYERS, readSingleLayers } from './causal_decoder_options.ts';
import type {
  CausalDecoderOptions,
  CausalForwardOptions,
  CausalWeights,
  CausalWeightsOptions,
} from './causal_decoder_options.ts';
import { checkPositive } from './layer_config.ts';
import { CausalDecoderLayer } from './causal_decoder_layer.ts';
import { planAppends } from './layer_caches.ts';
import { declareNorm } from './layer_weights.ts';
import { Module } from './module.ts';
import { isOneStep, RepeatedSteps, undoOnError } from './repeated_steps.ts';
import { readSize } from './sizes.ts';

interface ReadIds extends Omit<DecoderInputs, 'ids'> {
  readonly ids: Int32Array;
  /** The axis of the batch, where there is one. */
  readonly leading: readonly number[];
}

/**
 * A decoder of GPT-2's or Llama's kind: embedding, with `maxPositions` learned positions, `CausalDecoderLayer`s, a norm, and logits.
 *
 * Weights: `embedding.weight` [V, E], `positions.weight` [maxPositions, E], `layers.0.…` as CausalDecoderLayer, `norm.weight`,
 * `norm.bias`, and `head.weight` [V, E] unless it is tied. docs/nn.md has the names of Hugging Face's GPT-2 and Llama for `rename`.
 *
 * Accuracy: as CausalDecoderLayer. Source: Radford et al. 2019 (GPT-2); Touvron et al. 2023, arXiv:2302.13971.
 *
 * @example
 * import { CausalDecoder } from 'fovea/nn';
 * const model = new CausalDecoder(fovea, { vocabSize: 8, numLayers: 2, dModel: 4, nHead: 2, maxPositions: 16, seed: 1 });
 * console.assert(model.forward([3, 1, 4]).shape.join() === '3,8' && model.next([3, 1, 4]).shape.join() === '8');
 * model.dispose();
 */
export class CausalDecoder extends Module {
  readonly layers: readonly CausalDecoderLayer[];
  readonly #parts: DecoderParts;
  readonly #steps = new RepeatedSteps<{ readonly at: Ptr; readonly logits: Ptr }>();

  /** A decoder of GPT-2's or Llama's kind: weights come from `loadStateDict`, or are drawn where `options.seed` is given. */
  constructor(fovea: Fovea, options: CausalDecoderOptions) {
    const fn = 'CausalDecoder';
    super(fn, fovea);
    const known = readOptions(fn, options, DECODER_OPTIONS, translate);
    const { vocabSize, numLayers, layers, embeddingScale = 1, logitSoftcap, maxPositions, tieWeights = true, ...rest } = known;
    const { seed, ...ofLayers } = rest;
    const words = readSize(fn, 'vocabSize', vocabSize);
    checkInteger(fn, 'numLayers', numLayers, 1, MAX_LAYERS);
    checkBoolean(fn, 'tieWeights', tieWeights);
    checkFinite(fn, 'embeddingScale', embeddingScale);
    if (logitSoftcap !== undefined) checkPositive(fn, 'logitSoftcap', logitSoftcap);
    const single = readSingleLayers(fn, layers, numLayers);
    const positions = maxPositions === undefined ? 0 : readSize(fn, 'maxPositions', maxPositions);
    this.layers = Array.from({ length: numLayers }, (_, n) =>
      this.adopt(`layers.${n}`, new CausalDecoderLayer(fovea, { ...ofLayers, ...single[n] })),
    );
    const { config } = this.layers[0]!;
    const { dModel } = config;
    this.#parts = {
      ...{ vocabSize: words, positions, embeddingScale, logitSoftcap: logitSoftcap ?? null, layers: this.layers },
      head: tieWeights ? 'embedding.weight' : 'head.weight',
    };
    this.declareMatrix('embedding.weight', [words, dModel]);
    if (positions > 0) this.declare('positions.weight', [positions, dModel]);
    declareNorm(this, 'norm', config);
    if (!tieWeights) this.declareMatrix('head.weight', [words, dModel]);
    this.begin(fn, seed);
  }

  /**
   * The options of `kvCache` of fovea/cache for one layer, but its capacity. A layer with a `window` needs no more than that of its cache;
   * `window` is no part of them, as it differs by layer.
   */
  get cacheOptions(): { readonly kvHeads: number; readonly width: number } {
    const { kvHeads, headDim: width } = this.layers[0]!.config;
    return { kvHeads, width };
  }

  /**
   * The logits of the token after each of the ids.
   *
   * @param ids [T] or [B, T], T ≥ 1, integers from 0 to V - 1.
   * @returns [T, V] or [B, T, V].
   * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` (also where a cache has no room) | `internal`; the
   *   caches are then as they were.
   */
  forward(ids: IntegerInput, options?: CausalForwardOptions): NDArray {
    return this.#run(this.fn('forward'), ids, options, false);
  }

  /**
   * The states before, between and behind the layers, Hugging Face's `hidden_states`.
   *
   * @param ids as `forward`.
   * @returns a list of one more than there are layers, each [T, E] or [B, T, E]: the embedding, then the output of each layer; the last is
   *   behind the norm, what the logits are made of.
   * @throws AttentionError as `forward`.
   */
  hiddenStates(ids: IntegerInput, options?: CausalForwardOptions): NDArray[] {
    const fn = this.fn('hiddenStates');
    const read = this.#read(fn, ids, options);
    const { dModel } = this.layers[0]!.config;
    const call = plan(this.instance, fn, (arena) => {
      const states = Array.from({ length: this.layers.length + 1 }, () =>
        freshOutput(arena, [...read.leading, read.tokens, dModel], false),
      );
      if (read.batch > 0) {
        const placed = { ...read, ids: arena.placeIntegers(read.ids) };
        const outputs = { logits: null, weights: null, states: states.map(({ ptr }) => ptr) };
        planDecoder(arena, fn, this, this.#parts, placed, outputs);
      }
      return () => states.map((state) => state.finish() as NDArray);
    });
    return undoOnError(read.appends ?? [], () => finish(call));
  }

  /**
   * The logits of the token after the last of the ids: with `caches` one step of generation, or the prompt.
   *
   * @param ids as `forward`.
   * @returns [V] or [B, V].
   * @throws AttentionError as `forward`.
   */
  next(ids: IntegerInput, options?: CausalForwardOptions): NDArray {
    return this.#run(this.fn('next'), ids, options, true);
  }

  /**
   * `next`, and the attention weights of chosen layers: those of each of the ids over itself and all tokens before it.
   *
   * @param options `caches` as `next`; `layers`: which, from 0 on.
   * @returns `logits` as `next`; `weights` of each of the layers, [H, T, S] or [B, H, T, S] with S = T and the tokens before.
   * @throws AttentionError as `forward`.
   */
  nextWithWeights(ids: IntegerInput, options: CausalWeightsOptions): CausalWeights {
    const fn = this.fn('nextWithWeights');
    const { layers, caches } = readOptions(fn, options, ['layers', 'caches']);
    if (!isList(layers)) return fail('option', fn, `layers must be a list, got ${describe(layers)}`);
    const wanted = [...layers];
    wanted.forEach((layer, n) => checkInteger(fn, `layers[${n}]`, layer, 0, this.layers.length - 1));
    let weights: NDArray[] = [];
    const logits = this.#run(fn, ids, { caches }, true, wanted as number[], (found) => (weights = found));
    return { logits, weights };
  }

  #run(
    fn: string,
    input: IntegerInput,
    options: CausalForwardOptions | undefined,
    lastOnly: boolean,
    seen: readonly number[] = [],
    take: (weights: NDArray[]) => void = () => {},
  ): NDArray {
    const read = this.#read(fn, input, options);
    const { ids, batch, tokens, appends, leading } = read;
    const logitsShape = [...leading, ...(lastOnly ? [] : [tokens]), this.#parts.vocabSize];
    if (appends !== null && batch > 0 && seen.length === 0 && isOneStep(tokens, appends))
      return this.#step(fn, ids, appends, logitsShape);
    const call = plan(this.instance, fn, (arena) => {
      const logits = freshOutput(arena, logitsShape, false);
      const weightsShape = [...leading, this.layers[0]!.config.heads, tokens, startOf(appends) + tokens];
      const weights = seen.map((layer) => ({ layer, output: freshOutput(arena, weightsShape, false) }));
      if (batch > 0) {
        const placed = { ...read, ids: arena.placeIntegers(ids) };
        planDecoder(arena, fn, this, this.#parts, placed, {
          logits: { ptr: logits.ptr, lastOnly },
          weights: new Map(weights.map(({ layer, output }) => [layer, output.ptr])),
          states: null,
        });
      }
      return () => {
        take(weights.map(({ output }) => output.finish() as NDArray));
        return logits.finish() as NDArray;
      };
    });
    return undoOnError(appends ?? [], () => finish(call));
  }

  /** The ids of a call, and the appends of its tokens to the caches. */
  #read(fn: string, input: IntegerInput, options: CausalForwardOptions | undefined): ReadIds {
    const { caches } = readOptions(fn, options, ['caches']);
    const { vocabSize, positions } = this.#parts;
    const { ids, shape } = readIntegerArray(fn, 'ids', input, 0, vocabSize - 1);
    const tokens = shape.at(-1) ?? 0;
    if ((shape.length !== 1 && shape.length !== 2) || tokens === 0)
      fail('shape', fn, `ids must be [T] or [B, T] with T ≥ 1, got ${formatShape(shape)}`);
    const batch = shape.length === 2 ? shape[0]! : 1;
    const appends = caches === undefined ? null : planAppends(this.layers, fn, caches, batch, tokens);
    const start = startOf(appends);
    if (positions > 0 && start + tokens > positions)
      fail('value', fn, `maxPositions is ${positions}, got tokens up to position ${start + tokens - 1}`);
    return { ids, batch, tokens, appends, leading: shape.length === 2 ? [batch] : [] };
  }

  /** One token of each sequence, as a call that is repeated. */
  #step(fn: string, ids: Int32Array, appends: readonly PlannedAppend[], shape: readonly number[]): NDArray {
    const { heap } = this.instance;
    const { logits } = this.#steps.run(fn, this.instance, this.weight(fn, 'norm.weight')!, appends, {
      plan: (arena) => {
        const at = arena.reserve(4 * ids.length);
        const logits = arena.reserveFloats(sizeOf(shape));
        const read = { ids: at, batch: ids.length, tokens: 1, appends };
        planDecoder(arena, fn, this, this.#parts, read, {
          logits: { ptr: logits, lastOnly: true },
          weights: null,
          states: null,
        });
        return { at, logits };
      },
      fill: (places) => heap.integers(places.at.address, ids.length).set(ids),
    });
    return { data: copyOut({ fn }, heap.floats(logits.address, sizeOf(shape))), shape: [...shape] };
  }

  /**
   * Frees the memory of repeated steps, as their caches are gone; the next step of other caches is planned again.
   * @internal
   */
  forgetSteps(): void {
    this.#steps.dispose();
  }

  /** Frees the weights, and what repeated calls hold. May be called again. */
  override dispose(): void {
    this.#steps.dispose();
    super.dispose();
  }
}
