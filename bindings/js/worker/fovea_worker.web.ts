/** The program of a worker of the web. */
import { emptyRecord } from '../errors/options.ts';
import { startServer } from './host.web.ts';

startServer(emptyRecord(), null);
