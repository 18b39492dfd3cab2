/** Events: those that may come next in a story, how likely each is, and the facts afterwards. Languages put them into words. */
import {
  ANIMALS,
  COLORS,
  DAYTIMES,
  FOODS,
  MOST,
  PEOPLE,
  PLACES,
  placeOf,
  THINGS,
  type Animal,
  type Color,
  type Daytime,
  type Facts,
  type Food,
  type OwnedThing,
  type Person,
  type Place,
  type Thing,
  type Told,
} from './facts.ts';

export type Event =
  | { readonly type: 'open'; readonly who: Person; readonly place: Place; readonly daytime: Daytime }
  | { readonly type: 'join'; readonly who: Person }
  | { readonly type: 'pet'; readonly who: Person; readonly animal: Animal }
  | { readonly type: 'own'; readonly who: Person; readonly thing: Thing; readonly color: Color | null }
  | { readonly type: 'stock'; readonly who: Person; readonly food: Food; readonly count: number }
  | { readonly type: 'want'; readonly who: Person; readonly thing: Thing }
  | { readonly type: 'sad'; readonly who: Person; readonly thing: OwnedThing; readonly holder: Person }
  | { readonly type: 'happy'; readonly who: Person; readonly thing: OwnedThing }
  | { readonly type: 'give'; readonly who: Person; readonly other: Person; readonly thing: Thing }
  | { readonly type: 'move'; readonly who: Person; readonly place: Place }
  | { readonly type: 'moveTogether'; readonly who: Person; readonly other: Person; readonly place: Place }
  | { readonly type: 'follow'; readonly who: Person; readonly animal: Animal }
  | { readonly type: 'leave' | 'find'; readonly who: Person; readonly thing: OwnedThing }
  | { readonly type: 'askFor'; readonly who: Person; readonly other: Person; readonly thing: OwnedThing }
  | { readonly type: 'greet' | 'together'; readonly who: Person; readonly other: Person }
  | { readonly type: 'more' | 'eat'; readonly who: Person; readonly food: Food; readonly count: number }
  | { readonly type: 'count'; readonly who: Person; readonly food: Food }
  | { readonly type: 'return'; readonly who: Person }
  | { readonly type: 'end'; readonly who: Person; readonly thing: OwnedThing | null; readonly holder: Person | null }
  | { readonly type: 'questionPerson'; readonly who: Person }
  | { readonly type: 'questionThing' | 'questionHolder' | 'questionColor'; readonly thing: OwnedThing }
  | { readonly type: 'questionCount'; readonly who: Person; readonly food: Food }
  | { readonly type: 'over' };

export interface Likely {
  readonly event: Event;
  readonly probability: number;
}

/** The words behind which a story is brought to its end. */
const LONG = 54;
const SHORTEST = 7;

/** How often each type of event is chosen, beside the others that are possible. */
const WEIGHTS: Readonly<Record<Event['type'], number>> = {
  ...{ open: 1, join: 3, pet: 1, own: 2, stock: 1.5 },
  ...{ want: 2, sad: 4, happy: 4, give: 3, move: 2.5, moveTogether: 1.5, follow: 4, leave: 1.5, find: 3, askFor: 2 },
  ...{ greet: 1.5, together: 0.5, more: 1, eat: 1, count: 4 },
  ...{ return: 2, end: 1 },
  ...{ questionPerson: 1, questionThing: 2, questionHolder: 2, questionColor: 1.5, questionCount: 2, over: 2 },
};

/** All that may happen next, with probabilities of the sum 1. */
export function possible(facts: Facts, words: number): readonly Likely[] {
  const lists = new Map<Event['type'], Event[]>();
  for (const event of eventsOf(facts, words)) lists.set(event.type, [...(lists.get(event.type) ?? []), event]);
  const total = [...lists.keys()].reduce((sum, type) => sum + WEIGHTS[type], 0);
  return [...lists].flatMap(([type, events]) => {
    const weights = events.map((event) => (fulfils(event, facts) ? 4 : 1));
    const sum = weights.reduce((sum, weight) => sum + weight, 0);
    return events.map((event, n) => ({ event, probability: (WEIGHTS[type] / total) * (weights[n]! / sum) }));
  });
}

/** Whether somebody gets what they want. */
function fulfils(event: Event, { wish }: Facts): boolean {
  if (wish === null || wish.isFulfilled) return false;
  if (event.type === 'give') return event.thing === wish.thing && event.other === wish.person;
  return event.type === 'find' && event.thing.thing === wish.thing && event.who === wish.person;
}

function eventsOf(facts: Facts, words: number): readonly Event[] {
  if (facts.part === 'questions') return [...questions(facts), { type: 'over' }];
  if (facts.start === null) return openings();
  if (facts.sentences === 1) return companions(facts.start.person);
  if (facts.sentences === 2) return belongings(facts);
  const { person, place } = facts.start;
  const home = facts.people.get(person)!.value === place.value;
  const ending: Event[] = home ? ends(facts, person) : [{ type: 'return', who: person }];
  if (facts.part === 'return' || words > LONG) return ending;
  const story = [...happenings(facts)];
  if (facts.sentences < SHORTEST) return story.length > 0 ? story : ending;
  return [...story, ...ending];
}

