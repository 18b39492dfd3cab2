// Building a page that uses the package: with esbuild, which copies no asset by itself, and with Vite, which does.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';
import * as vite from 'vite';
import { root } from './project.mjs';

const newer = join(root, 'tests/runtimes/node_modules/vite/dist/node/index.js');

/** The root's Vite, and the newer one of tests/runtimes where it was installed. */
export const vites = [vite, ...(existsSync(newer) ? [await import(pathToFileURL(newer))] : [])];

/** Bundles `entry` of a project into `outdir`. */
export function bundleWithEsbuild(project, entry, outdir, options) {
  const common = { bundle: true, format: 'esm', platform: 'browser', target: 'es2022', minify: true, logLevel: 'silent' };
  return esbuild.build({ ...common, absWorkingDir: project, entryPoints: [entry], outdir, ...options });
}

/** Builds the page in a folder, which must give no message; returns the folder of its assets. */
export async function buildWithVite(folder, { build } = vite) {
  const messages = [];
  const note = (message) => messages.push(message);
  const logger = {
    info() {},
    warn: note,
    warnOnce: note,
    error: note,
    clearScreen() {},
    hasErrorLogged: () => false,
    hasWarned: false,
  };
  // Vite writes it, and what runs afterwards in this process is no production.
  const { NODE_ENV } = process.env;
  await build({
    root: folder,
    base: './',
    configFile: false,
    customLogger: logger,
    build: { target: 'es2022', modulePreload: false },
  });
  if (NODE_ENV === undefined) delete process.env.NODE_ENV;
  else process.env.NODE_ENV = NODE_ENV;
  assert.deepEqual(messages, []);
  return join(folder, 'dist/assets');
}
