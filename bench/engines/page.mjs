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
  async foveaBytes(variant) {
    const response = await fetch(`/dist/fovea-${variant}.wasm`);
    if (!response.ok) throw new Error(`fovea-${variant}.wasm: ${response.status}`);
    return await response.arrayBuffer();
  },
  limits: at('/build/bench/'),
  onnxruntime: at('/bench/node_modules/onnxruntime-web/dist/'),
  tensorflow: at('/bench/node_modules/@tensorflow/tfjs-backend-wasm/dist/'),
});

/** Leaves the last output, or some rows of it, with the server, under `key`. */
async function postOutput(key, rows) {
  await fetch(`/?key=${encodeURIComponent(key)}`, { method: 'POST', body: new Float32Array(await agent.output(rows)) });
}

globalThis.agent = { ...agent, postOutput };

const cold = new URLSearchParams(location.search).get('cold');
if (cold !== null) globalThis.cold = runCold(JSON.parse(cold));

/** Milliseconds since navigation started: when the package was up, and when the first result was there. */
async function runCold({ contestant, threads, shape }) {
  await agent.load({ ...contestant, threads });
  const ready = performance.now();
  await agent.prepare(shape);
  await agent.first();
  return { ready, result: performance.now() };
}
