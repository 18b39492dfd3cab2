/** The Tensors of a worker that its page knows, by number. */
import type { Instance } from '../runtime/instance.ts';
import type { Storage } from '../runtime/storage.ts';
import { tensorStorage, type Tensor } from '../tensor/tensor.ts';
import type { Handle } from './protocol.ts';

export class Handles {
  readonly #instance: Instance;
  readonly #tensors = new Map<Handle, Tensor>();
  readonly #reaching = new Map<Storage, Set<Handle>>();
  readonly #known = new WeakSet<Tensor>();
  #last = 0;

  constructor(instance: Instance) {
    this.#instance = instance;
  }

  add(tensor: Tensor): Handle {
    const handle = ++this.#last;
    const storage = tensorStorage(tensor);
    this.#tensors.set(handle, tensor);
    this.#known.add(tensor);
    const others = this.#reaching.get(storage);
    if (others === undefined) this.#reaching.set(storage, new Set([handle]));
    else others.add(handle);
    return handle;
  }

  get(handle: Handle): Tensor | undefined {
    return this.#tensors.get(handle);
  }

  /** Whether the page has a handle of it already. */
  knows(tensor: Tensor): boolean {
    return this.#known.has(tensor);
  }

  /** Forgets a handle; its memory is freed where no other handle reaches it. */
  drop(handle: Handle): void {
    const tensor = this.#tensors.get(handle);
    if (tensor === undefined) return;
    const storage = tensorStorage(tensor);
    const reaching = this.#reaching.get(storage)!;
    this.#tensors.delete(handle);
    reaching.delete(handle);
    if (reaching.size === 0) this.#forget(storage);
  }

  /** Frees the memory behind a handle, and forgets every handle that reaches it. */
  free(handle: Handle): void {
    const tensor = this.#tensors.get(handle);
    if (tensor === undefined) return;
    const storage = tensorStorage(tensor);
    for (const other of this.#reaching.get(storage)!) this.#tensors.delete(other);
    this.#forget(storage);
  }

  #forget(storage: Storage): void {
    this.#reaching.delete(storage);
    this.#instance.freeStorage(storage);
  }
}
