/** Copies in the cache that turn out to be none of the file. */
import { AttentionError } from '../../errors/errors.ts';

/** Thrown when the copy has been dropped, so that reading anew takes the file from its server. */
export class StaleCopy extends AttentionError {
  constructor(fn: string, message: string) {
    super('load', `${fn}: ${message}`);
  }
}

/** The result of `read`, which is called anew while a copy turns out stale: each time one file fewer comes from the cache. */
export async function untilFresh<R>(read: () => Promise<R>): Promise<R> {
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof StaleCopy)) throw error;
    }
  }
}
