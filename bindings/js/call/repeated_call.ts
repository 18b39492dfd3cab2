/**
 * A call that is made again for each position of a sequence: its blocks stay in wasm memory, and one wasm call runs all of its
 * operations. The second call shows which words of the blocks count positions; later ones write only these.
 */
import { LIST_BLOCK } from '../../../build/generated/blocks/list.ts';
import { LISTED_CALL_BLOCK } from '../../../build/generated/blocks/listed_call.ts';
import { LISTED_OPERATION } from '../../../build/generated/enums/listed_operation.ts';
import { fail } from '../errors/errors.ts';
import { align } from '../runtime/heap.ts';
import { HeldMemory } from '../runtime/held_memory.ts';
import type { Instance } from '../runtime/instance.ts';
import { CallArena } from './call_arena.ts';
import { runWhole } from './call.ts';

/** One operation of the call, with its block. */
interface Noted {
  readonly operation: number;
  readonly bytes: number;
  readonly write: (address: number) => void;
}

/** A word that counts positions, and its value at the position of the call that was planned last. */
interface Counter {
  /** Words from the start of memory. */
  readonly at: number;
  readonly value: number;
}

/** How a call is made at a position. */
export interface CallAt<Places> {
  /** From one call to the next it plans the same operations; what it returns are places of inputs and results. */
  readonly plan: (arena: CallArena) => Places;
  /** The work of the plan's steps beside its operations, where they are not planned again. */
  readonly skip: () => void;
  /** Copies the inputs in. */
  readonly fill: (places: Places) => void;
}

export class RepeatedCall<Places> {
  readonly #instance: Instance;
  /** The call that was planned last, whose places lie in `memory`. */
  #arena: CallArena | null = null;
  #places: Places | null = null;
  #memory: HeldMemory | null = null;
  /** The list, then its calls, then their blocks. */
  #list: HeldMemory | null = null;
  #position = 0;
  #counters: readonly Counter[] | null = null;

  constructor(instance: Instance) {
    this.#instance = instance;
  }

  /** Makes the call. The places are good until `dispose`. */
  run(fn: string, position: number, { plan, skip, fill }: CallAt<Places>): Places {
    if (this.#arena?.isStale === true) this.dispose();
    if (this.#counters === null) this.#plan(fn, position, plan);
    else {
      skip();
      const { heap } = this.#instance;
      const words = heap.words(0, heap.total / 4);
      for (const { at, value } of this.#counters) words[at] = value + position - this.#position;
    }
    fill(this.#places!);
    this.#instance.engine.run(fn, 'list', this.#list!.address);
    return this.#places!;
  }

  dispose(): void {
    this.#memory?.dispose();
    this.#list?.dispose();
    this.#arena = null;
    this.#memory = null;
    this.#list = null;
    this.#counters = null;
  }

  /** Plans the call, in the memory of the one before where there is one, and writes its list. */
  #plan(fn: string, position: number, plan: CallAt<Places>['plan']): void {
    const arena = new CallArena(this.#instance, fn);
    const places = plan(arena);
    if (this.#memory?.bytes !== arena.bytes) {
      this.dispose();
      this.#memory = new HeldMemory(this.#instance.heap, fn, arena.bytes);
    }
    const isSecond = this.#list !== null && position !== this.#position;
    const before = isSecond ? this.#words().map((words) => words.slice()) : null;
    const noted: Noted[] = [];
    arena.commitAt(this.#memory!.address, (operation, block, fields) => {
      const number = (LISTED_OPERATION as readonly string[]).indexOf(operation);
      if (number < 0) fail('internal', fn, `${operation} cannot be in a list of calls; please report this`);
      const write = (address: number): void => this.#instance.heap.write(block, address, fields);
      noted.push({ operation: number, bytes: block.bytes, write });
    });
    for (const step of arena.steps) runWhole(arena, step);
    this.#write(fn, noted);
    if (before !== null) this.#counters = countersSince(before, this.#words(), position - this.#position);
    this.#arena = arena;
    this.#places = places;
    this.#position = position;
  }

  #write(fn: string, noted: readonly Noted[]): void {
    const { heap } = this.#instance;
    const callsAt = align(LIST_BLOCK.bytes);
    const blocksAt = callsAt + align(LISTED_CALL_BLOCK.bytes * noted.length);
    const bytes = noted.reduce((sum, one) => sum + align(one.bytes), blocksAt);
    if (this.#list?.bytes !== bytes) {
      this.#list?.dispose();
      this.#list = new HeldMemory(heap, fn, bytes);
    }
    const { address } = this.#list;
    heap.write(LIST_BLOCK, address, { calls: address + callsAt, count: noted.length });
    let block = address + blocksAt;
    noted.forEach(({ operation, bytes, write }, n) => {
      heap.write(LISTED_CALL_BLOCK, address + callsAt + LISTED_CALL_BLOCK.bytes * n, { operation, block });
      write(block);
      block += align(bytes);
    });
  }

  /** All that planning writes: inputs that the call copied, and the list. */
  #words(): Uint32Array[] {
    return [this.#memory!, this.#list!].map(({ address, bytes }) => this.#instance.heap.words(address, bytes / 4));
  }
}

/** The words that have grown by `positions`; null where others differ, too: then every call is planned. */
function countersSince(
  before: readonly Uint32Array[],
  after: readonly Uint32Array[],
  positions: number,
): readonly Counter[] | null {
  const counters: Counter[] = [];
  for (const [n, words] of after.entries()) {
    const old = before[n]!;
    if (old.length !== words.length) return null;
    for (let at = 0; at < words.length; at++) {
      if (old[at] === words[at]) continue;
      if (words[at]! - old[at]! !== positions) return null;
      counters.push({ at: words.byteOffset / 4 + at, value: words[at]! });
    }
  }
  return counters;
}
