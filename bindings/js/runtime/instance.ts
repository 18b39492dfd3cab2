/** The result of one `load()`: its engine, its memory, and the storage of its Tensors with the scopes that watch over it. */
import { Engine } from './engine.ts';
import { Heap } from './heap.ts';
import type { RunningCore } from './instantiate.ts';
import type { CoreModule } from './core_module.ts';
import type { FoveaInfo } from './instance_types.ts';
import type { Recorder } from './recorder.ts';
import { Storage } from './storage.ts';

/** Storage of at most so many bytes is watched later than it is made, if it is still there. */
const SMALL_BYTES = 2 ** 16;
/** Small storages that may be waiting to be watched. */
const MOST_YOUNG = 256;

export class Instance {
  readonly engine: Engine;
  readonly heap: Heap;
  readonly info: FoveaInfo;
  /** Null, except while fovea/train differentiates. */
  recorder: Recorder | null = null;
  readonly #forgotten: FinalizationRegistry<number>;
  readonly #scopes: Set<Storage>[] = [];
  /** Registering costs more than a small call, and most storage is freed soon by `dispose` or a scope. */
  readonly #young: Storage[] = [];
  #isTurnOver = true;

  constructor(core: CoreModule, info: FoveaInfo, { maximumBytes, end }: Pick<RunningCore, 'maximumBytes' | 'end'>) {
    const engine = new Engine(core, end);
    const heap = new Heap(engine, maximumBytes);
    this.engine = engine;
    this.heap = heap;
    this.info = info;
    this.#forgotten = new FinalizationRegistry((address) => {
      try {
        heap.release(address);
      } catch {
        // The engine is poisoned now and the next call says so; a finalizer has nobody to tell.
      }
    });
  }

  createStorage(fn: string, floats: number): Storage {
    const storage = this.recorder?.createStorage(fn, floats) ?? new Storage(this.heap.allocate(fn, 4 * floats), floats);
    this.#scopes.at(-1)?.add(storage);
    if (!storage.isRecorded) this.watch(storage);
    return storage;
  }

  /** Frees storage that is forgotten. */
  watch(storage: Storage): void {
    if (4 * storage.floats > SMALL_BYTES) this.#watchNow(storage);
    else this.#watchLater(storage);
  }

  #watchNow(storage: Storage): void {
    storage.watched = true;
    this.#forgotten.register(storage, storage.address, storage);
  }

  /** At the end of the turn, or when too many wait. */
  #watchLater(storage: Storage): void {
    if (this.#isTurnOver) {
      this.#isTurnOver = false;
      void Promise.resolve().then(() => {
        this.#isTurnOver = true;
        this.#watchYoung();
      });
    }
    if (this.#young.push(storage) >= MOST_YOUNG) this.#watchYoung();
  }

  #watchYoung(): void {
    for (const storage of this.#young) if (!storage.disposed) this.#watchNow(storage);
    this.#young.length = 0;
  }

  freeStorage(storage: Storage): void {
    if (storage.disposed) return;
    storage.disposed = true;
    if (storage.watched) this.#forgotten.unregister(storage);
    for (const scope of this.#scopes) scope.delete(storage);
    if (!storage.isRecorded) this.heap.release(storage.address);
    storage.dependents?.forEach((one) => one.dispose());
  }

  openScope(): void {
    this.#scopes.push(new Set());
  }

  /** Whether the innermost scope watches it. */
  isOfScope(storage: Storage): boolean {
    return this.#scopes.at(-1)?.has(storage) ?? false;
  }

  /** Frees all storage made since `openScope` but `kept`, which the enclosing scope watches from now on. */
  closeScope(kept: ReadonlySet<Storage>): void {
    const made = this.#scopes.pop() ?? new Set();
    for (const storage of made) {
      if (kept.has(storage)) this.#scopes.at(-1)?.add(storage);
      else this.freeStorage(storage);
    }
  }
}
