// Serves a folder of files over HTTP: the built page for `npm start`, and for the browser tests.

import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const TYPES = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.mjs': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
};

const COMPRESSED = new Set(['.css', '.html', '.js', '.json', '.map', '.mjs', '.svg', '.txt', '.wasm']);

/** With these a page may use SharedArrayBuffer, and so threads. */
export const ISOLATION_HEADERS = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

/**
 * Starts a server for the files below `root`.
 *
 * @param {{
 *   root: string,
 *   base?: string, the path under which the files are found, '/' by default; anything else answers 404
 *   port?: number, 0 = any free one
 *   host?: string,
 *   headers?: Record<string, string>,
 *   hashed?: RegExp, paths of files whose names have their hash: a browser asks for them once
 *   intercept?: (path: string) => { status: number, type?: string, body?: string } | { part: number } | undefined, or a promise of it: answers in
 *     place of a file, or that part of the file before the connection ends
 * }} options
 * @returns {Promise<{ url: string, port: number, close: () => Promise<void> }>}
 */
export async function serveFolder({ root, base = '/', port = 0, host = '127.0.0.1', headers = {}, hashed, intercept }) {
  const folder = resolve(root);
  /** Compressed files by path, as long as the file is the same. */
  const compressed = new Map();
  const server = createServer((request, response) => {
    answer(request, response).catch(() => reply(response, 500, 'internal error'));
  });

  async function answer(request, response) {
    for (const [name, value] of Object.entries({
      'Cache-Control': 'no-cache',
      'X-Content-Type-Options': 'nosniff',
      ...headers,
    })) {
      response.setHeader(name, value);
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') return reply(response, 405, 'method not allowed');
    const path = pathOf(request.url);
    if (path === undefined) return reply(response, 400, 'bad path');
    const replaced = await intercept?.(path);
    if (replaced?.status) return reply(response, replaced.status, replaced.body ?? '', replaced.type);
    if (!path.startsWith(base)) return reply(response, 404, 'not found');

    const file = resolve(folder, `.${sep}${path.slice(base.length)}`);
    if (file !== folder && !file.startsWith(folder + sep)) return reply(response, 404, 'not found');
    const found = await fileAt(file);
    if (!found) return reply(response, 404, 'not found');
    if (hashed?.test(path)) response.setHeader('Cache-Control', 'max-age=31536000, immutable');
    const ending = extname(found.path);
    response.setHeader('Content-Type', TYPES[ending] ?? 'application/octet-stream');
    if (COMPRESSED.has(ending)) response.setHeader('Vary', 'Accept-Encoding');
    if (COMPRESSED.has(ending) && replaced?.part === undefined && /\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) {
      const body = await gzipped(found);
      response.writeHead(200, { 'Content-Encoding': 'gzip', 'Content-Length': body.length });
      return response.end(request.method === 'HEAD' ? undefined : body);
    }
    response.writeHead(200, { 'Content-Length': found.size });
    if (replaced?.part !== undefined) {
      const whole = await readFile(found.path);
      return response.write(whole.subarray(0, Math.floor(replaced.part * whole.length)), () => response.destroy());
    }
    if (request.method === 'HEAD') return response.end();
    createReadStream(found.path)
      .on('error', () => response.destroy())
      .pipe(response);
  }

  async function gzipped({ path, changed }) {
    const made = compressed.get(path);
    if (made?.changed === changed) return made.body;
    const body = await promisify(gzip)(await readFile(path));
    compressed.set(path, { changed, body });
    return body;
  }

  await listen(server, port, host);
  const chosen = server.address().port;
  return {
    port: chosen,
    url: `http://${host.includes(':') ? `[${host}]` : host}:${chosen}${base}`,
    close: () =>
      new Promise((done) => {
        server.close(done);
        server.closeAllConnections();
      }),
  };
}

/** The decoded path of a request, or undefined where it is not one. */
function pathOf(url = '/') {
  try {
    const path = decodeURIComponent(url.split(/[?#]/)[0]);
    return path.startsWith('/') && !path.includes('\0') ? path : undefined;
  } catch {
    return undefined;
  }
}

/** The file, or the index.html of a folder. */
async function fileAt(path) {
  try {
    const entry = await stat(path);
    if (entry.isFile()) return { path, size: entry.size, changed: entry.mtimeMs };
    const index = join(path, 'index.html');
    if (!entry.isDirectory()) return undefined;
    const { size, mtimeMs } = await stat(index);
    return { path: index, size, changed: mtimeMs };
  } catch {
    return undefined;
  }
}

function reply(response, status, body, type = 'text/plain; charset=utf-8') {
  if (response.headersSent) return response.destroy();
  response.writeHead(status, { 'Content-Type': type });
  response.end(body);
}

function listen(server, port, host) {
  return new Promise((done, failed) => {
    server.once('error', failed);
    server.listen(port, host, () => {
      server.off('error', failed);
      done();
    });
  });
}

/** Serves the built page on $PORT (8080), or on any free port where that is taken, and prints its URL. */
export async function serve() {
  const root = fileURLToPath(new URL('../web/dist', import.meta.url));
  if (!(await fileAt(root))) throw new Error('web/dist is not built: "npm start" builds and serves it');
  const options = { root, host: process.env.HOST ?? '127.0.0.1', headers: ISOLATION_HEADERS };
  const wanted = Number(process.env.PORT ?? 8080);
  const server = await serveFolder({ ...options, port: wanted }).catch((error) => {
    if (error.code !== 'EADDRINUSE' && error.code !== 'EACCES') throw error;
    console.log(`Port ${wanted} is not free; another one is used.`);
    return serveFolder(options);
  });
  console.log(`fovea is at ${server.url}   (Ctrl+C ends it)`);
  return server;
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) await serve();
