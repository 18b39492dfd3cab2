// Runs a bundle made for pages in Node: `node as_page.mjs BUNDLE`. Its fetch answers file: URLs as a server would, and what was
// asked for is printed on stderr, one URL a line.

import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

globalThis.fetch = async (url) => {
  process.stderr.write(`${url}\n`);
  return new Response(await readFile(new URL(url)), { headers: { 'content-type': 'application/wasm' } });
};
await import(pathToFileURL(resolve(process.argv[2])));
