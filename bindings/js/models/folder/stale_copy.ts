/** Copies in the cache that turn out to be none of the file. */
import { AttentionError } from '../../errors/errors.ts';

/** Thrown after a bad copy was removed from the cache: a second read downloads the file. */
export class StaleCopy extends AttentionError {
  constructor(fn: string, message: string) {
    super('load', `${fn}: ${message}`);
  }
}

/** Calls `read` again while a cached copy turns out stale. Each retry takes one file fewer from the cache, so it ends. */
export async function untilFresh<R>(read: () => Promise<R>): Promise<R> {
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof StaleCopy)) throw error;
    }
  }
}
