// `npm start`: makes what is missing, builds the page and the documentation beside it, serves them and prints their URL.

import { ready, run } from './ready.mjs';

ready();
run('npm', 'run', '--silent', 'build:page');
run('npm', 'run', '--silent', 'build:docs');
const { serve } = await import('./serve.mjs');
await serve();
