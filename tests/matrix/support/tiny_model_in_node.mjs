// The vectors of the projects' small model, by the packed package in Node.

import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { makeProject } from './consumers.mjs';

const source = new URL('tiny_model.js', import.meta.url);
const program = `import { load } from 'fovea';
import { loadEncoder } from 'fovea/models';
import { folder, texts } from './tiny_model.js';
export const { data, shape } = await (await loadEncoder(await load({ deterministic: true }), folder)).embed(texts);
`;

let vectors;

/** @returns {Promise<{ data: Float32Array, shape: number[] }>} */
export function expectedVectors() {
  vectors ??= compute();
  return vectors;
}

async function compute() {
  const project = await makeProject(`tiny-model-${process.pid}`, { 'main.js': program });
  await copyFile(source, join(project, 'tiny_model.js'));
  return import(pathToFileURL(join(project, 'main.js')).href);
}
