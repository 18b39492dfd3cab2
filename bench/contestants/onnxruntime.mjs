// onnxruntime-web on its wasm (CPU) backend. It has no tensors that stay in wasm memory: each call copies its inputs in and its
// outputs out, which is part of the time, as for any user.

import * as ort from 'onnxruntime-web';
import * as encoders from '../peers/encoder.mjs';
import * as graphs from '../peers/graphs.mjs';

/** Imports the package and sets how many threads it uses. */
export function start(threads, environment) {
  ort.env.wasm.numThreads = threads;
  ort.env.logLevel = 'error';
  if (environment.browser) ort.env.wasm.wasmPaths = environment.onnxruntime;
  return ort;
}

export async function load({ threads, options, environment }) {
  start(threads, environment);
  return { info: { threads, variant: options.graph }, prepare };

  async function prepare(shape, arrays) {
    const { model, feeds, read } = { ...graphs, ...encoders }[options.graph](shape, arrays, options);
    const session = await ort.InferenceSession.create(model, { executionProviders: ['wasm'], graphOptimizationLevel: 'all' });
    const tensors = Object.fromEntries(
      Object.entries(feeds).map(([name, [data, dims]]) => [name, new ort.Tensor('float32', data, dims)]),
    );
    let result;
    return {
      async run() {
        result = await session.run(tensors);
      },
      output: () => read(result.Y.data),
    };
  }
}
