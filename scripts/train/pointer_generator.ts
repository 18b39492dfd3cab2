/** A pointer-generator lists the names of a text, which it has never seen; then coverage is added, which ends repetition. */
import type { Fovea, Tensor } from 'fovea';
import { pointerGenerator, type PointerGeneratorResult } from 'fovea/mechanisms';
import { concat, embedding, gru } from 'fovea/ops';
import { padded, range, type Random } from './examples.ts';
import { choose } from './figures.ts';
import { layerShapes, meanOf, mechanismPart, part, randomWeights, train } from './task.ts';
import type { Arrays, Checkpoint, Params, Task } from './task.ts';

const NAMES = ['Mary', 'Tom', 'Anna', 'John'];
const FILLERS = ['then', 'saw', 'and', 'near', 'the', 'park', 'with', 'at', 'noon', 'day'];
const VOCABULARY = [...NAMES, ...FILLERS, 'unknown', 'start', 'end', 'names:'];
const [UNKNOWN, START, END] = ['unknown', 'start', 'end'].map((word) => VOCABULARY.indexOf(word)) as [number, number, number];
const SYLLABLES = ['zo', 'mi', 'ka', 'ru', 'te', 'lo', 'ba', 'si'];
const [EMBEDDING, HIDDEN, ALIGNMENT, PROJECTION, V] = [12, 6, 8, 16, VOCABULARY.length];
const [MIDDLE, BASELINE, FINETUNE] = [200, 400, 300];

interface Report {
  /** The text. */
  readonly key: string;
  readonly text: readonly string[];
  readonly report: readonly string[];
  /** Words that the vocabulary lacks are V, V + 1, … in the order of the text. */
  readonly source: readonly number[];
  readonly target: readonly number[];
}

/** A text with 5 to 8 names among fillers, most of them unknown to the vocabulary; the report has the names in order. */
function make(random: Random): Report {
  const count = random.integer(5, 8);
  const strangers = new Set<string>();
  while (strangers.size < count) {
    const name = range(3).map(() => random.choose(SYLLABLES));
    strangers.add(name.join('').replace(/^./, (letter) => letter.toUpperCase()));
  }
  const known = random.sample(NAMES, NAMES.length);
  const names = [...strangers].map((name) => (random.uniform() < 0.15 ? (known.pop() ?? name) : name));
  const text = names.flatMap((name) => [...range(random.integer(0, 2)).map(() => random.choose(FILLERS)), name]);
  const unknown = names.filter((name) => !VOCABULARY.includes(name));
  const ids = (words: readonly string[]): number[] =>
    words.map((word) => (VOCABULARY.includes(word) ? VOCABULARY.indexOf(word) : V + unknown.indexOf(word)));
  const report = ['names:', ...names, 'end'];
  return { key: text.join(' '), text, report, source: ids(text), target: ids(report) };
}

/** The embedding of words; those that the vocabulary lacks have that of `unknown`. */
function embed(fovea: Fovea, params: Params, { data, shape }: { data: Int32Array; shape: number[] }): Tensor {
  const known = data.map((id) => (id < V ? id : UNKNOWN));
  return embedding(fovea, { data: known, shape }, params['network.embedding.weight']!);
}

interface Encoded {
  readonly ids: { data: Int32Array; shape: number[] };
  readonly lengths: number[];
  readonly source: Tensor;
  /** The decoder's first state: the last ones of both directions. */
  readonly first: Tensor;
}

function encode(fovea: Fovea, params: Params, reports: readonly Report[]): Encoded {
  const { ids, lengths } = padded(reports.map(({ source }) => source));
  const { output, hidden } = gru(fovea, embed(fovea, params, ids), part(params, 'network.encoder.'), { lengths });
  const first = concat(fovea, [hidden.slice(0, 0, 1), hidden.slice(0, 1, 2)]);
  return { ids, lengths, source: output, first };
}

/** How many words the vocabulary lacks, at most in one text. */
const strangersOf = (ids: { data: Int32Array }): number => Math.max(V - 1, ...ids.data) + 1 - V;

/** Every step reads the word that was to be said before; lambda 0 leaves the coverage loss out of the loss. */
function forced(fovea: Fovea, params: Params, reports: readonly Report[], lambda: number): PointerGeneratorResult<Tensor> {
  const { ids, lengths: sourceLengths, source, first } = encode(fovea, params, reports);
  const { ids: targets, lengths: targetLengths } = padded(reports.map(({ target }) => target));
  const decoderInputs = embed(fovea, params, padded(reports.map(({ target }) => [START, ...target.slice(0, -1)])).ids);
  const { output: decoder } = gru(fovea, decoderInputs, part(params, 'network.decoder.'), { initialState: { hidden: first } });
  const inputs = { source, sourceIds: ids, decoder, decoderInputs, targets };
  const options = { sourceLengths, targetLengths, oovCount: strangersOf(ids), lambda };
  return pointerGenerator(fovea, inputs, mechanismPart(params), options);
}

/** The mean loss, with lambda times the coverage loss where there is coverage. */
export const reportLoss =
  (lambda: number): Task<Report>['loss'] =>
  (fovea, params, reports) =>
    meanOf(fovea, forced(fovea, params, reports, lambda).loss);

