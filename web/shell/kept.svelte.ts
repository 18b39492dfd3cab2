import { getContext, onDestroy, setContext, untrack } from 'svelte';

/** A page's choices under names, as undo, a link and a file keep them. A component registers its own with `keepChoice` while it is made. */

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

export interface Choice<T> {
  /** Immutable: a choice that changes is another value. */
  readonly get: () => T;
  readonly set: (value: T) => void;
  /** For links and files; without it the value is JSON already. */
  readonly write?: (value: T) => Json;
  /** The value of JSON that anybody may have written; undefined where it is none. Without it: of the kind and shape that the value has now. */
  readonly read?: (json: Json) => T | undefined;
  /** Never in a link, as an image. */
  readonly fileOnly?: boolean;
  /** Kept elsewhere in the address: for undo alone. */
  readonly undoOnly?: boolean;
}

interface Entry extends Choice<unknown> {
  /** The value when it was registered: such a value is not kept. */
  readonly initial: unknown;
}

/** The value that a choice is to take: from a link or a file, or one that it had. */
type Given = { readonly json: Json; readonly from: 'link' | 'file' } | { readonly value: unknown };

/** Choices that are not what they were at the start. */
export type Snapshot = ReadonlyMap<string, unknown>;

export class Kept {
  #entries: ReadonlyMap<string, Entry> = $state.raw(new Map());
  /** For parts of the page that are not made yet. */
  readonly #waiting = new Map<string, Given>();
  /** Whether a link or file held what no choice of the page could take. */
  refused = $state(false);

