/** What runs in a worker thread of Node. */
import { parentPort, type TransferListItem } from 'node:worker_threads';
import { load } from '../index.node.ts';
import { Server } from './server.ts';

const server = new Server({
  load,
  post: (reply, transfer) => parentPort?.postMessage(reply, transfer as readonly TransferListItem[]),
  breathe: () => new Promise((resolve) => setImmediate(resolve)),
});
parentPort?.on('message', (request) => server.receive(request));
parentPort?.on('messageerror', () => server.misunderstood());
