/** The transformer: encoder and decoder of attention alone. */
import type { Fovea } from '../fovea/fovea.ts';
import { isPlainObject, ownProperties, ownProperty } from '../errors/options.ts';
import { argmax, multiply, softmax, sum } from '../ops/index.ts';
import type { IntegerArray, IntegerInput } from '../ops/index.ts';
import type { NDArray } from '../tensor/array_types.ts';
import type { ArrayInput } from '../tensor/array_input.ts';
import type { Tensor } from '../tensor/tensor.ts';
import type { TraceStage } from '../trace/stages.ts';
import { existingIds } from './system/ids.ts';
import type { Lengths, LengthsOption } from './system/lengths.ts';
import type { ParamInput } from './system/params.ts';
import { meanOfSums } from './system/loss.ts';
import { rankOf } from './system/ranks.ts';
import { Integers, runSystem, type System } from './system/system.ts';
import { idLogProbability } from './system/token_loss.ts';
import { TransformerLayers } from './system/transformer_layers.ts';
import { encodeSource, readState, stackWeights, stateOf } from './system/transformer_memory.ts';
import { declareTransformer } from './system/transformer_params.ts';

export interface TransformerInputs<Source extends ArrayInput | IntegerInput = ArrayInput | IntegerInput> {
  /** [S] ids, or vectors [S, E], which take the place of embeddings. Not read with `initialState`. */
  readonly source?: Source | undefined;
  /** [T] ids: the decoder's inputs, the start first. */
  readonly target: IntegerInput;
  /** [T] ids: what each row should predict. */
  readonly targets?: IntegerInput | undefined;
}

/** The form of the layers, as of torch.nn.Transformer. */
export interface TransformerForm {
  readonly heads: number;
  /** Norms before the sublayers; default false, after them. */
  readonly normFirst?: boolean | undefined;
  /** Default 'relu'. */
  readonly activation?: 'relu' | 'gelu' | undefined;
  /** Default 1e-5. */
  readonly layerNormEps?: number | undefined;
  /** Embeddings times √E; default true. */
  readonly scaleEmbedding?: boolean | undefined;
  /** Default 'sinusoidal'. */
  readonly positions?: 'sinusoidal' | 'none' | undefined;
}

/** `state` of a call before. */
export interface TransformerStateInput {
  readonly memory: ArrayInput;
  readonly keys: ArrayInput;
  readonly values: ArrayInput;
  readonly length: number | IntegerInput;
  readonly sourceLength?: number | IntegerInput | undefined;
}

export interface TransformerOptions extends TransformerForm {
  readonly sourceLengths?: LengthsOption;
  /** Not together with `initialState`; no state is returned then. */
  readonly targetLengths?: LengthsOption;
  readonly initialState?: TransformerStateInput | undefined;
  readonly trace?: boolean | undefined;
}

/** Without the axis B where the inputs have none. n tokens came before. */
export interface TransformerResult<A> {
  /** [B, S, E]; not with `initialState`. */
  memory?: A;
  /** [B, layers, heads, S, S]; not with `initialState`. */
  encoderWeights?: A;
  /** [B, T, E]. */
  output: A;
  /** [B, T, V]. */
  logits: A;
  /** [B, T, V]. */
  probability: A;
  /** [B, layers, heads, T, n + T]. */
  decoderWeights: A;
  /** [B, layers, heads, T, S]. */
  crossWeights: A;
  /** [B]: the likeliest id after the last token, -1 without one. */
  next: IntegerArray;
  /** [B, T]: with targets. */
  tokenLoss?: A;
  /** [B]: with targets. */
  loss?: A;
  /** Not with `targetLengths`. keys and values of self-attention: [B, layers, heads, n + T, E / heads]. */
  state?: { memory: A; keys: A; values: A; length: IntegerArray; sourceLength: IntegerArray };
  trace?: TraceStage[];
}

/**
 * The transformer, post-norm or pre-norm. Layers have the names of torch.nn.Transformer.
 *
 *     X = embedding(ids)·√E + PE,   PE[p, 2i] = sin(p / 10000^(2i/E)), PE[p, 2i+1] = cos(the same)
 *     encoder layer: h = norm1(X + SelfAttention(X)),   X := norm2(h + FFN(h));   pre-norm: X + SelfAttention(norm1(X)), …
 *     decoder layer: causal self-attention (norm1), attention to the memory (norm2), FFN (norm3)
 *     FFN(x) = act(x W1ᵀ + b1) W2ᵀ + b2,   logits = Y·generatorᵀ + bias
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param inputs `source`, `target`, `targets`.
 * @param params sourceEmbedding.weight [Vs, E], targetEmbedding.weight [Vt, E] (absent: the source's), encoder.layers.N.… and
 *   decoder.layers.N.… (self_attn, multihead_attn, linear1, linear2, norm1, norm2, norm3), encoder.norm and decoder.norm (optional),
 *   generator.weight [Vt, E] (absent: the target's embedding), generator.bias [Vt].
 * @param options `heads` is required.
 * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
 *
 * One call of T tokens and T calls of one token with the state passed on agree to rounding.
 * Source: Vaswani et al. 2017, arXiv:1706.03762 §3; pre-norm: Xiong et al. 2020, arXiv:2002.04745.
 */
