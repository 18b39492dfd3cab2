/** A key-value memory network answers from two facts: the ball is with Mary, Mary is in the kitchen. */
import type { Fovea, NDArray } from 'fovea';
import { keyValueMemory, type KeyValueMemoryResult } from 'fovea/mechanisms';
import { bags, type Random } from './examples.ts';
import { oneDecision } from './figures.ts';
import { meanOf, randomWeights, train, type Params, type Task } from './task.ts';

const PEOPLE = ['Mary', 'Tom', 'Anna', 'John', 'Lucy', 'Peter', 'Emma', 'Paul'];
const THINGS = ['ball', 'book', 'apple', 'key', 'cup', 'hat', 'lamp', 'coin'];
const PLACES = ['kitchen', 'garden', 'hall', 'office', 'bathroom', 'park', 'bedroom', 'school'];
const FEATURES = [...PEOPLE, ...THINGS, ...PLACES, 'with', 'in', 'where'];
const [WIDTH, HOPS] = [20, 2];
const KEEP = [0, 60, 120, 400];

interface Story {
  /** The facts. */
  readonly key: string;
  /** `ball with Mary`, `Mary in kitchen`. */
  readonly facts: readonly (readonly [string, string, string])[];
  readonly thing: string;
  readonly answer: number;
}

/** 3 to 6 things, each with a person, and where these are; the facts in any order. */
function make(random: Random): Story {
  const count = random.integer(3, 6);
  const [people, things] = [random.sample(PEOPLE, count), random.sample(THINGS, count)];
  const places = people.map(() => random.choose(PLACES));
  const owners = things.map((thing, n): [string, string, string] => [thing, 'with', people[n]!]);
  const stays = people.map((person, n): [string, string, string] => [person, 'in', places[n]!]);
  const facts = random.shuffle([...owners, ...stays]);
  const asked = random.integer(0, count - 1);
  return { key: facts.flat().join(' '), facts, thing: things[asked]!, answer: PLACES.indexOf(places[asked]!) };
}

function recall(fovea: Fovea, params: Params, stories: readonly Story[]): KeyValueMemoryResult<NDArray> {
  const question = bags(
    FEATURES,
    stories.map(({ thing }) => [['where', thing]]),
  );
  const inputs = {
    question: { data: question.data, shape: [stories.length, FEATURES.length] },
    keys: bags(
      FEATURES,
      stories.map(({ facts }) => facts.map(([subject, relation]) => [subject, relation])),
    ),
    values: bags(
      FEATURES,
      stories.map(({ facts }) => facts.map(([, , value]) => [value])),
    ),
    candidates: bags(
      FEATURES,
      stories.map(() => PLACES.map((place) => [place])),
    ),
    answer: Int32Array.from(stories, ({ answer }) => answer),
  };
  return keyValueMemory(fovea, inputs, params, { memoryLengths: stories.map(({ facts }) => facts.length) });
}

export const storyTask: Task<Story> = {
  name: 'key_value_memory',
  facts: {
    task: 'says where a thing is, by two facts: who has it, and where they are',
    function: 'keyValueMemory',
    chance: 1 / PLACES.length,
    features: FEATURES,
    candidates: PLACES,
  },
  make,
  counts: [10000, 200],
  shapes: { A: [FEATURES.length, WIDTH], B: [FEATURES.length, WIDTH], R: [HOPS, WIDTH, WIDTH] },
  factors: { A: Math.sqrt(FEATURES.length) / 3, B: Math.sqrt(FEATURES.length) / 3, R: Math.sqrt(HOPS) },
  loss: (fovea, params, stories) => meanOf(fovea, recall(fovea, params, stories).loss),
  predict(fovea, params, stories) {
    const { probability, loss } = recall(fovea, params, stories);
    const answers = stories.map(({ answer }) => answer);
    return oneDecision(probability, PLACES.length, answers, loss!);
  },
  shown: ({ facts, thing, answer }) => ({ facts, thing, answer }),
  checkpoints: (fovea) => train(fovea, storyTask, randomWeights(fovea, storyTask), KEEP, { rate: 5e-3, size: 128, steps: 400 }),
};
