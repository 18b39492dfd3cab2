/** `fovea.scope`: frees the Tensors that a function made, but those reachable from what it returns. */
import { describe, fail } from '../errors/errors.ts';
import { tagOf } from '../errors/objects.ts';
import { isFunction, isRevoked } from '../errors/options.ts';
import type { Instance } from '../runtime/instance.ts';
import type { Storage } from '../runtime/storage.ts';
import { reachable } from './reachable.ts';
import { isTensor, tensorStorage, type Tensor } from './tensor.ts';

const ASYNC = 'an async function goes on after scope has ended; use `using` or dispose() there';

export function scope<R>(instance: Instance, body: () => R): R {
  const fn = 'scope';
  instance.engine.check(fn);
  if (!isFunction(body)) fail('value', fn, `fn must be a function, got ${describe(body)}`);
  if (tagOf(body) === 'AsyncFunction') fail('option', fn, ASYNC);
  const kept = new Set<Storage>();
  instance.openScope();
  try {
    const result = body();
    if (isThenable(result)) {
      result.then(undefined, () => {}); // its failure, after what is thrown here, would be nobody's
      fail('option', fn, ASYNC);
    }
    const tensors = reachable(result, isTensor);
    for (const tensor of tensors) kept.add(tensorStorage(tensor));
    passOwnership(instance, tensors);
    return result;
  } finally {
    instance.closeScope(kept);
  }
}

/**
 * Where only views of an allocation are returned, the first of them owns it from now on: somebody must be able to free it.
 * A Tensor made outside keeps its owner there.
 */
function passOwnership(instance: Instance, tensors: ReadonlySet<Tensor>): void {
  for (const tensor of tensors) {
    const storage = tensorStorage(tensor);
    if (instance.isOfScope(storage) && !tensors.has(storage.owner as Tensor)) storage.owner = tensor;
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && !isRevoked(value) && 'then' in value && isFunction(value.then);
}
