/** Key-value-predict attention beats key-value attention beats attention of one part: a language model of a small language. */
import type { Fovea, Tensor } from 'fovea';
import { keyValuePredict, randomParams, type KeyValuePredictResult } from 'fovea/mechanisms';
import { embedding } from 'fovea/ops';
import { adam, Trainer, warmupLinear } from 'fovea/train';
import { layerShapes, dispose, meanOf, mechanismPart, tensors, type Params } from '../train/task.ts';
import { range, Random } from '../train/examples.ts';

const WOMEN = ['Mary', 'Anna', 'Lucy', 'Emma'];
const MEN = ['Tom', 'John', 'Peter', 'Paul'];
const VERBS = ['likes', 'wants', 'buys', 'sells'];
const THINGS = ['tea', 'milk', 'bread', 'rice', 'soup', 'fish', 'cake', 'salt'];
const FILLERS = ['often', 'today', 'again', 'really'];
const VOCABULARY = [...WOMEN, ...MEN, ...VERBS, ...THINGS, ...FILLERS, 'and', 'she', 'he', 'eats', '.', 'start'];
const START = VOCABULARY.indexOf('start');
/** A state's numbers in all: of each variant as many. */
const [STATE, EMBEDDING, LENGTH, MEMORY, BATCH, STEPS, TESTED] = [12, 16, 40, 10, 32, 300, 128];
const VARIANTS = { attention: 1, keyValue: 2, keyValuePredict: 3 } as const;
type Variant = keyof typeof VARIANTS;

/** Sentences such as `Mary often likes tea and she eats tea .`: who she is, and what she eats, stand some words before. */
function draw(random: Random, count: number): Int32Array {
  const text = (): string[] => {
    const words: string[] = [];
    while (words.length < LENGTH) {
      const isWoman = random.uniform() < 0.5;
      const thing = random.choose(THINGS);
      const fillers = (): string[] => range(random.integer(0, 2)).map(() => random.choose(FILLERS));
      words.push(random.choose(isWoman ? WOMEN : MEN), ...fillers(), random.choose(VERBS), thing);
      words.push('and', isWoman ? 'she' : 'he', ...fillers(), 'eats', thing, '.');
    }
    return words.slice(0, LENGTH);
  };
  return Int32Array.from(range(count).flatMap(text), (word) => VOCABULARY.indexOf(word));
}

function model(fovea: Fovea, params: Params, variant: Variant, words: Int32Array): KeyValuePredictResult<Tensor> {
  const shape = [words.length / LENGTH, LENGTH];
  const read = words.map((_, n) => (n % LENGTH === 0 ? START : words[n - 1]!));
  const embeddings = embedding(fovea, { data: read, shape }, params['network.embedding.weight']!);
  const inputs = { embeddings, targets: { data: words, shape } };
  return keyValuePredict(fovea, inputs, mechanismPart(params), { variant, L: MEMORY });
}

/** The loss of held-out texts, and how many words back attention looks, the mean by its weights. */
function trained(fovea: Fovea, variant: Variant, seed: number): { loss: number; back: number } {
  const [k, D, A, V] = [STATE / VARIANTS[variant], STATE, 16, VOCABULARY.length];
  const shapes = {
    ...{ WY: [k, A], Wh: [k, A], w: [A], Wr: [k, D], Wx: [k, D], Wstar: [D, V], b: [V] },
    ...layerShapes('rnn', 4, EMBEDDING, STATE),
    'network.embedding.weight': [V, EMBEDDING],
  };
  const params = tensors(fovea, randomParams(fovea, shapes, { seed }));
  const random = new Random(2 * seed);
  const trainer = new Trainer<Int32Array>(params, {
    loss: (words) => meanOf(fovea, model(fovea, params, variant, words).loss),
    optimizer: adam({ learningRate: warmupLinear(1e-2, { warmup: 50, steps: STEPS, final: 5e-4 }) }),
    clipNorm: 1,
  });
  for (let step = 0; step < STEPS; step++) trainer.step(draw(random, BATCH));
  trainer.dispose();
  const { loss, weights } = fovea.scope(() => {
    const result = model(fovea, params, variant, draw(new Random(1), TESTED));
    return { loss: result.loss!.toArray().data, weights: result.weights.toArray().data };
  });
  dispose(params);
  let [back, total] = [0, 0];
  weights.forEach((weight, n) => {
    back += weight * ((Math.floor(n / LENGTH) % LENGTH) - (n % LENGTH));
    total += weight;
  });
  return { loss: loss.reduce((sum, one) => sum + one, 0) / TESTED, back: back / total };
}

export function run(fovea: Fovea): void {
  console.log('| variant | loss, seeds 1 to 3 | words back |\n|---|---|---|');
  for (const variant of Object.keys(VARIANTS) as Variant[]) {
    const runs = [1, 2, 3].map((seed) => trained(fovea, variant, seed));
    const losses = runs.map(({ loss }) => loss.toFixed(3)).join(' ');
    console.log(`| ${variant} | ${losses} | ${runs.map(({ back }) => back.toFixed(1)).join(' ')} |`);
  }
}