function openings(): Event[] {
  return PEOPLE.flatMap((who) =>
    PLACES.flatMap((place) => DAYTIMES.map((daytime): Event => ({ type: 'open', who, place, daytime }))),
  );
}

function companions(first: Person): Event[] {
  return [
    ...PEOPLE.filter((who) => who !== first).map((who): Event => ({ type: 'join', who })),
    ...ANIMALS.map((animal): Event => ({ type: 'pet', who: first, animal })),
  ];
}

function belongings({ people, things }: Facts): Event[] {
  const free = THINGS.filter((thing) => things.every((other) => other.thing !== thing));
  return [...people.keys()].flatMap((who) => [
    ...free.flatMap((thing) => [null, ...COLORS].map((color): Event => ({ type: 'own', who, thing, color }))),
    ...FOODS.flatMap((food) => [2, 3, 4, 5].map((count): Event => ({ type: 'stock', who, food, count }))),
  ]);
}

function* happenings(facts: Facts): Generator<Event> {
  const people = [...facts.people.keys()];
  const at = (person: Person): Place => facts.people.get(person)!.value;
  const [first, second] = people;
  if (facts.stock === null || facts.things.length < 2)
    for (const event of belongings(facts))
      if (event.type === 'own' ? facts.things.length < 2 : facts.stock === null) yield event;
  for (const who of people)
    if (facts.last !== 'move' || facts.topic !== who)
      for (const place of PLACES) if (place !== at(who)) yield { type: 'move', who, place };
  if (second !== undefined && at(first!) === at(second)) {
    for (const [who, other] of [people, [second, first!]] as [Person, Person][])
      for (const place of PLACES) if (place !== at(who)) yield { type: 'moveTogether', who, other, place };
    yield { type: 'together', who: first!, other: second };
    if (facts.sentences === 3) yield { type: 'greet', who: second, other: first! };
  }
  if (facts.pet !== null && facts.pet.place !== at(facts.pet.owner))
    yield { type: 'follow', who: facts.pet.owner, animal: facts.pet.animal };
  for (const owned of facts.things) yield* happeningsOf(facts, owned);
  if (facts.stock !== null) {
    const { owner: who, food, count, isSaid } = facts.stock;
    if (!isSaid) yield { type: 'count', who, food };
    else {
      for (let more = 1; more <= 3; more++) if (count.value + more <= MOST) yield { type: 'more', who, food, count: more };
      for (let less = 1; less <= 3; less++) if (less < count.value) yield { type: 'eat', who, food, count: less };
    }
  }
}

/** The events of one thing. */
function* happeningsOf(facts: Facts, owned: OwnedThing): Generator<Event> {
  const { people, wish, topic, last } = facts;
  const { thing, where } = owned;
  const wished = wish?.thing === thing ? wish : null;
  const place = placeOf(facts, owned).value;
  for (const [who, { value: own }] of people) {
    const isHere = own === place;
    if (where.holder === null && isHere && (last !== 'leave' || topic !== who)) yield { type: 'find', who, thing: owned };
    if (where.holder !== who && wish === null) yield { type: 'want', who, thing };
    if (where.holder === who) {
      if (topic !== who || (last !== 'find' && last !== 'own')) yield { type: 'leave', who, thing: owned };
      for (const [other, { value }] of people)
        if (other !== who && value === own && last !== 'give') yield { type: 'give', who, other, thing };
    } else {
      for (const [other, { value }] of people)
        if (other !== who && value === own && last !== 'askFor') yield { type: 'askFor', who, other, thing: owned };
    }
  }
  if (wished !== null && !wished.isFelt) {
    if (wished.isFulfilled && where.holder === wished.person) yield { type: 'happy', who: wished.person, thing: owned };
    if (!wished.isFulfilled && where.holder !== null)
      yield { type: 'sad', who: wished.person, thing: owned, holder: where.holder };
  }
}

function ends({ things }: Facts, who: Person): Event[] {
  const held = things.filter(({ where }) => where.holder !== null);
  if (held.length === 0) return [{ type: 'end', who, thing: null, holder: null }];
  return held.map((thing) => ({ type: 'end', who, thing, holder: thing.where.holder }));
}

function questions({ people, things, stock, asked }: Facts): Question[] {
  const all: Question[] = [...people.keys()].map((who) => ({ type: 'questionPerson', who }));
  for (const thing of things) {
    all.push({ type: thing.where.holder === null ? 'questionThing' : 'questionHolder', thing });
    if (thing.color !== null) all.push({ type: 'questionColor', thing });
  }
  if (stock !== null) all.push({ type: 'questionCount', who: stock.owner, food: stock.food });
  return asked.length >= 3 ? [] : all.filter((event) => !asked.includes(keyOf(event)));
}

type Question = Extract<Event, { readonly type: `question${string}` }>;

