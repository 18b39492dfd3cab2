// `npm start`: makes what is missing, builds the page and the documentation beside it, serves them and prints their URL.

import { ready, run } from './ready.mjs';

await ready();
await run('npm', 'run', '--silent', 'build:page');
await run('npm', 'run', '--silent', 'build:docs');
const { serve } = await import('./serve.mjs');
await serve();
