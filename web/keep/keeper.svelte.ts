import { getContext, setContext } from 'svelte';
import { address, placeHash, readPlace, STATE } from '../shell/address.svelte.ts';
import { Kept, provideKept } from '../shell/kept.svelte.ts';
import { decode, encode, LONGEST_LINK, type Problem, type State } from './codec.ts';
import { openSaved, savedText, type SavedPage } from './file.ts';
import { History } from './history.svelte.ts';

/** Choices settle for this long before they are written into the address. */
const SETTLED = 150;

/** The state of the page of one address: its choices, their history, and how they get into a link or a file. */
export class Keeper {
  readonly kept = new Kept();
  readonly history = new History(this.kept);
  /** Why what a link or a file held is not on the page. */
  problem: { from: 'link' | 'file'; what: Problem | 'refused' } | null = $state.raw(null);
  /** Whether a link holds the page: 'large' and 'file' name what a file alone holds. */
  link: 'whole' | 'large' | 'file' = $state('whole');
  #from: 'link' | 'file' = 'link';
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Takes the state of the address, or of the file that was opened. */
  async read(): Promise<void> {
    const { params, path } = address.place;
    const text = params.get(STATE);
    this.problem = null;
    const file = opened?.page === placeHash(address.place) ? opened : null;
    opened = null;
    this.#from = file ? 'file' : 'link';
    const state = file ? file.state : text === null ? {} : await decode(text);
    if (address.place.path !== path) return;
    if (typeof state === 'string') this.problem = { from: 'link', what: state };
    this.kept.read(typeof state === 'string' ? {} : state, this.#from);
  }

  /** After a choice changed. */
  changed(): void {
    this.history.note(this.kept.shown);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#write(), SETTLED);
  }

  /** Notes a refusal, which is known when the parts of the page are made. */
  refused(): void {
    this.problem ??= { from: this.#from, what: 'refused' };
  }

  /** The page as it begins, because its parts cannot show what was read. */
  fail(): void {
    this.problem = { from: this.#from, what: 'broken' };
    this.kept.read({});
  }

  async #write(): Promise<void> {
    const { linked, whole } = this.kept.write();
    const text = Object.keys(linked).length === 0 ? null : await encode(linked as State);
    const fits = text === null || text.length <= LONGEST_LINK;
    this.link = !fits ? 'large' : whole ? 'whole' : 'file';
    if (!this.#closed) address.keepState(fits ? text : null);
  }

  #closed = false;
  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  /** The page as a file. */
  saved(): Blob {
    const { path, params } = address.written();
    params.delete(STATE);
    const state = this.kept.write().filed as State;
    return new Blob([savedText({ page: placeHash({ path, params }), state })], { type: 'application/json' });
  }

  /** Opens the page of a file with its state, if it holds one. */
  async open(file: Blob): Promise<void> {
    const page = await openSaved(file);
    if (typeof page === 'string') {
      this.problem = { from: 'file', what: page };
      return;
    }
    opened = { ...page, page: placeHash(readPlace(page.page)) };
    address.go(opened.page);
  }
}

/** A file's state on its way to its page. */
let opened: SavedPage | null = null;

const KEY = Symbol('keeper');

export function provideKeeper(keeper: Keeper): void {
  setContext(KEY, keeper);
  provideKept(keeper.kept);
}

export const keeperOfPage = (): Keeper => getContext<Keeper>(KEY);
