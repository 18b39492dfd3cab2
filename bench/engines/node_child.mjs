// The agent in a Node process, told what to do by messages.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { createAgent } from '../agent.mjs';
import { buildDir, rootDir } from '../paths.mjs';

// The package by its name, as its package.json exports it to Node.
const resolve = createRequire(`${rootDir}package.json`).resolve;

const agent = createAgent({
  browser: false,
  fovea: pathToFileURL(resolve('fovea')).href,
  foveaPattern: pathToFileURL(resolve('fovea/pattern')).href,
  foveaLinear: pathToFileURL(resolve('fovea/linear-attention')).href,
  foveaOps: pathToFileURL(resolve('fovea/ops')).href,
  foveaScore: pathToFileURL(resolve('fovea/score')).href,
  foveaCache: pathToFileURL(resolve('fovea/cache')).href,
  foveaPosition: pathToFileURL(resolve('fovea/position')).href,
  foveaModules: pathToFileURL(resolve('fovea/nn')).href,
  foveaBytes: (variant) => readFile(resolve(`fovea/wasm/${variant}.wasm`)),
  limits: pathToFileURL(`${buildDir}/`).href,
});

process.on('message', async ({ method, args }) => {
  try {
    process.send({ value: await agent[method](...args) });
  } catch (error) {
    process.send({ error: error?.message ?? String(error) });
  }
});

process.on('disconnect', () => process.exit());
