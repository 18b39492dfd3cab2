/** How objects over wasm memory are named: by Object.prototype.toString, and in Node's console, which would print the memory. */

/** Gives the class of `prototype` its `name`, and `text` of an object as what Node's console prints, with a note where it is disposed. */
export function nameClass<T extends object>(prototype: T, name: string, text: (object: T) => string): void {
  const define = (key: symbol, value: unknown): unknown => Object.defineProperty(prototype, key, { value, configurable: true });
  define(Symbol.toStringTag, name);
  define(Symbol.for('nodejs.util.inspect.custom'), function (this: T) {
    if (this === prototype) return name;
    return 'disposed' in this && this.disposed === true ? `${text(this)} (disposed)` : text(this);
  });
}
