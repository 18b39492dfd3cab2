/** Dynamic memory networks: gates choose the facts of a story, pass after pass. */
import { fail } from '../errors/errors.ts';
import type { Fovea } from '../fovea/fovea.ts';
import {
  abs,
  add,
  argmax,
  blend,
  concat,
  matmul,
  multiply,
  sigmoid,
  softmax,
  subtract,
  tanh,
  transpose,
} from '../ops/index.ts';
import type { NDArray } from '../tensor/array_types.ts';
import type { IntegerInput } from '../tensor/integer_arrays.ts';
import type { Tensor } from '../tensor/tensor.ts';
import type { TraceStage } from '../trace/stages.ts';
import { embed, existingIds, oneHot } from './system/ids.ts';
import { Lengths, type LengthsOption } from './system/lengths.ts';
import { meanLoss } from './system/loss.ts';
import { integerOption } from './system/option_values.ts';
import type { ParamInput } from './system/params.ts';
import { gruStates, gruStep, layerParams } from './system/recurrent.ts';
import { rowOf, stackRows, zeros } from './system/steps.ts';
import { runSystem, type Declaration, type System } from './system/system.ts';

const DECLARATION = {
  fn: 'dynamicMemory',
  inputs: {},
  ids: { story: 'T', 'sentenceEnds?': 'C', question: 'Tq', 'targets?': 'Ta' },
  params: {
    embedding: 'V E',
    ...layerParams('input', 3, 'E', 'H'),
    ...layerParams('question', 3, 'E', 'H'),
    ...layerParams('episode', 3, 'H', 'H'),
    ...layerParams('memory', 3, 'H', 'H'),
    ...{ Wb: 'H H', W1: '7H+2 G', b1: 'G', W2: 'G', b2: '' },
    ...layerParams('answer', 3, 'V+H', 'H'),
    Wa: 'H V',
  },
  groups: ['input.', 'question.'],
  options: ['passes', 'storyLengths', 'sentenceCounts', 'questionLengths', 'targetLengths', 'steps', 'feedback'],
} as const satisfies Declaration;

export interface DynamicMemoryInputs {
  /** [T] or [B, T]: the words of all sentences, one after another. */
  readonly story: IntegerInput;
  /** [C]: the index of each sentence's last word, rising. Left out: the state of each word is a fact. */
  readonly sentenceEnds?: IntegerInput | undefined;
  /** [Tq]. */
  readonly question: IntegerInput;
  /** [Ta]: the words of the answer; each but the last is read by the next step. */
  readonly targets?: IntegerInput | undefined;
}

export interface DynamicMemoryOptions {
  /** How often the facts are read; default 3. */
  readonly passes?: number | undefined;
  readonly storyLengths?: LengthsOption;
  /** How many of `sentenceEnds` exist. */
  readonly sentenceCounts?: LengthsOption;
  readonly questionLengths?: LengthsOption;
  /** Limits the loss. */
  readonly targetLengths?: LengthsOption;
  /** How many words are answered without `targets`; default 1. */
  readonly steps?: number | undefined;
  /** The input of a step without `targets`: the distribution of the step before it (default), or its most probable word. */
  readonly feedback?: 'distribution' | 'argmax' | undefined;
  readonly trace?: boolean | undefined;
}

/** Without the axis B where the inputs have none. */
export interface DynamicMemoryResult {
  /** [B, passes, C]: σ, so a row does not sum to 1. */
  gates: NDArray;
  /** [B, C, H]. */
  facts: NDArray;
  /** [B, H]. */
  questionState: NDArray;
  /** [B, passes, H]. */
  episodes: NDArray;
  /** [B, passes + 1, H]: the memory before each pass and after the last. */
  memories: NDArray;
  /** [B, Ta, H]. */
  answerStates: NDArray;
  /** [B, Ta, V]. */
  probability: NDArray;
  /** [B]: with targets. */
  loss?: NDArray;
  trace?: TraceStage[];
}

