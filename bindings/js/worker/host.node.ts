/** A worker thread of Node that serves: the package's own, or a module of the caller's. */
import type { MessagePort, TransferListItem } from 'node:worker_threads';
import { nodePlatform } from '../fovea/platform.node.ts';
import { loadWith, type Platform } from '../fovea/load.ts';
import { Server } from './server.ts';
import type { ServedFunction } from './served_types.ts';

/**
 * @param port - leads to the thread that made this one
 * @param training - where modules that have gradients come from; null in the package's own script
 */
export function startServer(
  port: MessagePort,
  functions: Readonly<Record<string, ServedFunction>>,
  training: Platform | null,
): void {
  const server = new Server(
    {
      load: (options) => loadWith(nodePlatform, options),
      loadForTraining: training && ((options) => loadWith(training, options)),
      post: (reply, transfer) => port.postMessage(reply, transfer as readonly TransferListItem[]),
      yieldToEventLoop: () => new Promise((resolve) => setImmediate(resolve)),
    },
    functions,
  );
  port.on('message', (request) => server.receive(request));
  port.on('messageerror', () => server.onMessageError());
}
