// Before Emscripten's minimal runtime, which instantiates the module itself and would lose an error: `load` does it.
//   Module.instantiateWasm   takes the imports, and a function for the instance

var WebAssembly = {
  instantiate: (_, imports) => ({
    then: (receive) => Module['instantiateWasm'](imports, (instance) => receive({ instance })),
  }),
};
