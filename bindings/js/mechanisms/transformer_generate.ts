/** Greedy decoding with the transformer, a token at a time. */
import { fail } from '../errors/errors.ts';
import { isPlainObject, ownProperty } from '../errors/options.ts';
import type { Fovea } from '../fovea/fovea.ts';
import { argmax, sum } from '../ops/index.ts';
import type { IntegerArray, IntegerInput } from '../ops/index.ts';
import type { ArrayInput } from '../tensor/array_input.ts';
import type { NDArray } from '../tensor/array_types.ts';
import type { Tensor } from '../tensor/tensor.ts';
import type { TraceStage } from '../trace/stages.ts';
import { Lengths, type LengthsOption } from './system/lengths.ts';
import { integerOption } from './system/option_values.ts';
import type { ParamInput } from './system/params.ts';
import { isFloat, rankOf } from './system/ranks.ts';
import { stackRows } from './system/steps.ts';
import { Integers, runSystem } from './system/system.ts';
import { idLogProbability } from './system/token_loss.ts';
import { TransformerLayers, type KeysAndValues } from './system/transformer_layers.ts';
import { encodeSource } from './system/transformer_memory.ts';
import { declareTransformer } from './system/transformer_params.ts';
import type { TransformerForm } from './transformer.ts';

export interface TransformerGenerateInputs<Source extends ArrayInput | IntegerInput = ArrayInput | IntegerInput> {
  /**
   * [S] or [B, S] ids, or vectors [S, E] or [B, S, E]. Of two axes it is vectors as a Tensor or an array of floats, and ids as integers
   * or nested numbers.
   */
  readonly source: Source;
}

export interface TransformerGenerateOptions extends TransformerForm {
  /** The id before the first. */
  readonly start: number;
  /** The id that ends a sequence, and is its last; default none. */
  readonly end?: number | undefined;
  /** The most ids to generate, at least 1. */
  readonly maxLength: number;
  readonly sourceLengths?: LengthsOption;
  readonly trace?: boolean | undefined;
}

/** Without the axis B where the source has none. n is the longest of a batch. */
export interface TransformerGenerateResult<A> {
  /** [B, n]: -1 after the end. */
  generated: IntegerArray;
  /** [B]. */
  length: IntegerArray;
  /** [B, n, V]: 0 after the end. */
  logits: A;
  /** [B]: Σ_t ln p(generated[t]). */
  logProbability: A;
  /** [B, S, E]. */
  memory: A;
  trace?: TraceStage[];
}

/**
 * Greedy decoding: the likeliest id of each step, the lowest of several, is the input of the next.
 *
 *     logits = step([last], state),   last := argmax logits;   until `end` came or there are maxLength ids
 *     logProbability = Σ_t ln softmax(logits[t])[generated[t]]
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param inputs `source`.
 * @param params as of `transformer`.
 * @param options `heads`, `start` and `maxLength` are required.
 * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
 *
 * Keys and values of the tokens before are kept: a step reads one token. Source: Vaswani et al. 2017, arXiv:1706.03762 §3.1.
 */
export function transformerGenerate<Source extends ArrayInput | IntegerInput>(
  fovea: Fovea,
  inputs: TransformerGenerateInputs<Source>,
  params: ParamInput,
  options: TransformerGenerateOptions,
): TransformerGenerateResult<Source extends Tensor ? Tensor : NDArray> {
  const given: unknown = isPlainObject(inputs) ? { ...inputs } : inputs;
  const source = ownProperty(given, 'source');
  const hasVectors = rankOf(source) === 3 || (rankOf(source) === 2 && isFloat(source));
  const declaration = declareTransformer('transformerGenerate', {
    source: hasVectors ? 'vectors' : 'ids',
    hasTarget: false,
    options: ['sourceLengths', 'start', 'end', 'maxLength'],
  });
  return runSystem(declaration, fovea, given, params, options, (system) => {
    const layers = new TransformerLayers(system);
    const { batch } = system;
    const start = integerOption(system, 'start', 0, layers.targetTable.shape[0]! - 1);
    const end = integerOption(system, 'end', -1, layers.targetTable.shape[0]! - 1, -1);
    if (system.options['end'] === -1) fail('value', system.fn, 'end must be an id, got -1; leave it out for none');
    const maxLength = integerOption(system, 'maxLength', 1, 2 ** 20);
    const { memory, sourceLengths } = encodeSource(system, layers);
    const projected = layers.project(memory);

    let past: readonly KeysAndValues[] = [];
    let last = new Int32Array(batch).fill(start);
    const [steps, rows]: [Int32Array[], Tensor[]] = [[], []];
    const lengths = new Array<number>(batch).fill(0);
    const isOpen = new Array<boolean>(batch).fill(true);
    for (let t = 0; t < maxLength && isOpen.includes(true); t++) {
      // A scope for each step: its intermediates are freed at once.
      const step = fovea.scope(() => {
        const X = layers.place(layers.embed(last, layers.targetTable), t);
        const decoded = layers.decode(X, projected, sourceLengths.list, past);
        return { logits: layers.logits(decoded.output), past: decoded.past };
      });
      past.forEach(({ keys, values }) => [keys, values].forEach((before) => before.dispose()));
      past = step.past;
      rows.push(step.logits);
      last = argmax(fovea, step.logits).data as typeof last;
      steps.push(last);
      last.forEach((id, b) => {
        if (!isOpen[b]) return;
        lengths[b]!++;
        isOpen[b] = id !== end;
      });
    }
    const n = steps.length;
    const existing = new Lengths(lengths, n);
    const generated = new Int32Array(batch * n).map((_, at) => steps[at % n]![Math.floor(at / n)]!);
    const raw = stackRows(fovea, rows, batch, [layers.targetTable.shape[0]!]);
    const found = idLogProbability(system, raw, generated, existing);
    lengths.forEach((length, b) => generated.fill(-1, b * n + length, (b + 1) * n));
    return {
      generated: new Integers(generated, [batch, n]),
      length: new Integers(Int32Array.from(lengths), [batch]),
      logits: system.record('logits', 'Y W_g^\\top + b_g', ['step', 'word'], existing.masked(raw)),
      logProbability: system.record('logProbability', '\\textstyle\\sum_t \\ln p_t(\\hat y_t)', [], sum(fovea, found)),
      memory,
    };
  }) as unknown as TransformerGenerateResult<Source extends Tensor ? Tensor : NDArray>;
}
