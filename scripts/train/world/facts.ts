/** The small world: its people, things and places, and what a story has told of them. */

export const PEOPLE = ['anna', 'clara', 'mia', 'nora', 'ben', 'leo', 'max', 'tom'] as const;
export const ANIMALS = ['bird', 'cat', 'dog', 'rabbit'] as const;
export const THINGS = ['ball', 'book', 'drum', 'hat', 'key', 'kite', 'lamp', 'letter'] as const;
export const FOODS = ['apple', 'cookie', 'egg', 'nut', 'pear'] as const;
export const PLACES = ['barn', 'forest', 'garden', 'house', 'kitchen', 'library', 'park', 'tower'] as const;
export const COLORS = ['blue', 'green', 'red', 'white', 'yellow'] as const;
export const DAYTIMES = ['morning', 'afternoon', 'evening'] as const;

export type Person = (typeof PEOPLE)[number];
export type Animal = (typeof ANIMALS)[number];
export type Thing = (typeof THINGS)[number];
export type Food = (typeof FOODS)[number];
export type Place = (typeof PLACES)[number];
export type Color = (typeof COLORS)[number];
export type Daytime = (typeof DAYTIMES)[number];

/** The largest number that is counted to. */
export const MOST = 9;

export const isWoman = (person: Person): boolean => PEOPLE.indexOf(person) < 4;

/** Something that the story has told, and the words by which: their places in the story, the earliest first. */
export interface Told<Value> {
  readonly value: Value;
  readonly because: readonly number[];
}

/** Who has a thing, or the place where it lies. */
export type Whereabouts =
  | { readonly holder: Person; readonly because: readonly number[] }
  | { readonly holder: null; readonly place: Told<Place>; readonly because: readonly number[] };

export interface OwnedThing {
  readonly thing: Thing;
  readonly color: Told<Color> | null;
  readonly where: Whereabouts;
  /** The place of the word that named it first. */
  readonly named: number;
}

export interface Wish {
  readonly person: Person;
  readonly thing: Thing;
  /** Whether the story has said how it feels: as long as the wish stands, and after it has come true. */
  readonly isFelt: boolean;
  readonly isFulfilled: boolean;
  readonly because: readonly number[];
}

/** All that a story has told so far. */
export interface Facts {
  /** How many sentences there are. */
  readonly sentences: number;
  /** The first person and place. */
  readonly start: { readonly person: Person; readonly place: Told<Place> } | null;
  readonly people: ReadonlyMap<Person, Told<Place>>;
  /** The places of the names that were said last. */
  readonly named: ReadonlyMap<Person, number>;
  readonly pet: {
    readonly animal: Animal;
    readonly owner: Person;
    readonly place: Place;
    readonly because: readonly number[];
  } | null;
  readonly things: readonly OwnedThing[];
  readonly stock: {
    readonly owner: Person;
    readonly food: Food;
    readonly count: Told<number>;
    /** Whether the count was said since it changed. */
    readonly isSaid: boolean;
    readonly named: number;
  } | null;
  readonly wish: Wish | null;
  /** The person of the last sentence: a pronoun means them, where no one else could be meant. */
  readonly topic: Person | null;
  /** The last event's type. */
  readonly last: string | null;
  readonly part: 'story' | 'return' | 'end' | 'questions' | 'over';
  /** Questions that were asked at the end. */
  readonly asked: readonly string[];
}

export const NOTHING: Facts = {
  sentences: 0,
  start: null,
  people: new Map(),
  named: new Map(),
  pet: null,
  things: [],
  stock: null,
  wish: null,
  topic: null,
  last: null,
  part: 'story',
  asked: [],
};

/** Where a thing is, and the words that tell it: with whoever has it. */
export function placeOf(facts: Facts, { where }: OwnedThing): Told<Place> {
  if (where.holder === null)
    return { value: where.place.value, because: [...where.because, ...where.place.because].sort(ascending) };
  const { value, because } = facts.people.get(where.holder)!;
  return { value, because: [...new Set([...where.because, ...because])].sort(ascending) };
}

export const ascending = (a: number, b: number): number => a - b;
