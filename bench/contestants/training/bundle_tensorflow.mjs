// TensorFlow.js with its gradients, which its own bundles for pages leave out, as one module for a page: build/bench/tensorflow.mjs.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { benchDir, buildDir } from '../../paths.mjs';

const entry = `
export * as tf from '@tensorflow/tfjs-core';
export * as backend from '@tensorflow/tfjs-backend-wasm';
import '@tensorflow/tfjs-core/dist/register_all_gradients';
`;

export async function bundleTensorflow() {
  const outfile = join(buildDir, 'tensorflow.mjs');
  if (existsSync(outfile)) return;
  const stdin = { contents: entry, resolveDir: benchDir };
  await build({ stdin, outfile, bundle: true, format: 'esm', platform: 'browser', minify: true, logLevel: 'error' });
}
