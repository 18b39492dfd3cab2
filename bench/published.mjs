// The curve that the page's laboratory shows beside a visitor's own: dense attention by the number of tokens, of a whole run, in Chromium
// on one thread, with its date, machine and versions.
//   node bench/published.mjs [results.json]

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { resultsFile } from './paths.mjs';
import { bestOf, entryOf, legOf, limitOf, shapeOf } from './results.mjs';

const target = fileURLToPath(new URL('../web/laboratory/published.json', import.meta.url));
const ids = ['n128', 'n512', 'n1024', 'n2048', 'n4096'];
const contestants = {
  fovea: ({ id }) => id === 'fovea',
  'TensorFlow.js': ({ id }) => id === 'tfjs',
  'onnxruntime-web': (one) => one.package === 'onnxruntime-web' && !one.int8,
  'jax-js': ({ id }) => id === 'jax-js',
};
const packages = {
  fovea: 'fovea',
  'TensorFlow.js': '@tensorflow/tfjs-backend-wasm',
  'onnxruntime-web': 'onnxruntime-web',
  'jax-js': '@jax-js/jax',
};

/** Milliseconds of the fastest of each package, null where it was left out or failed. */
export function publishedCurve(results) {
  const leg = legOf(results, 'chromium', 1);
  const entries = ids.map((id) => entryOf(leg, id));
  const digits = (x) => Number(x.toPrecision(4));
  const { heads, width } = shapeOf(ids[0]);
  return {
    ...results.machine,
    browser: `Chromium ${leg.version}`,
    threads: leg.threads,
    heads,
    width,
    limit: digits(Math.max(...entries.map((entry) => limitOf(entry)))),
    tokens: ids.map((id) => shapeOf(id).queries),
    packages: Object.entries(contestants).map(([name, isIts]) => ({
      name,
      version: results.versions[packages[name]],
      milliseconds: entries.map((entry) => {
        const best = bestOf(entry, isIts);
        return best ? digits(best.median) : null;
      }),
    })),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const results = JSON.parse(readFileSync(process.argv[2] ?? resultsFile, 'utf8'));
  writeFileSync(target, `${JSON.stringify(publishedCurve(results), null, 1)}\n`);
}
