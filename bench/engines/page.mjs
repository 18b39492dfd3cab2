// The agent in a page, as `globalThis.agent`. With `?cold=…` the page runs by itself and leaves its marks in `globalThis.cold`.

import { createAgent } from '../agent.mjs';

const at = (path) => new URL(path, location.origin).href;

const agent = createAgent({
  browser: true,
  fovea: 'fovea',
  foveaPattern: 'fovea/pattern',
  foveaLinear: 'fovea/linear-attention',
  foveaOps: 'fovea/ops',
  foveaScore: 'fovea/score',
  foveaCache: 'fovea/cache',
  foveaPosition: 'fovea/position',
  foveaModules: 'fovea/nn',
  foveaModels: 'fovea/models',
  foveaTrain: 'fovea/train',
  async foveaBytes(variant) {
    const response = await fetch(`/dist/fovea-${variant}.wasm`);
    if (!response.ok) throw new Error(`fovea-${variant}.wasm: ${response.status}`);
    return await response.arrayBuffer();
  },
  limits: at('/build/bench/'),
  onnxruntime: at('/bench/node_modules/onnxruntime-web/dist/'),
  transformers: '@huggingface/transformers',
  transformersWasm: at('/bench/node_modules/@huggingface/transformers/node_modules/onnxruntime-web/dist/'),
  tensorflow: at('/bench/node_modules/@tensorflow/tfjs-backend-wasm/dist/'),
  tensorflowTraining: at('/build/bench/tensorflow.mjs'),
});

/** Leaves the last output, or some rows of it, with the server, under `key`. */
async function postOutput(key, rows) {
  await fetch(`/?key=${encodeURIComponent(key)}`, { method: 'POST', body: new Float32Array(await agent.output(rows)) });
}

globalThis.agent = { ...agent, postOutput };

const cold = new URLSearchParams(location.search).get('cold');
if (cold !== null) globalThis.cold = runFrom(JSON.parse(cold));

function runFrom(request) {
  return request.model ? runColdModel(request) : runCold(request);
}

/** Milliseconds since navigation started: when the package was up, and when the first result was there. */
async function runCold({ contestant, threads, shape }) {
  await agent.load({ ...contestant, threads });
  const ready = performance.now();
  await agent.prepare(shape);
  await agent.first();
  return { ready, result: performance.now() };
}

/** Milliseconds from the import of a package to a model's first vector, and the paths of all files that came. */
async function runColdModel({ model, way, texts, ...task }) {
  performance.setResourceTimingBufferSize(1000);
  const start = performance.now();
  await agent.openModel({ id: model, ways: [way], ...task });
  await agent.runModel(way, texts);
  const milliseconds = performance.now() - start;
  const files = performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname);
  return { milliseconds, files: [...new Set(files)] };
}
