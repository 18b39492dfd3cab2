/** Slots of sentences: what each stands for, and where only one word fits, why. All languages share them. */
import type { Event } from './events.ts';
import {
  placeOf,
  type Animal,
  type Color,
  type Daytime,
  type Facts,
  type Food,
  type OwnedThing,
  type Person,
  type Place,
  type Thing,
} from './facts.ts';

/** Why a word is what it is, where only one fits. */
export type Kind = 'pronoun' | 'place' | 'holder' | 'count' | 'agreement' | 'answer' | 'repetition' | 'feeling';

export interface Slot {
  readonly person?: Person;
  readonly thing?: Thing;
  readonly food?: Food;
  readonly place?: Place;
  readonly color?: Color;
  readonly animal?: Animal;
  readonly daytime?: Daytime;
  readonly number?: number;
  readonly kind?: Kind;
  /** The words by which it is known: their places in the story. */
  readonly because?: readonly number[];
}

export type Slots = Readonly<Record<string, Slot>>;

/** The kinds of sentences: a language has templates for each. */
export type SentenceType =
  | Exclude<Event['type'], 'own' | 'stock' | 'askFor' | 'end'>
  | `own${'' | 'Colored'}`
  | `gain${'' | 'Colored'}`
  | ('stock' | 'gainStock')
  | `ask${'Place' | 'Answerer' | 'Other'}`
  | `${'still' | 'again'}${'' | 'Self' | 'Other'}`;

export function sentenceType(event: Event, facts: Facts): SentenceType {
  switch (event.type) {
    case 'own':
      return `${isBeginning(facts) ? 'own' : 'gain'}${event.color === null ? '' : 'Colored'}`;
    case 'stock':
      return isBeginning(facts) ? 'stock' : 'gainStock';
    case 'askFor': {
      const { holder } = event.thing.where;
      return holder === null ? 'askPlace' : holder === event.other ? 'askAnswerer' : 'askOther';
    }
    case 'end': {
      const { person, place } = facts.start!;
      const held = event.holder === null ? '' : event.holder === person ? 'Self' : 'Other';
      return `${facts.people.get(person) === place ? 'still' : 'again'}${held}`;
    }
    default:
      return event.type;
  }
}

/** Whether people are said to have things, as later they find them. */
const isBeginning = ({ sentences }: Facts): boolean => sentences === 2;

export function slotsOf(event: Event, facts: Facts): Slots {
  const start = facts.start;
  const named = (person: Person): readonly number[] => [facts.named.get(person)!];
  const owned = (thing: Thing): OwnedThing => facts.things.find((one) => one.thing === thing)!;
  const known = ({ thing, named: first }: OwnedThing): Slot => ({ thing, kind: 'repetition', because: [first] });
  const where = (thing: OwnedThing, kind: Kind): Slot => {
    const { value, because } = placeOf(facts, thing);
    return { place: value, kind, because };
  };
  const at = (person: Person, kind: Kind): Slot => {
    const { value, because } = facts.people.get(person)!;
    return { place: value, kind, because };
  };
  const holderOf = (thing: OwnedThing, kind: Kind): Slot =>
    thing.where.holder === null ? {} : { person: thing.where.holder, kind, because: thing.where.because };
  switch (event.type) {
    case 'open':
      return { who: { person: event.who }, place: { place: event.place }, daytime: { daytime: event.daytime } };
    case 'join': {
      const { person, place } = start!;
      return {
        who: { person: event.who },
        other: { person },
        here: { place: place.value, kind: 'place', because: place.because },
      };
    }
    case 'pet':
      return { who: { person: event.who }, animal: { animal: event.animal } };
    case 'own':
      return {
        who: { person: event.who },
        thing: { thing: event.thing },
        ...(event.color && { color: { color: event.color } }),
      };
    case 'stock':
      return { who: { person: event.who }, food: { food: event.food, number: event.count }, number: { number: event.count } };
    case 'want':
      return { who: { person: event.who }, thing: known(owned(event.thing)) };
    case 'sad':
    case 'happy':
      return {
        ...{ who: { person: event.who }, thing: known(event.thing), holder: holderOf(event.thing, 'holder') },
        feeling: { kind: 'feeling', because: facts.wish!.because },
      };
    case 'give':
      return { who: { person: event.who }, other: { person: event.other }, thing: known(owned(event.thing)) };
    case 'move':
      return { who: { person: event.who }, place: { place: event.place } };
    case 'greet':
      return {
        who: { person: event.who },
        other: { person: event.other, kind: 'repetition', because: named(event.other) },
        again: { person: event.who, kind: 'repetition', because: named(event.who) },
      };
    case 'moveTogether':
    case 'together':
      return {
        ...{ who: { person: event.who }, other: { person: event.other } },
        agreement: { kind: 'agreement', because: [...named(event.who), ...named(event.other)] },
        ...(event.type === 'moveTogether' ? { place: { place: event.place } } : { here: at(event.who, 'place') }),
      };
    case 'follow':
      return { who: { person: event.who }, animal: { animal: event.animal, kind: 'repetition', because: facts.pet!.because } };
    case 'leave':
      return { who: { person: event.who }, thing: known(event.thing), place: at(event.who, 'place') };
    case 'find':
      return { who: { person: event.who }, thing: known(event.thing), here: where(event.thing, 'place') };
    case 'askFor':
      return {
        ...{ who: { person: event.who }, other: { person: event.other }, thing: known(event.thing) },
        ...{ there: where(event.thing, 'answer'), holder: holderOf(event.thing, 'holder') },
      };
    case 'more':
    case 'eat': {
      const food: Slot = { food: event.food, number: event.count, kind: 'agreement', because: [facts.stock!.named] };
      return { who: { person: event.who }, food, number: { number: event.count } };
    }
    case 'count':
    case 'questionCount': {
      const { count, named: first } = facts.stock!;
      const isCount = event.type === 'count';
      return {
        who: isCount ? { person: event.who } : { person: event.who, kind: 'holder', because: named(event.who) },
        food: {
          food: event.food,
          number: isCount ? count.value : 2,
          kind: isCount ? 'agreement' : 'repetition',
          because: [first],
        },
        number: { number: count.value, kind: isCount ? 'count' : 'answer', because: count.because },
      };
    }
    case 'return':
    case 'end': {
      const { person, place } = start!;
      const thing = event.type === 'end' && event.thing !== null ? event.thing : null;
      return {
        who: { person, kind: 'repetition', because: place.because },
        place: { place: place.value, kind: 'repetition', because: place.because },
        ...(thing && { thing: known(thing), holder: holderOf(thing, 'holder') }),
      };
    }
    case 'questionPerson':
      return { who: { person: event.who }, there: at(event.who, 'answer') };
    case 'questionThing':
      return { thing: known(event.thing), there: where(event.thing, 'answer') };
    case 'questionHolder':
      return { thing: known(event.thing), holder: holderOf(event.thing, 'answer') };
    case 'questionColor': {
      const { value, because } = event.thing.color!;
      return { thing: known(event.thing), color: { color: value, kind: 'answer', because } };
    }
    case 'over':
      return {};
  }
}
