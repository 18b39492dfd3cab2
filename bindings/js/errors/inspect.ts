/** Names of objects over wasm memory, by Object.prototype.toString and in Node's console, which would print the memory, and their end by `using`. */

/** Gives the class of `prototype` its `name`, and `text` of an object as what Node's console prints, with a note where it is disposed. */
export function nameClass<T extends object>(prototype: T, name: string, text: (object: T) => string): void {
  const define = (key: symbol, value: unknown): unknown => Object.defineProperty(prototype, key, { value, configurable: true });
  define(Symbol.toStringTag, name);
  define(Symbol.for('nodejs.util.inspect.custom'), function (this: T) {
    if (this === prototype) return name;
    return 'disposed' in this && this.disposed === true ? `${text(this)} (disposed)` : text(this);
  });
}

/** Gives the class of `prototype` a Symbol.dispose that calls its `dispose`, where the engine has the symbol: older ones lack it. */
export function disposeByUsing(prototype: { dispose(): void }): void {
  if (typeof Symbol.dispose !== 'symbol') return;
  Object.defineProperty(prototype, Symbol.dispose, {
    value(this: { dispose(): void }) {
      this.dispose();
    },
  });
}
