/** The program of a worker thread of Node. */
import { parentPort } from 'node:worker_threads';
import { emptyRecord } from '../errors/options.ts';
import { startServer } from './host.node.ts';

if (parentPort !== null) startServer(parentPort, emptyRecord(), null);
