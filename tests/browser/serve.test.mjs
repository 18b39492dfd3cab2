// scripts/serve.mjs: right types, nothing outside its folder, headers for threads.

import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { ISOLATION_HEADERS, serveFolder } from '../../scripts/serve.mjs';
import { root } from './support.mjs';

describe('the static server', () => {
  let server;
  before(async () => {
    server = await serveFolder({ root: `${root}web`, base: '/a/b/', headers: ISOLATION_HEADERS });
  });
  after(() => server?.close());

  /** Sends the path as it is: fetch would tidy it first. */
  const get = (path, method = 'GET') =>
    new Promise((done, failed) => {
      request({ port: server.port, host: '127.0.0.1', path, method }, (response) => {
        response
          .resume()
          .on('end', () =>
            done({ status: response.statusCode, type: response.headers['content-type'], headers: response.headers }),
          );
      })
        .on('error', failed)
        .end();
    });

  test('a folder gives its index.html, with the headers that threads need', async () => {
    const { status, type, headers } = await get('/a/b/');
    assert.equal(status, 200);
    assert.equal(type, 'text/html; charset=utf-8');
    assert.equal(headers['cross-origin-opener-policy'], 'same-origin');
    assert.equal(headers['cross-origin-embedder-policy'], 'require-corp');
  });

  test('wasm has its type', async () => {
    const other = await serveFolder({ root: `${root}dist` });
    const response = await fetch(`${other.url}fovea-simd128.wasm`);
    assert.equal(response.headers.get('content-type'), 'application/wasm');
    await other.close();
  });

  test('text and wasm are compressed where the client takes it, and are what the file is', async () => {
    const other = await serveFolder({ root: `${root}dist` });
    const url = `${other.url}fovea-simd128.wasm`;
    const [plain, packed] = await Promise.all(
      ['identity', 'gzip'].map((encoding) => fetch(url, { headers: { 'Accept-Encoding': encoding } })),
    );
    assert.equal(plain.headers.get('content-encoding'), null);
    assert.equal(packed.headers.get('content-encoding'), 'gzip');
    assert.ok(Number(packed.headers.get('content-length')) < 0.5 * Number(plain.headers.get('content-length')));
    assert.deepEqual(await packed.arrayBuffer(), await plain.arrayBuffer());
    await other.close();
  });

  for (const path of [
    '/a/b/../package.json',
    '/a/b/..%2fpackage.json',
    '/a/b/%2e%2e/package.json',
    '/a/b/..%5cpackage.json',
    '/a/b//etc/passwd',
    '/index.html',
    '/a/b/nothing.js',
    '/a/b/%00',
    '/a/b/%zz',
  ]) {
    test(`${path} is not served`, async () => {
      const { status } = await get(path);
      assert.ok(status === 404 || status === 400, `got ${status}`);
    });
  }

  test('only GET and HEAD are answered', async () => {
    assert.equal((await get('/a/b/', 'HEAD')).status, 200);
    assert.equal((await get('/a/b/', 'POST')).status, 405);
  });

  test('a taken port is an error that names it', async () => {
    await assert.rejects(serveFolder({ root, port: server.port }), { code: 'EADDRINUSE' });
  });
});
