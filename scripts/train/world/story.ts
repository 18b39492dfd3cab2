/** Stories: drawn sentence by sentence, and read word by word: which words may follow, how likely each is, and why a word is what it is. */
import { after, possible, type Event, type Places } from './events.ts';
import { NOTHING, type Facts } from './facts.ts';
import type { Kind } from './slots.ts';
import { wordings, type Language, type Word } from './wording.ts';

/** A sentence that may follow. */
interface Sentence {
  readonly event: Event;
  readonly words: readonly Word[];
  readonly probability: number;
}

/** Why a word is what it is: `kind` where no other fits and it is said why; and the words before by which that is known. */
export interface Reason {
  readonly kind: Kind | null;
  readonly because: readonly number[];
}

/** The words that may follow a beginning. */
export interface Next {
  /** The words that may come, with probabilities of the sum 1; none after the end. */
  readonly words: ReadonlyMap<string, number>;
  /** Where only one word may come. */
  readonly reason: Reason | null;
}

/** The beginning of a story, that goes on word by word. */
export class Teller {
  readonly #language: Language;
  readonly #words: string[] = [];
  #facts: Facts = NOTHING;
  /** The sentences that may follow what is told, without their beginning that has been said. */
  #sentences: readonly Sentence[];
  /** The first word of the sentence that is being said. */
  #begin = 0;

  constructor(language: Language) {
    this.#language = language;
    this.#sentences = sentences(language, NOTHING, 0);
  }

  get isOver(): boolean {
    return this.#facts.part === 'over';
  }

  next(): Next {
    const said = this.#words.length - this.#begin;
    const words = new Map<string, number>();
    const total = this.#sentences.reduce((sum, { probability }) => sum + probability, 0);
    for (const sentence of this.#sentences) {
      const { text } = sentence.words[said]!;
      words.set(text, (words.get(text) ?? 0) + sentence.probability / total);
    }
    if (words.size !== 1) return { words, reason: null };
    const { kind = null, because = [] } = this.#sentences[0]!.words[said]!;
    return { words, reason: { kind, because } };
  }

  /** Goes on by a word; false where it cannot stand here. */
  say(word: string): boolean {
    const said = this.#words.length - this.#begin;
    const left = this.#sentences.filter(({ words }) => words[said]!.text === word);
    if (left.length === 0) return false;
    this.#words.push(word);
    this.#sentences = left;
    const ended = left.find(({ words }) => words.length === said + 1);
    if (ended !== undefined) this.#tell(ended);
    return true;
  }

  #tell({ event, words }: Sentence): void {
    this.#facts = after(this.#facts, event, placesOf(words, this.#begin));
    this.#begin = this.#words.length;
    this.#sentences = this.isOver ? [] : sentences(this.#language, this.#facts, this.#begin);
  }
}

function sentences(language: Language, facts: Facts, words: number): readonly Sentence[] {
  return possible(facts, words).flatMap(({ event, probability }) => {
    const ways = wordings(language, event, facts);
    return ways.map(({ words, share }) => ({ event, words, probability: probability * share }));
  });
}

/** A story as it is told, sentence by sentence. @param uniform - gives numbers from 0 to less than 1 */
export function drawStory(language: Language, uniform: () => number): readonly string[] {
  const story: string[] = [];
  for (let facts = NOTHING; facts.part !== 'over';) {
    const { event } = drawn(possible(facts, story.length), ({ probability }) => probability, uniform());
    const { words } = drawn(wordings(language, event, facts), ({ share }) => share, uniform());
    facts = after(facts, event, placesOf(words, story.length));
    story.push(...words.map(({ text }) => text));
  }
  return story;
}

/** The entry at which the sum of the shares comes to `at`. */
function drawn<Entry>(entries: readonly Entry[], shareOf: (entry: Entry) => number, at: number): Entry {
  let rest = at;
  return entries.find((entry) => (rest -= shareOf(entry)) < 0) ?? entries.at(-1)!;
}

/** For each word of a story, what could have stood in its place; null where it is none. */
export function readStory(language: Language, words: readonly string[]): readonly Next[] | null {
  const teller = new Teller(language);
  const choices: Next[] = [];
  for (const word of words) {
    choices.push(teller.next());
    if (!teller.say(word)) return null;
  }
  return choices;
}

/** Where the words of a sentence stand that name what it is about. */
function placesOf(words: readonly Word[], begin: number): Places {
  const places: Partial<Record<keyof Places, number>> = {};
  words.forEach(({ names }, n) => {
    if (names !== undefined) places[names] = begin + n;
  });
  return places;
}
