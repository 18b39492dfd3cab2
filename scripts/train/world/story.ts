/** Stories word by word: which words may follow and how likely each is, why a word is what it is, stories that are drawn, and words that are read. */
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

/** What may follow a beginning. */
export interface Next {
  /** The words that may come, with probabilities of the sum 1; none after the end. */
  readonly words: ReadonlyMap<string, number>;
  /** Where only one word may come. */
  readonly reason: Reason | null;
}

/** A drawn or read story. */
export interface Story {
  readonly words: readonly string[];
  /** For each word, what could have stood in its place. */
  readonly choices: readonly Next[];
  readonly facts: Facts;
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

  get words(): readonly string[] {
    return this.#words;
  }

  get facts(): Facts {
    return this.#facts;
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
    const at: Partial<Record<keyof Places, number>> = {};
    words.forEach(({ names }, n) => {
      if (names !== undefined) at[names] = this.#begin + n;
    });
    this.#facts = after(this.#facts, event, at);
    this.#begin = this.#words.length;
    this.#sentences = this.isOver ? [] : sentences(this.#language, this.#facts, this.#begin);
  }
}

function sentences(language: Language, facts: Facts, words: number): readonly Sentence[] {
  return possible(facts, words).flatMap(({ event, probability }) => {
    const ways = wordings(language, event, facts);
    const total = ways.reduce((sum, { weight }) => sum + weight, 0);
    return ways.map((one) => ({ event, words: one.words, probability: (probability * one.weight) / total }));
  });
}

/** @param uniform - gives numbers from 0 to less than 1 */
export function drawStory(language: Language, uniform: () => number): Story {
  const teller = new Teller(language);
  const choices: Next[] = [];
  while (!teller.isOver) {
    const next = teller.next();
    choices.push(next);
    let rest = uniform();
    const drawn = [...next.words].find(([, probability]) => (rest -= probability) < 0) ?? [...next.words].at(-1)!;
    teller.say(drawn[0]);
  }
  return { words: teller.words, choices, facts: teller.facts };
}
