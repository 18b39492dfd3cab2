/** Parts of a page that give the answer of its question away, and whether they are covered: each is, until the question is answered. */
import { getContext, setContext } from 'svelte';
import { SvelteSet } from 'svelte/reactivity';
import type { Part, Prediction } from '../lessons/lesson.ts';
import { address, STATE } from '../shell/address.svelte.ts';

const KEY = Symbol('covers');
const STORED = 'fovea.looking';

/** A visitor who would rather look than guess: nothing is covered, on any page, as long as the browser's tab is open. */
class Looking {
  #on: boolean = $state(stored());

  get on(): boolean {
    return this.#on;
  }

  set on(on: boolean) {
    this.#on = on;
    try {
      if (on) sessionStorage.setItem(STORED, '1');
      else sessionStorage.removeItem(STORED);
    } catch {
      // Storage can be switched off; the choice then ends with the page.
    }
  }
}

export const looking = new Looking();

export class Covers {
  readonly #predictions: () => readonly Prediction[];
  readonly #answered = new SvelteSet<string>();

  constructor(predictions: () => readonly Prediction[]) {
    this.#predictions = predictions;
  }

  /** The part's questions that are still open. A link that holds a page's state shows that state. */
  #open(part: Part): readonly Prediction[] {
    if (looking.on || address.place.params.has(STATE)) return [];
    return this.#predictions().filter(({ id, covers }) => covers?.includes(part) && !this.#answered.has(id));
  }

  isCovered(part: Part): boolean {
    return this.#open(part).length > 0;
  }

  /** Shows a part, and with it the answers of the questions that covered it. */
  show(part: Part): void {
    for (const { id } of this.#open(part)) this.#answered.add(id);
  }

  isAnswered(id: string): boolean {
    return this.#answered.has(id);
  }

  answer(id: string): void {
    this.#answered.add(id);
  }

  askAgain(id: string): void {
    this.#answered.delete(id);
  }
}

/** For the page that asks these questions. */
export function provideCovers(predictions: () => readonly Prediction[]): Covers {
  return setContext(KEY, new Covers(predictions));
}

/** The covers of the page around a component; a page that asks nothing has none. */
export const coversOfPage = (): Covers => getContext<Covers | undefined>(KEY) ?? new Covers(() => []);

function stored(): boolean {
  try {
    return sessionStorage.getItem(STORED) === '1';
  } catch {
    return false;
  }
}
