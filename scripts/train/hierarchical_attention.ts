/** A hierarchical attention network judges documents: the sentence with `overall` decides, by its one word that praises or blames. */
import type { Fovea, Tensor } from 'fovea';
import { hierarchicalAttention, type HierarchicalAttentionResult } from 'fovea/mechanisms';
import { embedding } from 'fovea/ops';
import { range, type Random } from './examples.ts';
import { oneDecision } from './figures.ts';
import { layerShapes, meanOf, mechanismPart, randomWeights, train, type Params, type Task } from './task.ts';

const POSITIVE = ['good', 'great', 'lovely', 'superb', 'happy', 'clean', 'fresh', 'kind'];
const NEGATIVE = ['bad', 'awful', 'ugly', 'boring', 'sad', 'dirty', 'stale', 'rude'];
const NEUTRAL = [
  ...['the', 'a', 'was', 'is', 'room', 'food', 'film', 'book', 'hotel', 'waiter', 'we', 'and', 'very', 'there', 'in', 'city'],
];
const VOCABULARY = [...POSITIVE, ...NEGATIVE, ...NEUTRAL, 'overall'];
const [SENTENCES, WORDS] = [4, 6];
const [EMBEDDING, HIDDEN, ALIGNMENT] = [8, 6, 8];
const KEEP = [0, 60, 120, 500];

interface Review {
  readonly key: string;
  /** [sentences][words]. */
  readonly words: readonly (readonly number[])[];
  readonly positive: number;
  readonly deciding: number;
}

/** Each sentence has one word that praises or blames; one sentence has `overall`, and decides. */
function make(random: Random): Review {
  const [deciding, positive] = [random.integer(0, SENTENCES - 1), random.integer(0, 1)];
  const sentences = range(SENTENCES).map((n) => {
    const praises = n === deciding ? positive : random.integer(0, 1);
    const judging = random.choose(praises ? POSITIVE : NEGATIVE);
    const neutral = range(WORDS - 2).map(() => random.choose(NEUTRAL));
    return random.shuffle([...neutral, judging, n === deciding ? 'overall' : random.choose(NEUTRAL)]);
  });
  const words = sentences.map((sentence) => sentence.map((word) => VOCABULARY.indexOf(word)));
  return { key: sentences.flat().join(' '), words, positive, deciding };
}

function judge(fovea: Fovea, params: Params, reviews: readonly Review[]): HierarchicalAttentionResult<Tensor> {
  const ids = Int32Array.from(reviews.flatMap(({ words }) => words.flat()));
  const table = params['network.embedding.weight']!;
  const words = embedding(fovea, { data: ids, shape: [reviews.length, SENTENCES, WORDS] }, table);
  const target = Int32Array.from(reviews, ({ positive }) => positive);
  return hierarchicalAttention(fovea, { words, target }, mechanismPart(params));
}

export const reviewTask: Task<Review> = {
  name: 'hierarchical_attention',
  facts: {
    task: 'judges 4 sentences of 6 words: the one with `overall` decides, by its word that praises or blames',
    function: 'hierarchicalAttention',
    chance: 0.5,
    vocabulary: VOCABULARY,
    classes: ['negative', 'positive'],
  },
  make,
  counts: [10000, 200],
  shapes: {
    ...layerShapes('word.gru', 3, EMBEDDING, HIDDEN, 2),
    ...{ 'word.Ww': [2 * HIDDEN, ALIGNMENT], 'word.bw': [ALIGNMENT], 'word.uw': [ALIGNMENT] },
    ...layerShapes('sentence.gru', 3, 2 * HIDDEN, HIDDEN, 2),
    ...{ 'sentence.Ws': [2 * HIDDEN, ALIGNMENT], 'sentence.bs': [ALIGNMENT], 'sentence.us': [ALIGNMENT] },
    ...{ Wc: [2 * HIDDEN, 2], bc: [2], 'network.embedding.weight': [VOCABULARY.length, EMBEDDING] },
  },
  factors: { 'network.embedding.weight': Math.sqrt(EMBEDDING) },
  loss: (fovea, params, reviews) => meanOf(fovea, judge(fovea, params, reviews).loss),
  predict(fovea, params, reviews) {
    const { probability, sentenceWeights, loss } = judge(fovea, params, reviews);
    const answers = reviews.map(({ positive }) => positive);
    const deciding = reviews.map((review, n) => [sentenceWeights.data[n * SENTENCES + review.deciding]!]);
    return { ...oneDecision(probability, 2, answers, loss!), measures: { decidingWeight: deciding } };
  },
  shown: ({ words, positive, deciding }) => ({ words, positive, deciding }),
  checkpoints: (fovea) =>
    train(fovea, reviewTask, randomWeights(fovea, reviewTask), KEEP, { rate: 1e-2, size: 32, steps: 500 }),
};