/**
 * A dynamic memory network: each pass gates the facts by the question and by what the passes before have found.
 *
 *     c_s: state of the input GRU at the end of sentence s,   q: last state of the question GRU,   m⁰ = q
 *     z(c, m, q) = [c, m, q, c⊙q, c⊙m, |c - q|, |c - m|, c Wb·q, c Wb·m]
 *     g_s = σ(tanh(z(c_s, m, q) W1 + b1)·W2 + b2)
 *     h_s = g_s GRU_episode(c_s, h_{s-1}) + (1 - g_s) h_{s-1},   h_0 = 0,   e = the last h
 *     m' = GRU_memory(e, m)
 *     a_0 = the last m,   a_t = GRU_answer([y_{t-1}; q], a_{t-1}),   y_t = softmax(a_t Wa),   y_0 = 0
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param inputs `story`, `sentenceEnds`, `question`, `targets`.
 * @param params embedding [V, E]; state dicts of GRUs: `input` and `question` E → H, `episode` and `memory` H → H, `answer` V + H → H; Wb [H, H];
 *   W1 [7H + 2, G], b1 [G], W2 [G], b2 []; Wa [H, V].
 * @param options `passes`, `storyLengths`, `sentenceCounts`, `questionLengths`, `targetLengths`; without targets `steps`, `feedback`; `trace`.
 * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
 *
 * Source: Kumar et al. 2016, arXiv:1506.07285 §2.
 */
export function dynamicMemory(
  fovea: Fovea,
  inputs: DynamicMemoryInputs,
  params: ParamInput,
  options?: DynamicMemoryOptions,
): DynamicMemoryResult {
  return runSystem(DECLARATION, fovea, inputs, params, options, (system) => {
    const { batch, params: p } = system;
    const [H, V] = [system.size('H'), system.size('V')];
    const passes = integerOption(system, 'passes', 0, 2 ** 31 - 1, 3);
    const stories = system.lengths('storyLengths', system.size('T'));
    const questions = system.lengths('questionLengths', system.size('Tq'));
    const read = (name: string, lengths: Lengths): ReturnType<typeof gruStates> =>
      gruStates(system, embed(system, name, p['embedding']!, lengths), name === 'story' ? 'input.' : 'question.', lengths);
    const { facts, counts } = factsOf(system, read('story', stories).output, stories);
    const { last: q } = read('question', questions);
    const C = counts.size;

    let m = q;
    const [memories, episodes, gates]: Tensor[][] = [[m], [], []];
    for (let pass = 0; pass < passes; pass++) {
      const g = counts.masked(gatesOf(system, facts, m, q)).reshape([batch, C, 1]);
      let h = zeros(fovea, [batch, 1, H]);
      for (let s = 0; s < C; s++)
        h = blend(fovea, gruStep(fovea, rowOf(facts, s), h, system.group('episode.')), h, rowOf(g, s));
      m = gruStep(fovea, h, m, system.group('memory.'));
      gates!.push(g.reshape([batch, 1, C]));
      episodes!.push(h);
      memories!.push(m);
    }
    const { states, distributions } = answer(system, m, q);
    const stack = (list: readonly Tensor[], width: number): Tensor => stackRows(fovea, list, batch, [width]);
    const probability = stack(distributions, V);
    return {
      facts: system.record('facts', 'c_s', ['sentence', 'feature'], facts),
      questionState: system.record('questionState', 'q', ['feature'], q.reshape([batch, H])),
      gates: system.record('gates', '\\sigma(\\tanh(z W_1 + b_1) W_2 + b_2)', ['hop', 'sentence'], stack(gates!, C)),
      episodes: system.record(
        'episodes',
        'h_s = g_s\\, \\mathrm{GRU}(c_s, h_{s-1}) + (1 - g_s)\\, h_{s-1}',
        ['hop', 'feature'],
        stack(episodes!, H),
      ),
      memories: system.record('memories', 'm^i = \\mathrm{GRU}(e^i, m^{i-1})', ['hop', 'feature'], stack(memories!, H)),
      answerStates: system.record(
        'answerStates',
        'a_t = \\mathrm{GRU}([y_{t-1}; q], a_{t-1})',
        ['step', 'feature'],
        stack(states, H),
      ),
      probability: system.record('probability', '\\operatorname{softmax}(a_t W_a)', ['step', 'word'], probability),
      loss: system.has('targets')
        ? meanLoss(system, probability, 'targets', system.lengths('targetLengths', system.size('Ta')))
        : undefined,
    };
  }) as unknown as DynamicMemoryResult;
}