  readonly #shown = $derived.by(() => {
    const shown = new Map<string, unknown>();
    for (const [name, { get, initial }] of this.#entries) {
      const value = get();
      if (!isSame(value, initial)) shown.set(name, value);
    }
    return shown;
  });

  get shown(): Snapshot {
    return this.#shown;
  }

  /** Returns what takes the choice away. Of two with the same name the second gets a number. */
  add<T>(wanted: string, choice: Choice<T>): () => void {
    return untrack(() => {
      let name = wanted;
      for (let n = 2; this.#entries.has(name); n++) name = `${wanted}.${n}`;
      const entry = { ...(choice as unknown as Choice<unknown>), initial: choice.get() };
      this.#entries = new Map([...this.#entries, [name, entry]]);
      const given = this.#waiting.get(name);
      this.#waiting.delete(name);
      if (given) this.#take(entry, given);
      return () => {
        this.#entries = new Map([...this.#entries].filter(([other]) => other !== name));
      };
    });
  }

  /** Puts back what was on the page. */
  restore(snapshot: Snapshot): void {
    for (const [name, given] of this.#waiting) if ('value' in given) this.#waiting.delete(name);
    for (const [name, value] of snapshot) if (!this.#entries.has(name)) this.#waiting.set(name, { value });
    for (const [name, entry] of this.#entries) {
      this.#take(entry, { value: snapshot.has(name) ? snapshot.get(name) : entry.initial });
    }
  }

  /** The choices for a link and for a file, also those of parts that are not made yet; `whole` where a link holds everything. */
  write(): { linked: Readonly<Record<string, Json>>; filed: Readonly<Record<string, Json>>; whole: boolean } {
    const filed = [...this.#shown].flatMap(([name, value]) => {
      const entry = this.#entries.get(name);
      if (!entry || entry.undoOnly) return [];
      return [{ entry, pair: [name, entry.write ? entry.write(value) : (value as Json)] as const }];
    });
    const linked = filed.filter(({ entry }) => !entry.fileOnly);
    const waiting = (from: readonly ('link' | 'file')[]) =>
      [...this.#waiting].flatMap(([name, given]) => ('json' in given && from.includes(given.from) ? [[name, given.json]] : []));
    return {
      linked: Object.fromEntries([...waiting(['link']), ...linked.map(({ pair }) => pair)]),
      filed: Object.fromEntries([...waiting(['link', 'file']), ...filed.map(({ pair }) => pair)]),
      whole: linked.length === filed.length,
    };
  }

  /** Takes a link's or a file's choices; what they leave out goes back to the start. */
  read(json: Readonly<Record<string, Json>>, from: 'link' | 'file' = 'link'): void {
    this.refused = false;
    this.#waiting.clear();
    const given = new Map(Object.entries(json));
    for (const [name, value] of given) if (!this.#entries.has(name)) this.#waiting.set(name, { json: value, from });
    for (const [name, entry] of this.#entries) {
      if (entry.undoOnly) continue;
      const value = given.get(name);
      this.#take(entry, value !== undefined ? { json: value, from } : { value: entry.initial });
    }
  }

  #take(entry: Entry, given: Given): void {
    if ('value' in given) {
      if (!isSame(entry.get(), given.value)) entry.set(given.value);
      return;
    }
    const value = entry.read ? entry.read(given.json) : shapedAs(given.json, entry.initial);
    if (value === undefined) this.refused = true;
    else entry.set(value);
  }
}

const KEY = Symbol('kept');

/** For the components below this one. */
export function provideKept(kept: Kept): void {
  setContext(KEY, kept);
}

/** Registers a choice of the component that is being made. Where no page keeps its state, nothing happens. */
export function keepChoice<T>(name: string, choice: Choice<T>): void {
  const page = getContext<Kept | undefined>(KEY);
  // A state that Svelte watches in depth changes in place: a copy stays.
  const get = choice.write ? choice.get : () => $state.snapshot(choice.get()) as T;
  if (page) onDestroy(page.add(name, { ...choice, get }));
}

/** A text of JSON is a choice no longer than this. */
const LONGEST_TEXT = 2000;

/** `json` where it is of the kind and shape of `like`; null stands beside null and whole numbers from 0. */
export function shapedAs(json: Json, like: unknown): Json | undefined {
  const isFit = ((): boolean => {
    if (like === null || json === null) return json === like || isIndex(json) || isIndex(like);
    if (typeof like === 'number') return Number.isSafeInteger(like) ? Number.isSafeInteger(json) : Number.isFinite(json);
    if (typeof json === 'string') return typeof like === 'string' && json.length <= LONGEST_TEXT;
    if (typeof json !== 'object' || typeof like !== 'object') return typeof json === typeof like;
    if (Array.isArray(json) || Array.isArray(like)) {
      return Array.isArray(json) && Array.isArray(like) && json.every((item) => shapedAs(item, like[0]) !== undefined);
    }
    const names = Object.keys(like);
    return (
      Object.keys(json).length === names.length &&
      names.every((name) => {
        const given = Object.hasOwn(json, name) ? (json as Record<string, Json>)[name] : undefined;
        return given !== undefined && shapedAs(given, (like as Record<string, unknown>)[name]) !== undefined;
      })
    );
  })();
  return isFit ? json : undefined;
}

/** Reads a choice of one of these. */
export function oneOf<T extends Json>(values: readonly T[]): (json: Json) => T | undefined {
  return (json) => values.find((value) => value === json);
}

/** Reads a cell of a matrix, or null for none. */
export function readCell(json: Json): { row: number; col: number } | null | undefined {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return json === null ? null : undefined;
  const { row, col } = json as Record<string, Json>;
  return isIndex(row) && isIndex(col) ? { row: Number(row), col: Number(col) } : undefined;
}

const isIndex = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;

/** Whether two choices are the same: one value, the same JSON, or objects that hold the same values under the same names. */
export function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const [names, others] = [Object.keys(a), Object.keys(b)];
  if (Array.isArray(a) !== Array.isArray(b) || names.length !== others.length) return false;
  if (ArrayBuffer.isView(a) && !ArrayBuffer.isView(b)) return false;
  return names.every((name) => Object.hasOwn(b, name) && isSame((a as never)[name], (b as never)[name]));
}
