import { load } from 'fovea';
import type { Fovea } from 'fovea';

export interface LoadFailure {
  readonly message: string;
  readonly noSimd: boolean;
  /** The core is of another version than the page: an update came in between. */
  readonly stale: boolean;
}

/** The one instance of the package that a page uses. Deterministic: the numbers shown are the same in every engine. */
export class Engine {
  fovea: Fovea | null = $state.raw(null);
  failure: LoadFailure | null = $state.raw(null);

  async load(): Promise<void> {
    this.failure = null;
    try {
      this.fovea = await load({ deterministic: true });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const { supports } = await import('fovea/supports');
      this.failure = { message, noSimd: !supports().simd128, stale: message.includes('of different versions of fovea') };
    }
  }
}
