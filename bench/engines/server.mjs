// A local server for the pages: the repository's files that they need, the headers under which SharedArrayBuffer exists, and a
// place where pages leave results.

import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { benchDir, rootDir } from '../paths.mjs';

const served = /^\/(bench|dist|build\/bench)\//;
const types = { '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript', '.wasm': 'application/wasm' };
const isolation = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/** @returns {Promise<{ port: number, taken: (key: string) => Float32Array, close: () => void }>} */
export async function serve() {
  const posted = new Map();
  const page = await pageText();
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://localhost');
    const reply = (status, headers = {}, body = '') => response.writeHead(status, { ...isolation, ...headers }).end(body);
    try {
      if (request.method === 'POST') {
        const chunks = [];
        for await (const chunk of request) chunks.push(chunk);
        posted.set(searchParams.get('key'), floats(Buffer.concat(chunks)));
        return reply(204);
      }
      if (pathname === '/') return reply(200, { 'Content-Type': 'text/html' }, page);
      const path = normalize(decodeURIComponent(pathname));
      const info = served.test(path) ? await stat(join(rootDir, path)).catch(() => null) : null;
      if (!info?.isFile()) return reply(404);
      const type = types[extname(path)] ?? 'application/octet-stream';
      response.writeHead(200, {
        ...isolation,
        'Content-Type': type,
        'Content-Length': info.size,
        'Cache-Control': 'max-age=600',
      });
      createReadStream(join(rootDir, path)).pipe(response);
    } catch (error) {
      reply(500, {}, String(error));
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: server.address().port,
    /** Returns once the value that a page posted under `key`. */
    taken(key) {
      const values = posted.get(key);
      posted.delete(key);
      return values;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function floats(buffer) {
  return new Float32Array(buffer.buffer.slice(buffer.byteOffset, buffer.byteOffset + buffer.byteLength));
}

/** The page that every contestant runs in. Packages are imported by name: fovea as its package.json exports it to browsers. */
async function pageText() {
  const { exports } = JSON.parse(await readFile(join(rootDir, 'package.json'), 'utf8'));
  const modules = '/bench/node_modules';
  const imports = {
    fovea: exports['.'].default.replace(/^\./, ''),
    'fovea/pattern': exports['./pattern'].default.replace(/^\./, ''),
    'fovea/linear-attention': exports['./linear-attention'].default.replace(/^\./, ''),
    'fovea/ops': exports['./ops'].default.replace(/^\./, ''),
    'fovea/cache': exports['./cache'].default.replace(/^\./, ''),
    'fovea/position': exports['./position'].default.replace(/^\./, ''),
    'fovea/score': exports['./score'].default.replace(/^\./, ''),
    'fovea/nn': exports['./nn'].default.replace(/^\./, ''),
    'fovea/models': exports['./models'].default.replace(/^\./, ''),
    'fovea/train': exports['./train'].default.replace(/^\./, ''),
    'onnxruntime-web': `${modules}/onnxruntime-web/dist/ort.wasm.min.mjs`,
    '@tensorflow/tfjs-core': `${modules}/@tensorflow/tfjs-core/dist/tf-core.fesm.min.js`,
    '@tensorflow/tfjs-backend-wasm': `${modules}/@tensorflow/tfjs-backend-wasm/dist/tf-backend-wasm.fesm.min.js`,
    '@huggingface/transformers': `${modules}/@huggingface/transformers/dist/transformers.web.min.js`,
    'onnxruntime-common': `${modules}/@huggingface/transformers/node_modules/onnxruntime-common/dist/esm/index.js`,
    'onnxruntime-web/webgpu': `${modules}/@huggingface/transformers/node_modules/onnxruntime-web/dist/ort.webgpu.bundle.min.mjs`,
    '@jax-js/jax': `${modules}/@jax-js/jax/dist/index.js`,
  };
  // TensorFlow.js names these for Node; its package.json tells bundlers that browsers have none.
  for (const name of ['fs', 'os', 'path', 'perf_hooks', 'worker_threads']) imports[name] = '/bench/engines/nothing.mjs';
  const template = await readFile(join(benchDir, 'engines/page.html'), 'utf8');
  return template.replace('"IMPORTS"', JSON.stringify(imports));
}
