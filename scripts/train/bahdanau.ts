/** Bahdanau's encoder-decoder reverses words: the alignment becomes the anti-diagonal. */
import type { Fovea, Tensor } from 'fovea';
import { bahdanau } from 'fovea/mechanisms';
import { embedding, gru } from 'fovea/ops';
import { padded, range, type Random } from './examples.ts';
import { choose } from './figures.ts';
import { layerShapes, meanOf, mechanismPart, part, randomWeights, train, type Params, type Task } from './task.ts';

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
const [END, START] = [26, 27];
const [EMBEDDING, HIDDEN, STATE, ALIGNMENT, MAXOUT] = [12, 16, 32, 16, 16];
const KEEP = [0, 120, 300, 1000];

interface Word {
  /** The word. */
  readonly key: string;
  readonly source: readonly number[];
  readonly target: readonly number[];
}

function make(random: Random): Word {
  const source = range(random.integer(3, 8)).map(() => random.integer(0, LETTERS.length - 1));
  return { key: source.map((n) => LETTERS[n]).join(''), source, target: [...source.slice().reverse(), END] };
}

function embed(fovea: Fovea, params: Params, ids: { data: Int32Array; shape: number[] }): Tensor {
  return embedding(fovea, ids, params['network.embedding.weight']!);
}

function encode(fovea: Fovea, params: Params, words: readonly Word[]): { source: Tensor; lengths: number[] } {
  const { ids, lengths } = padded(words.map(({ source }) => source));
  const { output } = gru(fovea, embed(fovea, params, ids), part(params, 'network.encoder.'), { lengths });
  return { source: output, lengths };
}

/** The loss of each word, each step reading the letter that was to be written before. */
function losses(fovea: Fovea, params: Params, words: readonly Word[]): Tensor {
  const { source, lengths: sourceLengths } = encode(fovea, params, words);
  const { ids: targets, lengths: targetLengths } = padded(words.map(({ target }) => target));
  const read = padded(words.map(({ target }) => [START, ...target.slice(0, -1)])).ids;
  const inputs = { source, decoderInputs: embed(fovea, params, read), targets };
  return bahdanau(fovea, inputs, mechanismPart(params), { sourceLengths, targetLengths }).loss!;
}

export const wordTask: Task<Word> = {
  name: 'bahdanau',
  facts: {
    task: 'reverses the letters of a word of 3 to 8 letters, then says the end',
    function: 'bahdanau',
    chance: 1 / 27,
    vocabulary: [...LETTERS, 'end', 'start'],
  },
  make,
  counts: [20000, 200],
  shapes: {
    ...{ Wa: [STATE, ALIGNMENT], Ua: [2 * HIDDEN, ALIGNMENT], va: [ALIGNMENT], ba: [ALIGNMENT] },
    ...{ W: [EMBEDDING, STATE], Wz: [EMBEDDING, STATE], Wr: [EMBEDDING, STATE] },
    ...{ U: [STATE, STATE], Uz: [STATE, STATE], Ur: [STATE, STATE] },
    ...{ C: [2 * HIDDEN, STATE], Cz: [2 * HIDDEN, STATE], Cr: [2 * HIDDEN, STATE] },
    ...{ b: [STATE], bz: [STATE], br: [STATE], Ws: [HIDDEN, STATE], bs: [STATE] },
    ...{ Uo: [STATE, 2 * MAXOUT], Vo: [EMBEDDING, 2 * MAXOUT], Co: [2 * HIDDEN, 2 * MAXOUT], bt: [2 * MAXOUT] },
    ...{ Wo: [MAXOUT, END + 1], bo: [END + 1], 'network.embedding.weight': [START + 1, EMBEDDING] },
    ...layerShapes('network.encoder', 3, EMBEDDING, HIDDEN, 2),
  },
  factors: { 'network.embedding.weight': Math.sqrt(EMBEDDING) },
  loss: (fovea, params, words) => meanOf(fovea, losses(fovea, params, words)),
  predict(fovea, params, words) {
    const { source, lengths: sourceLengths } = encode(fovea, params, words);
    const letters = Math.max(...sourceLengths);
    let [last, state] = [words.map(() => START), undefined as { s: Tensor } | undefined];
    const steps = range(letters + 1).map(() => {
      const decoderInputs = embed(fovea, params, { data: Int32Array.from(last), shape: [words.length, 1] });
      const options = { sourceLengths, initialState: state };
      const result = bahdanau(fovea, { source, decoderInputs }, mechanismPart(params), options);
      const { chosen, lead } = choose(result.probability!, END + 1);
      [last, state] = [chosen, result.state];
      return { chosen, lead, places: choose(result.weights, letters).chosen };
    });
    return {
      right: words.map(({ target }, n) => target.map((letter, t) => steps[t]!.chosen[n] === letter)),
      margin: words.map(({ target }, n) => Math.min(...target.map((_, t) => steps[t]!.lead[n]!))),
      loss: [...losses(fovea, params, words).data],
      measures: {
        antiDiagonal: words.map((word, n) =>
          word.source.map((_, t) => Number(steps[t]!.places[n] === word.source.length - 1 - t)),
        ),
      },
    };
  },
  shown: ({ key }) => ({ word: key }),
  checkpoints: (fovea) => train(fovea, wordTask, randomWeights(fovea, wordTask), KEEP, { rate: 3e-3, size: 32, steps: 1000 }),
};