/** Greedy: every step reads the word that was said before. */
function say(fovea: Fovea, params: Params, reports: readonly Report[]): { chosen: number[]; lead: number[] }[] {
  const { ids, lengths: sourceLengths, source, first } = encode(fovea, params, reports);
  const oovCount = strangersOf(ids);
  let [hidden, coverage, last] = [first, undefined as Tensor | undefined, reports.map(() => START)];
  return range(Math.max(...reports.map(({ target }) => target.length))).map(() => {
    const decoderInputs = embed(fovea, params, { data: Int32Array.from(last), shape: [reports.length, 1] });
    const state = gru(fovea, decoderInputs, part(params, 'network.decoder.'), { initialState: { hidden } });
    const inputs = { source, sourceIds: ids, decoder: state.output, decoderInputs };
    const options = { sourceLengths, oovCount, ...(coverage && { initialState: { coverage } }) };
    const { distribution, state: next } = pointerGenerator(fovea, inputs, mechanismPart(params), options);
    const step = choose(distribution, V + oovCount);
    [hidden, coverage, last] = [state.hidden, next?.coverage, step.chosen];
    return step;
  });
}

/** The weights without coverage, and with it: then the coverage of a step is a feature of its keys. */
const WITHOUT = {
  ...{ Wh: [2 * HIDDEN, ALIGNMENT], Ws: [2 * HIDDEN, ALIGNMENT], v: [ALIGNMENT], battn: [ALIGNMENT] },
  ...{ V: [4 * HIDDEN, PROJECTION], b: [PROJECTION], Vprime: [PROJECTION, V], bprime: [V] },
  ...{ whstar: [2 * HIDDEN], ws: [2 * HIDDEN], wx: [EMBEDDING], bptr: [] },
  'network.embedding.weight': [V, EMBEDDING],
  ...layerShapes('network.encoder', 3, EMBEDDING, HIDDEN, 2),
  ...layerShapes('network.decoder', 3, EMBEDDING, 2 * HIDDEN),
};
const COVERAGE = { wc: [ALIGNMENT] };
const factors = { 'network.embedding.weight': Math.sqrt(EMBEDDING) };

const [RATE, SIZE] = [3e-3, 32];

function steps(fovea: Fovea, weights: Arrays, keep: readonly number[], count: number): Generator<Checkpoint> {
  return train(fovea, reportTask, weights, keep, { rate: RATE, size: SIZE, steps: count });
}

/** Weights with those of the coverage beside them, random ones. */
export const covered = (fovea: Fovea, weights: Arrays): Arrays => ({
  ...weights,
  ...randomWeights(fovea, { shapes: COVERAGE }),
});

/** The weights before coverage, which three trainings begin with. */
let baseline: Arrays | undefined;

export const reportTask: Task<Report> = {
  name: 'pointer_generator',
  facts: {
    task: 'lists the names of a text in order, most of them unknown to the vocabulary',
    function: 'pointerGenerator',
    phases: ['random', 'without coverage', 'without coverage', 'fine-tuned with coverage and its loss'],
    chance: 1 / V,
    vocabulary: VOCABULARY,
  },
  make,
  counts: [20000, 200],
  shapes: WITHOUT,
  factors,
  loss: reportLoss(1),
  predict(fovea, params, reports) {
    const said = say(fovea, params, reports);
    const { loss, weights, coverageLoss } = forced(fovea, params, reports, 0);
    const words = reports.map(({ target }, n) => target.map((_, t) => said[t]!.chosen[n]!));
    const covered = coverageLoss?.data ?? overlap(weights);
    const steps = weights.shape[1]!;
    return {
      right: reports.map(({ target }, n) => target.map((word, t) => words[n]![t] === word)),
      margin: reports.map(({ target }, n) => Math.min(...target.map((_, t) => said[t]!.lead[n]!))),
      loss: [...loss!.data],
      measures: {
        coverageLoss: reports.map(({ target }, n) => target.map((_, t) => covered[n * steps + t]!)),
        repeats: words.map((row) => row.map((word, t) => Number(word !== END && row.indexOf(word) < t))),
      },
    };
  },
  shown: ({ text, report }) => ({ text, report }),
  *checkpoints(fovea) {
    for (const checkpoint of steps(fovea, randomWeights(fovea, reportTask), [0, MIDDLE, BASELINE], BASELINE)) {
      yield checkpoint;
      baseline = checkpoint.weights;
    }
    for (const { weights } of steps(fovea, covered(fovea, baseline!), [FINETUNE], FINETUNE))
      yield { steps: BASELINE + FINETUNE, weights };
  },
  comparisons(fovea) {
    const whole = BASELINE + FINETUNE;
    const [longer] = steps(fovea, baseline!, [FINETUNE], FINETUNE);
    const [throughout] = steps(fovea, covered(fovea, randomWeights(fovea, reportTask)), [whole], whole);
    return {
      'the same steps without coverage': { steps: whole, weights: longer!.weights },
      'with coverage from the first step': { steps: whole, weights: throughout!.weights },
    };
  },
};

/** Σ_i min(a_ti, c_ti) of weights [B, T, n], where the model itself has no coverage. */
function overlap({ data, shape }: Tensor): Float32Array {
  const [batch, steps, n] = shape as [number, number, number];
  const result = new Float32Array(batch * steps);
  for (let b = 0; b < batch; b++) {
    const coverage = new Float32Array(n);
    for (let t = 0; t < steps; t++)
      for (let i = 0; i < n; i++) {
        const weight = data[(b * steps + t) * n + i]!;
        result[b * steps + t]! += Math.min(weight, coverage[i]!);
        coverage[i]! += weight;
      }
  }
  return result;
}
