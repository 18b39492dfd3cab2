/** Steps of decoding as repeated calls: one for each set of caches that is being decoded. */
import type { PlannedAppend } from '../attention/options/cache_source.ts';
import type { CallArena } from '../call/call_arena.ts';
import { RepeatedCall } from '../call/repeated_call.ts';
import type { Instance } from '../runtime/instance.ts';
import { tensorStorage, type Tensor } from '../tensor/tensor.ts';

/**
 * Whether each sequence gets one token, and no cache moves rows for it.
 * @internal
 */
export function isOneStep(tokens: number, appends: readonly PlannedAppend[]): boolean {
  return tokens === 1 && appends.every(({ window }) => window === Infinity);
}

/**
 * Where `body` fails, no cache has more tokens than before.
 * @internal
 */
export function undoOnError<R>(appends: readonly PlannedAppend[], body: () => R): R {
  try {
    return body();
  } catch (error) {
    for (const { undo } of appends) undo();
    throw error;
  }
}

/** The most sets of caches whose calls are kept: with more, the one used longest ago is planned again. */
const MOST = 4;

/** @internal */
export class RepeatedSteps<Places> {
  /** The one used last stands last. */
  readonly #calls = new Map<string, RepeatedCall<Places>>();

  /**
   * One step of all sequences of the caches. `plan` also plans the appends.
   *
   * @param weight one of the module's: what the calls hold is freed with it, at the end of a scope too.
   */
  run(
    fn: string,
    instance: Instance,
    weight: Tensor,
    appends: readonly PlannedAppend[],
    { plan, fill }: { readonly plan: (arena: CallArena) => Places; readonly fill: (places: Places) => void },
  ): Places {
    (tensorStorage(weight).dependents ??= new Set()).add(this);
    const places = appends.map(({ place }) => place).join();
    const call = this.#calls.get(places) ?? new RepeatedCall<Places>(instance);
    this.#calls.delete(places);
    this.#calls.set(places, call);
    const [oldest] = this.#calls.keys();
    if (this.#calls.size > MOST) {
      this.#calls.get(oldest!)!.dispose();
      this.#calls.delete(oldest!);
    }
    const skip = (): void => appends.forEach(({ count }) => count());
    return undoOnError(appends, () => call.run(fn, appends[0]!.position, { plan, skip, fill }));
  }

  dispose(): void {
    for (const call of this.#calls.values()) call.dispose();
    this.#calls.clear();
  }
}
