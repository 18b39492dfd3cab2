/** From the public object to its Instance. */
import { describe, fail } from '../errors/errors.ts';
import type { Instance } from './instance.ts';
import { internalsOf } from './internals.ts';

/** The Instance behind what `load` returned; throws for anything else, and where nothing can be computed any more. */
export function instanceOf(fn: string, fovea: unknown): Instance {
  const instance = internalsOf<Instance>(fn, fovea, 'instance');
  if (instance === undefined)
    return fail('value', fn, `fovea must be what load() returned, on this thread, got ${describe(fovea)}`);
  instance.engine.check(fn);
  return instance;
}
