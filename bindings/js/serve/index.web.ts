/** `fovea/serve` for workers of the web. */
import { fail } from '../errors/errors.ts';
import { trainModules } from '../train/modules.web.ts';
import { startServer } from '../worker/host.web.ts';
import { readServeOptions, type ServeOptions } from './serve_options.ts';

export { AttentionError } from '../errors/errors.ts';

declare const DedicatedWorkerGlobalScope: unknown;

/** Documented in index.ts. */
export function serve(options: ServeOptions): void {
  if (typeof DedicatedWorkerGlobalScope === 'undefined')
    fail('load', 'serve', "it must be called in a Worker's own module; a page calls connect({ worker }) of fovea/worker");
  startServer(readServeOptions(options), trainModules);
}