/** The states at the ends of sentences, 0 of a sentence that does not exist; without ends those of all words. */
function factsOf(system: System, states: Tensor, stories: Lengths): { facts: Tensor; counts: Lengths } {
  if (!system.has('sentenceEnds')) {
    if (system.options['sentenceCounts'] !== undefined)
      fail('option', system.fn, 'sentenceCounts needs sentenceEnds: without them each word is a fact');
    return { facts: states, counts: stories };
  }
  const C = system.size('C');
  const counts = system.lengths('sentenceCounts', C);
  const ends = system.ids('sentenceEnds').map((end, n) => {
    const [b, s] = [Math.floor(n / C), n % C];
    if (s >= counts.list[b]!) return -1;
    const from = s === 0 ? 0 : system.ids('sentenceEnds')[n - 1]! + 1;
    const to = stories.list[b]! - 1;
    if (end < from || end > to)
      fail('value', system.fn, `sentenceEnds must rise, from ${from} to ${to} at sentence ${s}, got ${end}`);
    return end;
  });
  return { facts: matmul(system.fovea, oneHot(system.fovea, ends, [system.batch, C], stories.size), states), counts };
}

/** σ(tanh(z(c, m, q) W1 + b1)·W2 + b2) of all facts c [B, C, H]: [B, C]. */
function gatesOf(system: System, c: Tensor, m: Tensor, q: Tensor): Tensor {
  const { fovea, params: p } = system;
  const everywhere = zeros(fovea, c.shape);
  const product = matmul(fovea, c, p['Wb']!);
  const z = concat(fovea, [
    c,
    ...[m, q].map((one) => add(fovea, everywhere, one)),
    ...[q, m].map((one) => multiply(fovea, c, one)),
    ...[q, m].map((one) => abs(fovea, subtract(fovea, c, one))),
    ...[q, m].map((one) => matmul(fovea, product, transpose(fovea, one))),
  ]);
  const hidden = tanh(fovea, add(fovea, matmul(fovea, z, p['W1']!), p['b1']!));
  return sigmoid(fovea, add(fovea, matmul(fovea, hidden, p['W2']!), p['b2']!));
}

/** The answer module, from a_0 = m. */
function answer(system: System, m: Tensor, q: Tensor): { states: Tensor[]; distributions: Tensor[] } {
  const { fovea, batch } = system;
  const V = system.size('V');
  const isForced = system.has('targets');
  const given = (['steps', 'feedback'] as const).find((name) => system.options[name] !== undefined);
  if (isForced && given !== undefined)
    fail('option', system.fn, `${given} cannot be combined with targets, which say what is answered and read`);
  const steps = isForced ? system.size('Ta') : integerOption(system, 'steps', 0, 2 ** 31 - 1, 1);
  const feedback = system.choice('feedback', ['distribution', 'argmax']);
  const targets = isForced
    ? oneHot(fovea, existingIds(system, 'targets', Lengths.whole(batch, steps), V), [batch, steps], V)
    : undefined;

  let a = m;
  let y = zeros(fovea, [batch, 1, V]);
  const [states, distributions]: Tensor[][] = [[], []];
  for (let t = 0; t < steps; t++) {
    a = gruStep(fovea, concat(fovea, [y, q]), a, system.group('answer.'));
    const probability = softmax(fovea, matmul(fovea, a, system.params['Wa']!));
    states!.push(a);
    distributions!.push(probability);
    y = targets ? rowOf(targets, t) : probability;
    if (!targets && feedback === 'argmax') y = oneHot(fovea, argmax(fovea, probability).data, [batch, 1], V);
  }
  return { states: states!, distributions: distributions! };
}
