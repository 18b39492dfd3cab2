/** Pointers into the memory of a call, which are known before the memory is there. */
import type { Shape } from '../tensor/shapes.ts';
import { tensorStorage, type Tensor } from '../tensor/tensor.ts';

/** A pointer into wasm memory, whose address is known once the arena is committed. */
export interface Ptr {
  readonly address: number;
}

/** The null pointer. */
export const NULL_PTR: Ptr = { address: 0 };

/** The holder of a call's memory. */
interface Based {
  /** The address of its first byte, once it is there. */
  readonly base: number;
}

/** A class, as a literal with a getter costs more than the rest of reserving. */
export class ArenaPtr implements Ptr {
  readonly #arena: Based;
  readonly #offset: number;

  constructor(arena: Based, offset: number) {
    this.#arena = arena;
    this.#offset = offset;
  }

  get address(): number {
    return this.#arena.base + this.#offset;
  }
}

/** A Tensor that `commit` makes. */
export class PendingTensor implements Ptr {
  readonly shape: Shape;
  tensor: Tensor | null = null;

  constructor(shape: Shape) {
    this.shape = shape;
  }

  get address(): number {
    return tensorStorage(this.tensor!).address;
  }
}
