import type { Plugin } from 'vite';

/** Modules that `run` of fovea/worker loads are called by their default export, which Vite drops of workers' files. */
export function workerExports(): Plugin {
  return {
    name: 'fovea-worker-exports',
    options: (options) => ({ ...options, preserveEntrySignatures: 'strict' }),
  };
}
