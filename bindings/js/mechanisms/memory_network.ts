/** End-to-end memory networks: a question reads a story's sentences several times over. */
import { ownProperty } from '../errors/options.ts';
import { fail } from '../errors/errors.ts';
import type { Fovea } from '../fovea/fovea.ts';
import { add, divide, gather, matmul, multiply, softmax, subtract, sum, transpose } from '../ops/index.ts';
import type { NDArray } from '../tensor/array_types.ts';
import type { IntegerInput } from '../tensor/integer_arrays.ts';
import type { Tensor } from '../tensor/tensor.ts';
import type { TraceStage } from '../trace/stages.ts';
import { embed } from './system/ids.ts';
import { Lengths, type LengthsOption, type PartLengthsOption } from './system/lengths.ts';
import { meanLoss } from './system/loss.ts';
import { booleanOption, integerOption } from './system/option_values.ts';
import type { ParamInput } from './system/params.ts';
import { stackRows } from './system/steps.ts';
import { runSystem, type Declaration, type System } from './system/system.ts';

const SHARED = {
  fn: 'memoryNetwork',
  inputs: {},
  ids: { story: 'M J', question: 'Jq', 'answer?': '' },
  together: [['TA', 'TC']],
  options: ['tying', 'hops', 'encoding', 'linear', 'memoryLengths', 'sentenceLengths', 'questionLengths'],
} as const;

const ADJACENT = {
  ...SHARED,
  params: { A: 'V d', C: 'K V d', 'TA?': 'Mmax d', 'TC?': 'K Mmax d' },
} as const satisfies Declaration;

const LAYERWISE = {
  ...SHARED,
  params: { A: 'V d', B: 'V d', C: 'V d', H: 'd d', W: 'd V', 'TA?': 'Mmax d', 'TC?': 'Mmax d' },
} as const satisfies Declaration;

export interface MemoryNetworkInputs {
  /** [M, J] or [B, M, J]: the words of each sentence, the oldest sentence first. */
  readonly story: IntegerInput;
  /** [Jq]. */
  readonly question: IntegerInput;
  /** One word, in a batch [B]. */
  readonly answer?: number | IntegerInput | undefined;
}

export interface MemoryNetworkOptions {
  /** Which tables the hops share: 'adjacent' (default): A of a hop is C of the hop before it; 'layerwise': all hops have the same. */
  readonly tying?: 'adjacent' | 'layerwise' | undefined;
  /** Layerwise only; default 3. */
  readonly hops?: number | undefined;
  /** How words become a sentence: 'position' (default), or 'bagOfWords', their sum. */
  readonly encoding?: 'position' | 'bagOfWords' | undefined;
  /** Without the softmax of the hops: the weights are the scores (linear start). Default false. */
  readonly linear?: boolean | undefined;
  readonly memoryLengths?: LengthsOption;
  readonly sentenceLengths?: PartLengthsOption;
  readonly questionLengths?: LengthsOption;
  readonly trace?: boolean | undefined;
}

/** Without the axis B where the inputs have none. */
export interface MemoryNetworkResult {
  /** [B, K, M]. */
  weights: NDArray;
  /** [B, K + 1, d]: the state before each hop and after the last. */
  u: NDArray;
  /** [B, K, d]: what each hop has read. */
  o: NDArray;
  /** [B, V]. */
  probability: NDArray;
  /** [B]: with an answer. */
  loss?: NDArray;
  trace?: TraceStage[];
}

/**
 * An end-to-end memory network: the question attends to the sentences of a story, adds what it reads, and attends again.
 *
 *     m_i = Σ_j l_j ⊙ A[x_ij] + TA(i),   c_i = Σ_j l_j ⊙ C[x_ij] + TC(i),   u¹ = Σ_j l_j ⊙ B[q_j]
 *     l_kj = (1 - j/J) - (k/d)(1 - 2j/J)
 *     p_i = softmax_i(u·m_i),   o = Σ_i p_i c_i
 *     adjacent: u' = u + o, A' = C, TA' = TC, B = A¹, W = (C of the last hop)ᵀ;   layerwise: u' = u H + o
 *     â = softmax(u W)
 *
 * J is the number of words of that sentence. Row 0 of TA and TC is that of the last sentence.
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param inputs `story`, `question`, `answer`.
 * @param params adjacent: A [V, d], C [K, V, d], optional together TA [Mmax, d], TC [K, Mmax, d]; layerwise: A, B, C [V, d], H [d, d], W [d, V],
 *   optional together TA, TC [Mmax, d].
 * @param options `tying`, `hops`, `encoding`, `linear`, `memoryLengths`, `sentenceLengths`, `questionLengths`, `trace`.
 * @throws AttentionError `shape` (also for more sentences than Mmax) | `value` | `option` | `disposed` | `memory` | `internal`.
 *
 * Source: Sukhbaatar, Szlam, Weston, Fergus 2015, arXiv:1503.08895 §2.1 (eq. 1 to 3), §2.2 (eq. 4), §4.1.
 */
