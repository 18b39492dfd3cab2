// An Emscripten library for the threaded builds: their workers and the size of their memory come from `load`, which knows
// where the package's files are, what the engine allows, and what to do when a worker does not start.
//   Module.workers         one per thread but the caller's, none of them told anything yet
//   Module.maximumMemory   what the memory may grow to, in bytes

Object.assign(LibraryManager.library.$PThread, {
  initMainThread() {
    // None while emcc itself runs the module, to see what it exports.
    PThread.unusedWorkers = [...(Module['workers'] ?? [])];
    addOnPreRun(() => {
      addRunDependency('workers');
      Promise.all(PThread.unusedWorkers.map(PThread.loadWasmModuleToWorker)).then(() => removeRunDependency('workers'));
    });
  },

  // Emscripten's handler, without the messages that the core never causes; errors are for `load`, which listens to them.
  loadWasmModuleToWorker: (worker) =>
    new Promise((loaded) => {
      worker.onmessage = ({ data }) => {
        if (data.cmd === 'checkMailbox') checkMailbox();
        else if (data.cmd === 'cleanupThread') cleanupThread(data.thread);
        else if (data.cmd === 'loaded') {
          worker.unref?.();
          loaded();
        }
      };
      worker.postMessage({ cmd: 'load', handlers: [], wasmMemory, wasmModule });
    }),

  // pthread_create fails when all are in use.
  getNewWorker: () => PThread.unusedWorkers.pop(),
});
delete LibraryManager.library.$PThread.allocateUnusedWorker;
delete LibraryManager.library.$PThread.loadWasmModuleToAllWorkers;

addToLibrary({
  $getHeapMax: () => Module['maximumMemory'],
});
