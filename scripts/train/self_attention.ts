/** Two layers of self-attention continue a repeated phrase (induction): a head finds what followed the word the time before. */
import type { Fovea, Tensor } from 'fovea';
import { add, embedding, logSoftmax, matmul, softmax } from 'fovea/ops';
import { crossEntropy } from 'fovea/train';
import { padded, range, type Random } from './examples.ts';
import { choose } from './figures.ts';
import { randomWeights, train, type Params, type Task } from './task.ts';

const [WORDS, LONGEST] = [20, 20];
const [WIDTH, HEADS] = [32, 2];
const KEEP = [0, 250, 500, 1600];

interface Sequence {
  /** The words before the phrase comes once more. */
  readonly key: string;
  readonly words: readonly number[];
  /** How many words are the phrase. */
  readonly repeated: number;
}

/** 5 to 12 different words, then a phrase of 3 to 7 of them once more. Its last word is to be told. */
function make(random: Random): Sequence {
  const first = random.sample(range(WORDS), random.integer(5, 12));
  const repeated = random.integer(3, Math.min(7, first.length));
  const start = random.integer(0, first.length - repeated);
  return { key: first.join(' '), words: [...first, ...first.slice(start, start + repeated)], repeated };
}

/** x = embedding + positions; x = x + attention(x) in each layer; logits = x·head: [B, T, words]. */
function logits(fovea: Fovea, params: Params, read: { data: Int32Array; shape: number[] }): Tensor {
  const tokens = read.shape[1]!;
  let x = add(fovea, embedding(fovea, read, params['embedding']!), params['positions']!.slice(0, 0, tokens));
  for (const layer of [0, 1]) {
    const rows = params[`layers.${layer}.in_proj_weight`]!;
    const [Wq, Wk, Wv] = [0, 1, 2].map((n) => rows.slice(0, n * WIDTH, (n + 1) * WIDTH)) as [Tensor, Tensor, Tensor];
    const weights = { Wq, Wk, Wv, Wo: params[`layers.${layer}.out_proj.weight`]! };
    const options = { heads: HEADS, weightLayout: 'outIn', causal: true } as const;
    x = add(fovea, x, fovea.multiHeadAttention(x, x, x, weights, options).output);
  }
  return matmul(fovea, x, params['head']!);
}

/** All words but the last, as they are read, and the word to be told at each place: -1 where no repetition tells it. */
function batchOf(sequences: readonly Sequence[]) {
  const { ids, lengths } = padded(sequences.map(({ words }) => words.slice(0, -1)));
  const tokens = ids.shape[1]!;
  const targets = new Int32Array(ids.data.length).fill(-1);
  sequences.forEach(({ words, repeated }, b) => {
    for (let t = words.length - repeated; t < lengths[b]!; t++) targets[b * tokens + t] = words[t + 1]!;
  });
  return { ids, lengths, targets, tokens };
}

export const inductionTask: Task<Sequence> = {
  name: 'self_attention',
  facts: {
    task: 'says the last word of a sequence whose last 3 to 7 words are a phrase once more; no other word is there twice',
    function: 'MultiHeadAttention of fovea/nn, two layers',
    heads: HEADS,
    chance: 1 / WORDS,
  },
  make,
  counts: [20000, 200],
  shapes: {
    ...{ embedding: [WORDS, WIDTH], positions: [LONGEST, WIDTH] },
    ...{ 'layers.0.in_proj_weight': [3 * WIDTH, WIDTH], 'layers.0.out_proj.weight': [WIDTH, WIDTH] },
    ...{ 'layers.1.in_proj_weight': [3 * WIDTH, WIDTH], 'layers.1.out_proj.weight': [WIDTH, WIDTH] },
    head: [WIDTH, WORDS],
  },
  factors: { embedding: Math.sqrt(WORDS), positions: Math.sqrt(LONGEST) },
  loss(fovea, params, sequences) {
    const { ids, targets } = batchOf(sequences);
    return crossEntropy(
      fovea,
      logits(fovea, params, ids),
      { data: targets, shape: ids.shape },
      { ignoreIndex: -1, weights: sharesOf(targets, ids.shape[1]!) },
    );
  },
  predict(fovea, params, sequences) {
    const { ids, lengths, targets, tokens } = batchOf(sequences);
    const said = logits(fovea, params, ids);
    const { chosen, lead } = choose(softmax(fovea, said), WORDS);
    const logP = logSoftmax(fovea, said).data;
    const last = lengths.map((length, b) => b * tokens + length - 1);
    return {
      right: sequences.map(({ words }, b) => [chosen[last[b]!] === words.at(-1)]),
      margin: last.map((place) => lead[place]!),
      loss: sequences.map(({ repeated }, b) => {
        const told = range(repeated - 1).map((back) => last[b]! - back);
        return told.reduce((sum, place) => sum - logP[place * WORDS + targets[place]!]!, 0) / told.length;
      }),
    };
  },
  shown: ({ words, repeated }) => ({ words, repeated }),
  checkpoints: (fovea) =>
    train(fovea, inductionTask, randomWeights(fovea, inductionTask), KEEP, { rate: 3e-3, size: 32, steps: 1600 }),
};

/** Weights of the places: those of a sequence that are told have 1 together. */
function sharesOf(targets: Int32Array, tokens: number) {
  const shares = new Float32Array(targets.length);
  for (let from = 0; from < targets.length; from += tokens) {
    const told = range(tokens).filter((t) => targets[from + t]! >= 0);
    for (const t of told) shares[from + t] = 1 / told.length;
  }
  return { data: shares, shape: [targets.length / tokens, tokens] };
}
