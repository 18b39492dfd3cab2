/** A call that the worker has not answered yet. */
import type { SentValue } from './protocol.ts';

export interface Pending {
  readonly name: string;
  readonly onMessage: ((sent: SentValue) => void) | undefined;
  readonly succeed: (sent: SentValue) => void;
  readonly fail: (error: unknown) => void;
  /** Why it was given up; the worker has been told, and its answer is still awaited, for the Tensors in it. */
  abort: { readonly reason: unknown } | null;
}
