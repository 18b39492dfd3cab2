/** What runs in a worker thread of Node. */
import { parentPort, type TransferListItem } from 'node:worker_threads';
import { nodePlatform } from '../platform.node.ts';
import { loadWith } from '../shared.ts';
import { Server } from './server.ts';

const server = new Server({
  load: (options) => loadWith(nodePlatform, options),
  post: (reply, transfer) => parentPort?.postMessage(reply, transfer as readonly TransferListItem[]),
  breathe: () => new Promise((resolve) => setImmediate(resolve)),
});
parentPort?.on('message', (request) => server.receive(request));
parentPort?.on('messageerror', () => server.misunderstood());