/** By which a question is asked once. */
const keyOf = (question: Question): string => `${question.type} ${'thing' in question ? question.thing.thing : question.who}`;

/** Where the words stand that name what an event is about. */
export type Places = Readonly<
  Partial<Record<'who' | 'other' | 'place' | 'thing' | 'color' | 'number' | 'food' | 'animal', number>>
>;

/** The facts once an event has been put into words. */
export function after(facts: Facts, event: Event, at: Places): Facts {
  const next: Facts = {
    ...facts,
    ...changes(facts, event, at),
    sentences: facts.sentences + 1,
    topic: topicOf(event),
    last: event.type,
  };
  const named = new Map(next.named);
  if ('who' in event && at.who !== undefined) named.set(event.who, at.who);
  if ('other' in event && at.other !== undefined) named.set(event.other, at.other);
  return { ...next, named };
}

function topicOf(event: Event): Person | null {
  if ('other' in event) return null;
  return 'who' in event ? event.who : null;
}

function changes(facts: Facts, event: Event, at: Places): Partial<Facts> {
  const because = (...places: (number | undefined)[]): number[] => places.filter((place) => place !== undefined);
  const moved = (who: readonly Person[], place: Told<Place>): Partial<Facts> => ({
    people: new Map([...facts.people, ...who.map((one): [Person, Told<Place>] => [one, place])]),
  });
  const changed = (thing: Thing, change: Partial<OwnedThing>): readonly OwnedThing[] =>
    facts.things.map((owned) => (owned.thing === thing ? { ...owned, ...change } : owned));
  switch (event.type) {
    case 'open': {
      const place = { value: event.place, because: because(at.who, at.place) };
      return { ...moved([event.who], place), start: { person: event.who, place } };
    }
    case 'join': {
      const { value, because: start } = facts.start!.place;
      return moved([event.who], { value, because: [...start, ...because(at.who)] });
    }
    case 'pet':
      return {
        pet: { animal: event.animal, owner: event.who, place: facts.start!.place.value, because: because(at.animal) },
      };
    case 'own': {
      const color = event.color === null ? null : { value: event.color, because: because(at.color) };
      const where = { holder: event.who, because: because(at.who, at.thing) };
      return { things: [...facts.things, { thing: event.thing, color, where, named: at.thing! }] };
    }
    case 'stock': {
      const count = { value: event.count, because: because(at.number) };
      return { stock: { owner: event.who, food: event.food, count, isSaid: true, named: at.food! } };
    }
    case 'want':
      return {
        wish: {
          ...{ person: event.who, thing: event.thing, isFelt: false, isFulfilled: false },
          because: because(at.who, at.thing),
        },
      };
    case 'sad':
    case 'happy':
      return { wish: { ...facts.wish!, isFelt: true } };
    case 'give':
    case 'find': {
      const thing = event.type === 'give' ? event.thing : event.thing.thing;
      const holder = event.type === 'give' ? event.other : event.who;
      const where = { holder, because: because(at.thing, event.type === 'give' ? at.other : at.who) };
      return { things: changed(thing, { where }), ...wishAfter(facts, thing, holder, where.because) };
    }
    case 'leave': {
      const place = { value: facts.people.get(event.who)!.value, because: because(at.place) };
      return { things: changed(event.thing.thing, { where: { holder: null, place, because: because(at.thing) } }) };
    }
    case 'move':
      return moved([event.who], { value: event.place, because: because(at.who, at.place) });
    case 'moveTogether':
      return moved([event.who, event.other], { value: event.place, because: because(at.who, at.other, at.place) });
    case 'follow':
      return { pet: { ...facts.pet!, place: facts.people.get(event.who)!.value } };
    case 'more':
    case 'eat': {
      const stock = facts.stock!;
      const value = stock.count.value + (event.type === 'more' ? event.count : -event.count);
      const count = { value, because: [...stock.count.because, ...because(at.number)] };
      return { stock: { ...stock, count, isSaid: false } };
    }
    case 'count':
      return { stock: { ...facts.stock!, count: { ...facts.stock!.count, because: because(at.number) }, isSaid: true } };
    case 'return':
      return { ...moved([event.who], { value: facts.start!.place.value, because: because(at.who, at.place) }), part: 'return' };
    case 'end':
      return { part: 'questions' };
    case 'questionPerson':
    case 'questionThing':
    case 'questionHolder':
    case 'questionColor':
    case 'questionCount':
      return { asked: [...facts.asked, keyOf(event)] };
    case 'over':
      return { part: 'over' };
    default:
      return {};
  }
}

/** A wish comes true when its person gets the thing, and stands again when the thing goes to somebody else. */
function wishAfter({ wish }: Facts, thing: Thing, holder: Person, because: readonly number[]): Partial<Facts> {
  if (wish?.thing !== thing) return {};
  if (holder === wish.person)
    return { wish: { ...wish, isFelt: false, isFulfilled: true, because: [...wish.because, ...because] } };
  return wish.isFulfilled ? { wish: { ...wish, isFelt: true } } : {};
}