export function transformer<Source extends ArrayInput | IntegerInput = NDArray>(
  fovea: Fovea,
  inputs: TransformerInputs<Source>,
  params: ParamInput,
  options: TransformerOptions,
): TransformerResult<Source extends Tensor ? Tensor : NDArray> {
  const isContinued = ownProperty(options, 'initialState') !== undefined;
  const given: unknown = isPlainObject(inputs) ? { ...inputs, ...(isContinued && { source: undefined }) } : inputs;
  const { source, target } = ownProperties<Partial<TransformerInputs>>(isPlainObject(given) ? given : {});
  const declaration = declareTransformer('transformer', {
    source: isContinued ? undefined : rankOf(source) > rankOf(target) ? 'vectors' : 'ids',
    hasTarget: true,
    options: ['sourceLengths', 'targetLengths', 'initialState'],
  });
  return runSystem(declaration, fovea, given, params, options, (system) => {
    const layers = new TransformerLayers(system);
    const T = system.size('T');
    const lengths = system.lengths('targetLengths', T);
    const before = isContinued ? readState(system, layers) : encodeSource(system, layers);
    const { memory, sourceLengths, encoderWeights } = before;

    const ids = existingIds(system, 'target', lengths, layers.targetTable.shape[0]!);
    const X = layers.place(layers.embed(ids, layers.targetTable), before.length);
    const decoded = layers.decode(X, layers.project(memory), sourceLengths.list, before.past);
    const raw = layers.logits(decoded.output);
    const record = (name: string, formula: string, axis: 'feature' | 'word', array: Tensor): Tensor =>
      system.record(name, formula, ['token', axis], lengths.masked(array));
    const rows = [layers.heads, T];
    const results = {
      memory: isContinued ? undefined : memory,
      encoderWeights,
      decoderWeights: stackWeights(system, 'decoderWeights', decoded.weights, [...rows, before.length + T], lengths),
      crossWeights: stackWeights(system, 'crossWeights', decoded.crossWeights, [...rows, sourceLengths.size], lengths),
      output: record('output', 'Y^{(N)}', 'feature', decoded.output),
      logits: record('logits', 'Y W_g^\\top + b_g', 'word', raw),
      probability: record('probability', '\\operatorname{softmax}(Y W_g^\\top + b_g)', 'word', softmax(fovea, raw)),
      next: lastBest(system, raw, lengths),
      ...(system.has('targets') && losses(system, raw, lengths)),
    };
    if (system.options['targetLengths'] !== undefined) return results;
    const sourceLength = new Integers(Int32Array.from(sourceLengths.list), [system.batch]);
    return { ...results, state: { memory, ...stateOf(system, layers, decoded.past, before.length + T), sourceLength } };
  }) as unknown as TransformerResult<Source extends Tensor ? Tensor : NDArray>;
}

/** The id of the largest logit after the last token: [B]. */
function lastBest(system: System, logits: Tensor, { list, size }: Lengths): Integers {
  const best = size === 0 ? [] : argmax(system.fovea, logits).data;
  const ids = list.map((length, b) => (length === 0 ? -1 : best[b * size + length - 1]!));
  return new Integers(Int32Array.from(ids), [system.batch]);
}

/** -ln probability of the targets, and its mean. */
function losses(system: System, logits: Tensor, lengths: Lengths): { tokenLoss: Tensor; loss: Tensor } {
  const { fovea } = system;
  const ids = existingIds(system, 'targets', lengths, logits.shape[2]!);
  const found = multiply(fovea, idLogProbability(system, logits, ids, lengths), -1);
  const tokenLoss = system.record('tokenLoss', '-\\ln p_t(y_t)', ['token'], found);
  return {
    tokenLoss,
    loss: system.record(
      'loss',
      '\\operatorname{mean}_t(-\\ln p_t(y_t))',
      [],
      meanOfSums(fovea, sum(fovea, tokenLoss), lengths),
    ),
  };
}
