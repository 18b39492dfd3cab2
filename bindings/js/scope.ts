/** `fovea.scope`: frees the Tensors that a function made, but those reachable from what it returns. */
import { fail } from './errors.ts';
import type { Instance, Storage } from './instance.ts';
import { isTensor, tensorStorage, type Tensor } from './tensor.ts';
import { describe } from './errors.ts';

const ASYNC = 'an async function goes on after scope has ended; use `using` or dispose() there';

export function scope<R>(instance: Instance, body: () => R): R {
  const fn = 'scope';
  instance.engine.check(fn);
  if (typeof body !== 'function') fail('value', fn, `fn must be a function, got ${describe(body)}`);
  if (Object.prototype.toString.call(body) === '[object AsyncFunction]') fail('option', fn, ASYNC);
  const kept = new Set<Storage>();
  instance.openScope();
  try {
    const result = body();
    if (isThenable(result)) {
      result.then(undefined, () => {}); // its failure, after what is thrown here, would be nobody's
      fail('option', fn, ASYNC);
    }
    const tensors = reachableTensors(result);
    for (const tensor of tensors) kept.add(tensorStorage(tensor));
    passOwnership(tensors);
    return result;
  } finally {
    instance.closeScope(kept);
  }
}

/** Tensors in the value itself, in arrays, plain objects, Maps and Sets. */
function reachableTensors(value: unknown): Set<Tensor> {
  const tensors = new Set<Tensor>();
  const seen = new Set<object>();
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null || seen.has(next)) continue;
    seen.add(next);
    if (isTensor(next)) tensors.add(next);
    else if (ArrayBuffer.isView(next)) continue;
    else if (next instanceof Map) open.push(...next.keys(), ...next.values());
    else if (next instanceof Set || Array.isArray(next)) for (const entry of next) open.push(entry);
    else open.push(...Object.values(next));
  }
  return tensors;
}

/** Where only views of an allocation are returned, the first of them owns it from now on: somebody must be able to free it. */
function passOwnership(tensors: ReadonlySet<Tensor>): void {
  for (const tensor of tensors) {
    const storage = tensorStorage(tensor);
    if (!tensors.has(storage.owner as Tensor)) storage.owner = tensor;
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
