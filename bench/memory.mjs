// How much wasm memory a package takes: every memory that is made or exported after `watchMemory()` counts. wasm memory never
// shrinks, so its size at the end is its peak.

const seen = new Set();

/** Bytes of all wasm memories seen so far. */
export function wasmBytes() {
  return [...seen].reduce((sum, memory) => sum + memory.buffer.byteLength, 0);
}

export function watchMemory() {
  const { Memory, Instance, instantiate, instantiateStreaming } = WebAssembly;
  const note = (instance) => {
    for (const value of Object.values(instance.exports)) if (value instanceof Memory) seen.add(value);
    return instance;
  };
  WebAssembly.Memory = construct(Memory, (memory) => seen.add(memory));
  WebAssembly.Instance = construct(Instance, note);
  const noted = (start) =>
    async function (...args) {
      const result = await start.apply(WebAssembly, args);
      note(result.instance ?? result); // an instance where a module was given
      return result;
    };
  WebAssembly.instantiate = noted(instantiate);
  if (instantiateStreaming) WebAssembly.instantiateStreaming = noted(instantiateStreaming);
}

/** A class that makes what `Original` makes, and shows it to `look`. */
function construct(Original, look) {
  return new Proxy(Original, {
    construct(target, args) {
      const made = new target(...args);
      look(made);
      return made;
    },
  });
}
