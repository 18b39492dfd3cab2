/** Reading objects of any class: those of other realms, of other libraries, and of the caller. */

/** The name by which an object tells its kind: 'Map', 'URL', 'WebAssembly.Module'. */
export function tagOf(value: unknown): string {
  try {
    return Object.prototype.toString.call(value).slice(8, -1);
  } catch {
    return 'Object'; // a proxy that was revoked
  }
}

/** A property of the object or of its class: of what holds arrays, which may be an instance of the caller's own class. */
export function readProperty(object: object, name: string): unknown {
  return name in Object.prototype && !Object.hasOwn(object, name) ? undefined : object[name as never];
}

/** The property in which some libraries write a shape on a typed array itself, where nobody who copies the numbers sees it. */
export function shapeProperty(array: object): 'shape' | 'dims' | undefined {
  return (['shape', 'dims'] as const).find((name) => readProperty(array, name) !== undefined);
}
