/** `fovea/worker` for Node. */
import { Worker } from 'node:worker_threads';
import { connectWith, type WorkerPlatform } from './connect.ts';
import { MUST_SERVE } from './start.ts';
import type { Channel, ChannelEvents } from './channel.ts';
import type { RemoteFovea } from './remote_fovea.ts';
import type { ConnectOptions } from './remote_types.ts';

export { AttentionError } from '../errors/errors.ts';
export { RemoteTensor } from './remote_tensor.ts';

/** Without the process's own arguments: some, such as --input-type, stop a worker from starting. */
const startScript = (): Worker =>
  new Worker(new URL('./fovea-worker.node.js', import.meta.url), { name: 'fovea-worker', execArgv: [] });

/** A worker does not keep the process from ending unless it is held. */
function channelTo(worker: Worker, events: ChannelEvents): Channel {
  worker.on('message', (reply) => events.reply(reply));
  worker.on('messageerror', (error) => events.broken('a message of it cannot be read', error));
  worker.on('error', (error: unknown) => events.broken(error instanceof Error ? error.message : String(error), error));
  const why = (code: number): string => (code === 0 ? `by itself; ${MUST_SERVE}` : `with code ${code}`);
  worker.on('exit', (code) => events.broken(`it ended ${why(code)}`, undefined));
  return {
    post: (message, transfer) => worker.postMessage(message, transfer as ArrayBuffer[]),
    hold: (held) => (held ? worker.ref() : worker.unref()),
    terminate: () => void worker.terminate(),
  };
}

const node: WorkerPlatform = {
  start: (events, worker) => channelTo((worker as Worker | undefined) ?? startScript(), events),
  isWorker: (value): value is Worker => value instanceof Worker,
  workerKind: 'a Worker of node:worker_threads',
  absolute: (url) => url,
};

/** Documented in index.ts. */
export function connect(options?: ConnectOptions): Promise<RemoteFovea> {
  return connectWith(node, options);
}
