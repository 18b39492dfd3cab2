// `npm start`: makes what is missing, builds the page, serves it and prints its URL.

import { ready, run } from './ready.mjs';

ready();
run('npm', 'run', '--silent', 'build:page');
const { serve } = await import('./serve.mjs');
await serve();
