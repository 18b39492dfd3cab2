/** `fovea/serve` for worker threads of Node. */
import { parentPort } from 'node:worker_threads';
import { fail } from '../errors/errors.ts';
import { trainPlatform } from '../train/platform.node.ts';
import { startServer } from '../worker/host.node.ts';
import { readServeOptions, type ServeOptions } from './serve_options.ts';

export { AttentionError } from '../errors/errors.ts';

/** Documented in index.ts. */
export function serve(options: ServeOptions): void {
  if (parentPort === null)
    fail(
      'load',
      'serve',
      'it must be called in a Worker of node:worker_threads, whose maker calls connect({ worker }) of fovea/worker',
    );
  startServer(parentPort, readServeOptions(options), trainPlatform);
}
