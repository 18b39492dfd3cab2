/** All words of a language's stories. */
import { ANIMALS, COLORS, DAYTIMES, FOODS, MOST, PEOPLE, PLACES, THINGS } from './facts.ts';
import type { Slot } from './slots.ts';
import { slotOf, type Language } from './wording.ts';

const NUMBERS = Array.from({ length: MOST }, (_, n) => n + 1);

/** Fillings for slots of each name; a form fills those that are not listed. */
const FILLINGS: Readonly<Record<string, readonly Slot[]>> = {
  ...Object.fromEntries(['who', 'other', 'again', 'holder'].map((name) => [name, PEOPLE.map((person) => ({ person }))])),
  ...Object.fromEntries(['place', 'here', 'there'].map((name) => [name, PLACES.map((place) => ({ place }))])),
  thing: THINGS.map((thing) => ({ thing })),
  food: FOODS.flatMap((food) => [1, 2].map((number) => ({ food, number }))),
  number: NUMBERS.map((number) => ({ number })),
  color: COLORS.map((color) => ({ color })),
  animal: ANIMALS.map((animal) => ({ animal })),
  daytime: DAYTIMES.map((daytime) => ({ daytime })),
};

/** In the order of their characters' numbers; the place of a word is its token. */
export function vocabularyOf(language: Language): readonly string[] {
  const words = new Set<string>();
  for (const part of Object.values(language.templates).flatMap((templates) =>
    templates.flatMap((template) => template.split(' ')),
  )) {
    const slot = slotOf(part);
    if (slot === null) words.add(part);
    else
      for (const filling of FILLINGS[slot.name] ?? [{}])
        for (const form of slot.isEither ? ['', 'subject'] : [slot.form]) words.add(language.word(filling, form));
  }
  return [...words].sort((a, b) => (a < b ? -1 : 1));
}
