/** Which Instance is behind a public object: a worker does its calls in slices, which the public methods do not. */
import type { Instance } from './instance.ts';

const instances = new WeakMap<object, Instance>();

export function rememberInstance(fovea: object, instance: Instance): void {
  instances.set(fovea, instance);
}

export function instanceOf(fovea: object): Instance {
  return instances.get(fovea)!;
}
