/** The world in English. */
import { isWoman, type Food, type Person } from './facts.ts';
import type { Slot } from './slots.ts';
import type { Language, Templates } from './wording.ts';

const TEMPLATES: Templates = {
  open: ['one {daytime} {who} is in the {place} .'],
  join: ['{who} comes to the {here} , too .', '{who} is with {other:object} .'],
  pet: ['{who:possessive} {animal} is with {who:object} .'],
  own: ['{who?} has a {thing} .'],
  ownColored: ['{who?} has a {color} {thing} .'],
  gain: ['{who?} finds a {thing} .'],
  gainColored: ['{who?} finds a {color} {thing} .'],
  stock: ['{who?} has {number} {food} .'],
  gainStock: ['{who?} finds {number} {food} .'],
  want: ['{who?} wants the {thing} .', '{who?} says : " i want the {thing} . "'],
  sad: ['{who?} is {feeling:sad} because {holder} has the {thing} .'],
  happy: ['{who?} is {feeling:happy} because {who:subject} has the {thing} .', 'now {who?} is {feeling:happy} .'],
  give: ['{who?} gives {other} the {thing} .', '{who?} gives the {thing} to {other} .'],
  greet: ['{who} says : " hello , {other} . " {other} says : " hello , {again} . "'],
  move: ['{who?} goes to the {place} .'],
  moveTogether: ['{who} and {other} {agreement:go} to the {place} .'],
  together: ['now {who} and {other} {agreement:are} in the {here} .'],
  follow: ['the {animal} follows {who:object} .'],
  leave: ['{who?} leaves the {thing} in the {place} .'],
  find: ['{who?} finds the {thing} in the {here} .'],
  askPlace: ['{who} asks : " where is the {thing} ? " {other} answers : " it is in the {there} . "'],
  askAnswerer: ['{who} asks : " where is the {thing} ? " {other} answers : " {holder:speaker} have it . "'],
  askOther: ['{who} asks : " where is the {thing} ? " {other} answers : " {holder} has it . "'],
  more: ['{who?} finds {number} more {food} .'],
  eat: ['{who?} eats {number} {food} .'],
  count: ['now {who?} has {number} {food} .'],
  return: ['the next day {who} goes back to the {place} .'],
  still: ['at the end {who} is still in the {place} .'],
  stillSelf: ['at the end {who} is still in the {place} , and {holder:subject} has the {thing} .'],
  stillOther: ['at the end {who} is still in the {place} , and {holder} has the {thing} .'],
  again: ['at the end {who} is in the {place} again .'],
  againSelf: ['at the end {who} is in the {place} again , and {holder:subject} has the {thing} .'],
  againOther: ['at the end {who} is in the {place} again , and {holder} has the {thing} .'],
  questionPerson: ['where is {who} ? in the {there} .'],
  questionThing: ['where is the {thing} ? in the {there} .'],
  questionHolder: ['who has the {thing} ? {holder} .'],
  questionColor: ['what color is the {thing} ? {color} .'],
  questionCount: ['how many {food} does {who} have ? {number} .'],
  over: ['<end>'],
};

const NUMBERS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];

const foods = (food: Food, count: number | undefined): string => (count === 1 ? food : `${food}s`);

function personAs(person: Person, form: string): string {
  if (form === 'speaker') return 'i';
  if (form === 'subject') return isWoman(person) ? 'she' : 'he';
  if (form === 'object') return isWoman(person) ? 'her' : 'him';
  if (form === 'possessive') return isWoman(person) ? 'her' : 'his';
  return person[0]!.toUpperCase() + person.slice(1);
}

function word({ person, thing, food, place, color, animal, daytime, number }: Slot, form: string): string {
  if (person !== undefined) return personAs(person, form);
  if (food !== undefined) return foods(food, number);
  if (number !== undefined) return NUMBERS[number]!;
  return thing ?? place ?? color ?? animal ?? daytime ?? form;
}

function text(words: readonly string[]): string {
  let result = '';
  let begins = true;
  let open = false;
  for (const word of words) {
    if (word === '<end>') continue;
    const isSign = /^[.,:?]$/.test(word);
    const closes = word === '"' && open;
    if (word === '"') open = !open;
    const glued = result === '' || isSign || closes || (result.endsWith('"') && open && word !== '"');
    const shown = (begins && /^[a-z]/.test(word)) || word === 'i' ? word[0]!.toUpperCase() + word.slice(1) : word;
    result += `${glued ? '' : ' '}${shown}`;
    begins = /^[.?]$/.test(word) || (word === '"' && (open || begins));
  }
  return result;
}

export const ENGLISH: Language = { name: 'en', templates: TEMPLATES, word, text };
