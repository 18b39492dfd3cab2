/** The attention-over-attention reader fills a blank: who likes tea? */
import { attentionOverAttention, type AttentionOverAttentionResult } from 'fovea/mechanisms';
import type { Fovea } from 'fovea';
import { log } from 'fovea/ops';
import { padded, range, type Random } from './examples.ts';
import { choose } from './figures.ts';
import { layerShapes, meanOf, randomWeights, train, type Params, type Task } from './task.ts';

const NAMES = ['Mary', 'Tom', 'Anna', 'John', 'Lucy', 'Peter', 'Emma', 'Paul'];
const VERBS = ['likes', 'wants', 'buys'];
const THINGS = ['tea', 'milk', 'bread', 'rice', 'soup', 'fish', 'cake', 'salt'];
const VOCABULARY = [...NAMES, ...VERBS, ...THINGS, 'X', '.'];
const [EMBEDDING, HIDDEN] = [12, 16];
const KEEP = [0, 100, 250, 1000];

interface Blank {
  /** The document. */
  readonly key: string;
  readonly document: readonly number[];
  readonly query: readonly number[];
  readonly answer: number;
}

/** Two to five sentences `Mary likes tea .`, and the query `X likes tea`; two may have one verb, but not one thing. */
function make(random: Random): Blank {
  const count = random.integer(2, 5);
  const [names, things] = [random.sample(NAMES, count), random.sample(THINGS, count)];
  const facts = names.map((name, n) => [name, random.choose(VERBS), things[n]!] as const);
  const asked = facts[random.integer(0, count - 1)]!;
  const document = facts.flatMap((fact) => [...fact, '.']);
  const ids = (words: readonly string[]): number[] => words.map((word) => VOCABULARY.indexOf(word));
  return {
    key: document.join(' '),
    document: ids(document),
    query: ids(['X', asked[1], asked[2]]),
    answer: VOCABULARY.indexOf(asked[0]),
  };
}

function read(fovea: Fovea, params: Params, blanks: readonly Blank[]): AttentionOverAttentionResult {
  const { ids, lengths } = padded(blanks.map(({ document }) => document));
  const query = padded(blanks.map((blank) => blank.query)).ids;
  const answer = Int32Array.from(blanks, (blank) => blank.answer);
  return attentionOverAttention(fovea, { document: ids, query, answer }, params, { documentLengths: lengths });
}

export const readerTask: Task<Blank> = {
  name: 'attention_over_attention',
  facts: {
    task: 'says who X is: `Mary likes tea . Tom wants bread .`, `X wants bread`',
    function: 'attentionOverAttention',
    chance: (1 / 2 + 1 / 3 + 1 / 4 + 1 / 5) / 4,
    vocabulary: VOCABULARY,
  },
  make,
  counts: [20000, 200],
  shapes: {
    We: [VOCABULARY.length, EMBEDDING],
    ...layerShapes('document', 3, EMBEDDING, HIDDEN, 2),
    ...layerShapes('query', 3, EMBEDDING, HIDDEN, 2),
  },
  factors: { We: Math.sqrt(VOCABULARY.length) },
  loss: (fovea, params, blanks) => meanOf(fovea, read(fovea, params, blanks).loss),
  predict(fovea, params, blanks) {
    const { words, probability, alpha, averageBeta, loss } = read(fovea, params, blanks);
    const width = words.shape[1]!;
    const { chosen, lead } = choose(probability, width);
    const [length, asked] = alpha.shape.slice(1) as [number, number];
    /** The answer's probability with every query word counted alike, that is β = 1/|Q|. */
    const uniform = ({ document, answer }: Blank, n: number): number => {
      const places = range(document.length).filter((i) => document[i] === answer);
      const weights = places.flatMap((i) => [...alpha.data.subarray((n * length + i) * asked).subarray(0, asked)]);
      return weights.reduce((sum, weight) => sum + weight, 0) / asked;
    };
    return {
      right: blanks.map(({ answer }, n) => [words.data[n * width + chosen[n]!] === answer]),
      margin: lead,
      loss: [...loss!.data],
      measures: {
        uniformBetaLoss: [...log(fovea, { data: Float32Array.from(blanks, uniform), shape: [blanks.length] }).data].map(
          (value) => [-value],
        ),
        blankBeta: blanks.map((_, n) => [averageBeta.data[n * asked]!]),
      },
    };
  },
  shown: ({ document, query, answer }) => ({ document, query, answer }),
  checkpoints: (fovea) =>
    train(fovea, readerTask, randomWeights(fovea, readerTask), KEEP, { rate: 3e-3, size: 64, steps: 1000 }),
};