export function memoryNetwork(
  fovea: Fovea,
  inputs: MemoryNetworkInputs,
  params: ParamInput,
  options?: MemoryNetworkOptions,
): MemoryNetworkResult {
  const isLayerwise = ownProperty(options, 'tying') === 'layerwise';
  const declaration = isLayerwise ? LAYERWISE : ADJACENT;
  return runSystem(declaration, fovea, inputs, params, options, (system) => {
    const { batch, params: p } = system;
    system.choice('tying', ['adjacent', 'layerwise']);
    const linear = booleanOption(system, 'linear');
    const [M, d] = [system.size('M'), system.size('d')];
    const hops = readHops(system, isLayerwise);
    const memories = system.lengths('memoryLengths', M);
    const sentences = system.partLengths('sentenceLengths', memories, system.size('J'));
    const questions = system.lengths('questionLengths', system.size('Jq'));

    const story = (table: Tensor, times: Tensor | undefined): Tensor => {
      const encoded = encode(system, 'story', table, sentences).reshape([batch, M, d]);
      return times === undefined ? encoded : add(fovea, encoded, timesOf(system, times, memories));
    };
    const layer = (tables: Tensor | undefined, k: number): Tensor | undefined =>
      tables && gather(fovea, tables, [k]).reshape(tables.shape.slice(1));
    // Adjacent: hop k reads table k and gives back table k + 1.
    const encodings = isLayerwise
      ? [story(p['A']!, p['TA']), story(p['C']!, p['TC'])]
      : Array.from({ length: hops + 1 }, (_, k) =>
          k === 0 ? story(p['A']!, p['TA']) : story(layer(p['C'], k - 1)!, layer(p['TC'], k - 1)),
        );

    let u = encode(system, 'question', p[isLayerwise ? 'B' : 'A']!, questions);
    const [states, read, weights]: Tensor[][] = [[u], [], []];
    for (let hop = 0; hop < hops; hop++) {
      const [m, c] = isLayerwise ? [encodings[0]!, encodings[1]!] : [encodings[hop]!, encodings[hop + 1]!];
      const scores = matmul(fovea, u, transpose(fovea, m));
      const p_i = linear ? memories.masked(scores, 2) : softmax(fovea, add(fovea, scores, memories.forbidden(fovea)));
      const o = matmul(fovea, p_i, c);
      u = add(fovea, isLayerwise ? matmul(fovea, u, p['H']!) : u, o);
      states!.push(u);
      read!.push(o);
      weights!.push(p_i);
    }
    const answers = isLayerwise ? p['W']! : transpose(fovea, layer(p['C'], hops - 1)!);
    const probability = softmax(fovea, matmul(fovea, u, answers));
    return {
      weights: system.record(
        'weights',
        linear ? 'u^k \\cdot m_i^k' : '\\operatorname{softmax}_i(u^k \\cdot m_i^k)',
        ['hop', 'sentence'],
        stackRows(fovea, weights!, batch, [M]),
      ),
      o: system.record('o', '\\textstyle\\sum_i p_i^k c_i^k', ['hop', 'feature'], stackRows(fovea, read!, batch, [d])),
      u: system.record(
        'u',
        isLayerwise ? 'u^{k+1} = u^k H + o^k' : 'u^{k+1} = u^k + o^k',
        ['hop', 'feature'],
        stackRows(fovea, states!, batch, [d]),
      ),
      probability: system.record(
        'probability',
        '\\operatorname{softmax}(u^{K+1} W)',
        ['word'],
        probability.reshape([batch, system.size('V')]),
      ),
      loss: system.has('answer') ? meanLoss(system, probability, 'answer', Lengths.whole(batch, 1)) : undefined,
    };
  }) as unknown as MemoryNetworkResult;
}

function readHops(system: System, isLayerwise: boolean): number {
  if (isLayerwise) return integerOption(system, 'hops', 1, 2 ** 31 - 1, 3);
  if (system.options['hops'] !== undefined)
    fail('option', system.fn, "hops can be combined with tying 'layerwise' alone: C of 'adjacent' has a table for each hop");
  const K = system.size('K');
  if (K === 0) fail('shape', system.fn, 'C must be [K, V, d] with at least one hop, got K = 0');
  return K;
}

/** The sums of the words of each sentence [N, J], times l: [N, 1, d]. */
function encode(system: System, name: string, table: Tensor, lengths: Lengths): Tensor {
  const { fovea } = system;
  const isPositional = system.choice('encoding', ['position', 'bagOfWords']) === 'position';
  const existing = lengths.existing(fovea);
  const factors = isPositional ? multiply(fovea, positionEncoding(fovea, lengths, table.shape[1]!), existing) : existing;
  const sums = sum(fovea, multiply(fovea, factors, embed(system, name, table, lengths)), { axis: 1 });
  return sums.reshape([lengths.list.length, 1, table.shape[1]!]);
}

/** l_kj = (1 - j/J) - (k/d)(1 - 2j/J), j and k from 1: [N, J, d]. */
function positionEncoding(fovea: Fovea, { list, size }: Lengths, width: number): Tensor {
  const counted = (length: number): number[] => Array.from({ length }, (_, n) => n + 1);
  const lengths = fovea.tensor(
    list.map((length) => Math.max(1, length)),
    [list.length, 1, 1],
  );
  const place = divide(fovea, fovea.tensor(counted(size), [1, size, 1]), lengths);
  const feature = divide(fovea, fovea.tensor(counted(width), [width]), width);
  const oneMinus = (x: Tensor): Tensor => add(fovea, multiply(fovea, x, -1), 1);
  return subtract(fovea, oneMinus(place), multiply(fovea, feature, oneMinus(multiply(fovea, place, 2))));
}

/** The rows of TA or TC, counted from the last sentence: [B, M, d]. */
function timesOf(system: System, times: Tensor, memories: Lengths): Tensor {
  const longest = Math.max(0, ...memories.list);
  if (longest > times.shape[0]!)
    fail('shape', system.fn, `TA and TC must have a row for each sentence, ${longest}, got Mmax = ${times.shape[0]}`);
  const rows = memories.list.flatMap((length) => Array.from({ length: memories.size }, (_, i) => Math.max(0, length - 1 - i)));
  return gather(system.fovea, times, { data: rows, shape: [memories.list.length, memories.size] });
}
