/** The program of a worker thread of Node. */
import { parentPort, type TransferListItem } from 'node:worker_threads';
import { nodePlatform } from '../fovea/platform.node.ts';
import { loadWith } from '../fovea/load.ts';
import { Server } from './server.ts';

const server = new Server({
  load: (options) => loadWith(nodePlatform, options),
  importModule: (url) => import(url),
  post: (reply, transfer) => parentPort?.postMessage(reply, transfer as readonly TransferListItem[]),
  yieldToEventLoop: () => new Promise((resolve) => setImmediate(resolve)),
});
parentPort?.on('message', (request) => server.receive(request));
parentPort?.on('messageerror', () => server.onMessageError());
