/** Compiled patterns, kept from call to call for each instance: the core owns their memory. */
import type { Engine } from '../runtime/engine.ts';
import type { Instance } from '../runtime/instance.ts';

const MOST_PLANS = 16;
const MOST_BYTES = 64 * 2 ** 20;

export interface Plan {
  readonly address: number;
  readonly bytes: number;
  /** Calls under way. */
  users: number;
}

export class PlanCache {
  readonly #engine: Engine;
  /** By program and all else that is compiled in; the least recently used first. */
  readonly #plans = new Map<string, Plan>();
  readonly #numbers = new WeakMap<object, number>();
  readonly #forgotten: FinalizationRegistry<number>;
  #programs = 0;
  #bytes = 0;

  constructor(engine: Engine) {
    this.#engine = engine;
    this.#forgotten = new FinalizationRegistry((number) => {
      try {
        this.#drop((key) => key.startsWith(`${number}:`));
      } catch {
        // The engine is poisoned now and the next call says so; a finalizer has nobody to tell.
      }
    });
  }

  /** How many there are, and their bytes of wasm memory. */
  get held(): { readonly plans: number; readonly bytes: number } {
    return { plans: this.#plans.size, bytes: this.#bytes };
  }

  /** The key of what is compiled out of a program and some numbers. */
  keyOf(program: object, numbers: readonly number[]): string {
    let number = this.#numbers.get(program);
    if (number === undefined) {
      number = ++this.#programs;
      this.#numbers.set(program, number);
      this.#forgotten.register(program, number);
    }
    return `${number}:${numbers.join()}`;
  }

  /** The plan of this key, for a call that must `leave` it; `compile` makes it where there is none. */
  use(key: string, compile: () => { readonly address: number; readonly bytes: number }): Plan {
    const known = this.#plans.get(key);
    this.#plans.delete(key);
    const plan = known ?? { ...compile(), users: 0 };
    if (known === undefined) this.#bytes += plan.bytes;
    this.#plans.set(key, plan);
    plan.users++;
    return plan;
  }

  /** Ends a use, and frees what has become too many. */
  leave(plan: Plan): void {
    plan.users--;
    this.#drop(() => this.#plans.size > MOST_PLANS || this.#bytes > MOST_BYTES);
  }

  /** Frees all that no call uses. */
  clear(): void {
    this.#drop(() => true);
  }

  #drop(isWanted: (key: string) => boolean): void {
    for (const [key, { address, bytes, users }] of this.#plans) {
      if (users > 0 || !isWanted(key)) continue;
      this.#plans.delete(key);
      this.#bytes -= bytes;
      this.#engine.release(address);
    }
  }
}

const caches = new WeakMap<Instance, PlanCache>();

/** The plans of an instance. */
export function plansOf(instance: Instance): PlanCache {
  let plans = caches.get(instance);
  if (plans === undefined) caches.set(instance, (plans = new PlanCache(instance.engine)));
  return plans;
}
