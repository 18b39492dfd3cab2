import { flushSync } from 'svelte';
import { isSame, type Kept, type Snapshot } from '../shell/kept.svelte.ts';

/** Changes of one choice that follow each other faster than this are one step, as a slider that is dragged. */
const ONE_GESTURE = 500;
const MOST_STEPS = 200;

/** Undo and redo of a page's choices. */
export class History {
  readonly #kept: Kept;
  readonly #now: () => number;
  #past: readonly Snapshot[] = $state.raw([]);
  #future: readonly Snapshot[] = $state.raw([]);
  #current: Snapshot;
  #last = { time: -Infinity, names: '' };

  constructor(kept: Kept, now: () => number = () => performance.now()) {
    this.#kept = kept;
    this.#now = now;
    this.#current = kept.shown;
  }

  get canUndo(): boolean {
    return this.#past.length > 0;
  }
  get canRedo(): boolean {
    return this.#future.length > 0;
  }

  /** To be called with what the page shows whenever it changes. */
  note(shown: Snapshot): void {
    const names = changedNames(this.#current, shown).join();
    if (names === '') return;
    const time = this.#now();
    const goesOn = names === this.#last.names && time - this.#last.time < ONE_GESTURE && this.#past.length > 0;
    if (!goesOn) this.#past = [...this.#past.slice(1 - MOST_STEPS), this.#current];
    this.#future = [];
    this.#current = shown;
    this.#last = { time, names };
  }

  /** Takes the state shown now as the page's first. */
  begin(shown: Snapshot): void {
    this.#current = shown;
  }

  undo(): void {
    const before = this.#past.at(-1);
    if (!before) return;
    this.#past = this.#past.slice(0, -1);
    this.#future = [...this.#future, this.#current];
    this.#show(before);
  }

  redo(): void {
    const after = this.#future.at(-1);
    if (!after) return;
    this.#future = this.#future.slice(0, -1);
    this.#past = [...this.#past, this.#current];
    this.#show(after);
  }

  #show(snapshot: Snapshot): void {
    this.#current = snapshot;
    this.#last = { time: -Infinity, names: '' };
    this.#kept.restore(snapshot);
    // Changes that follow from it belong to its step.
    const [past, future] = [this.#past, this.#future];
    flushSync();
    [this.#past, this.#future, this.#current] = [past, future, this.#kept.shown];
  }
}

function changedNames(a: Snapshot, b: Snapshot): string[] {
  return [...new Set([...a.keys(), ...b.keys()])].filter(
    (name) => !isSame(a.get(name), b.get(name)) || a.has(name) !== b.has(name),
  );
}
