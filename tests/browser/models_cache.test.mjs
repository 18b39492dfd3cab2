// Downloads of fovea/models in Chromium, with its own Cache API: one that was cut off goes on, a second load asks for no byte, on a page and in a worker.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { after, before, beforeEach, describe, test } from 'node:test';
import { writeSafetensors } from 'fovea/files';
import { openChromium, openPage, root } from './support.mjs';

const PART = 2 ** 24;

/** A folder of one layer whose words fill more than one part. */
function modelFolder() {
  const [words, width] = [450_000, 12];
  const numbers = (...shape) => ({
    data: Float32Array.from({ length: shape.reduce((a, b) => a * b) }, (_, n) => ((n * 7919) % 1021) / 1021 - 0.5),
    shape,
  });
  const linear = (name, out, inner) => ({ [`${name}.weight`]: numbers(out, inner), [`${name}.bias`]: numbers(out) });
  const norm = (name) => ({ [`${name}.weight`]: numbers(width), [`${name}.bias`]: numbers(width) });
  const layer = 'encoder.layer.0.';
  const weights = {
    'embeddings.word_embeddings.weight': numbers(words, width),
    'embeddings.position_embeddings.weight': numbers(16, width),
    'embeddings.token_type_embeddings.weight': numbers(2, width),
    ...norm('embeddings.LayerNorm'),
    ...['query', 'key', 'value'].reduce(
      (all, name) => ({ ...all, ...linear(`${layer}attention.self.${name}`, width, width) }),
      {},
    ),
    ...{ ...linear(`${layer}attention.output.dense`, width, width), ...norm(`${layer}attention.output.LayerNorm`) },
    ...{ ...linear(`${layer}intermediate.dense`, 8, width), ...linear(`${layer}output.dense`, width, 8) },
    ...norm(`${layer}output.LayerNorm`),
  };
  const config = {
    ...{ architectures: ['BertModel'], model_type: 'bert', vocab_size: words, hidden_size: width, num_hidden_layers: 1 },
    ...{ num_attention_heads: 3, intermediate_size: 8, max_position_embeddings: 16 },
  };
  return new Map([
    ['config.json', Buffer.from(JSON.stringify(config))],
    ['model.safetensors', Buffer.from(writeSafetensors(weights))],
  ]);
}

/** Answers for the folder's files, with a version, conditions and ranges; of weights, `cutAfter` bytes come before the connection breaks. */
function answerFrom(files, state) {
  return async (request, response) => {
    const file = new URL(request.url, 'http://x').pathname.replace('/model/', '');
    const asked = { file, method: request.method, range: request.headers.range, status: 404, bytes: 0 };
    state.asked.push(asked);
    const headers = {
      ...{ 'access-control-allow-origin': '*', 'access-control-expose-headers': 'etag' },
      ...(files.has(file) ? { etag: `"${file}"` } : {}),
    };
    const reply = (status, more = {}) => response.writeHead((asked.status = status), { ...headers, ...more });
    if (request.method === 'OPTIONS') return reply(403).end();
    const whole = files.get(file);
    if (whole === undefined) return reply(404).end();
    if (request.headers['if-none-match'] === headers.etag) return reply(304).end();
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
    const body = whole.subarray(from);
    const range = from === 0 ? {} : { 'content-range': `bytes ${from}-${whole.length - 1}/${whole.length}` };
    reply(from === 0 ? 200 : 206, { ...range, 'content-length': body.length, 'content-type': 'application/octet-stream' });
    if (request.method === 'HEAD') return response.end();
    const most = file === 'model.safetensors' ? Math.min(state.cutAfter, body.length) : body.length;
    asked.bytes = most;
    if (!response.write(body.subarray(0, most))) await Promise.race([once(response, 'drain'), once(response, 'close')]);
    if (most < body.length) setTimeout(() => response.destroy(), 200);
    else response.end();
  };
}

const HTML =
  '<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><script type="module" src="./main.mjs"></script>';
const WORKER = `import { modelFunctions } from './dist/models.web.js';
import { serve } from './dist/serve.web.js';
serve({ functions: modelFunctions });`;
const MAIN = `import { load } from './dist/index.web.js';
import { loadEncoder } from './dist/models.web.js';
import { connect } from './dist/worker.web.js';
const fovea = await load();
let remote;
window.run = async (folder, { there = false, ...options } = {}) => {
  const makeWorker = () => new Worker(new URL('./models_worker.mjs', import.meta.url), { type: 'module' });
  if (there) remote ??= await connect({ worker: makeWorker() });
  try {
    const encoder = await loadEncoder(there ? remote : fovea, folder, { tokenizer: null, ...options });
    const { data } = await encoder.embed([[1, 2, 3]]);
    encoder.dispose();
    return [...data];
  } catch (error) {
    return error.code + ': ' + error.message;
  }
};
window.kept = async () => {
  const names = await caches.keys();
  const urls = names.length === 0 ? [] : (await (await caches.open(names[0])).keys()).map(({ url }) => url);
  return { names, parts: urls.map((url) => url.replace(/.*\\/model\\//, '')).sort() };
};`;

describe('the cache of fovea/models in Chromium', () => {
  const files = modelFolder();
  const size = files.get('model.safetensors').length;
  const state = { asked: [], cutAfter: Infinity };
  const answer = answerFrom(files, state);
  let server, other, browser, opened, page, own, foreign;

  before(async () => {
    const made = {
      '/': ['text/html', HTML],
      '/main.mjs': ['text/javascript', MAIN],
      '/models_worker.mjs': ['text/javascript', WORKER],
    };
    const listening = async (handle) => {
      const server = createServer(handle);
      await new Promise((done) => server.listen(0, '127.0.0.1', done));
      return { url: `http://127.0.0.1:${server.address().port}/`, close: () => (server.closeAllConnections(), server.close()) };
    };
    other = await listening(answer);
    server = await listening(async (request, response) => {
      if (request.url.startsWith('/model/')) return answer(request, response);
      const type = request.url.endsWith('.wasm') ? 'application/wasm' : 'text/javascript';
      const [own, body] = made[request.url] ?? [type, await readFile(`${root}${request.url.slice(1)}`).catch(() => null)];
      response.writeHead(body === null ? 404 : 200, { 'content-type': own }).end(body);
    });
    own = `${server.url}model/`;
    foreign = `${other.url}model/`;
    browser = await openChromium();
    opened = await openPage(browser);
    // The browser's own HTTP cache would answer in the server's place.
    await opened.page.setCacheEnabled(false);
    page = opened.page;
    await page.goto(server.url);
    await page.waitForFunction(() => window.run);
  });
  after(async () => {
    await browser?.close();
    server?.close();
    other?.close();
  });
  beforeEach(() => page.evaluate(() => caches.delete('fovea-models')));

  const run = async (folder, { cutAfter = Infinity, ...options } = {}) => {
    state.asked.length = 0;
    state.cutAfter = cutAfter;
    return page.evaluate((where, given) => window.run(where, given), folder, options);
  };
  const weights = () =>
    state.asked
      .filter(({ file }) => file === 'model.safetensors')
      .map(({ method, status, range, bytes }) => [method, status, range, bytes]);
  const PARTS = ['model.safetensors?fovea-part=0', 'model.safetensors?fovea-part=1'];

  for (const there of [false, true])
    test(`a download that was cut off goes on, and a second load asks for no byte: ${there ? 'in a worker' : 'on the page'}`, async () => {
      const wanted = await run(own, { there, cache: 'none' });
      assert.equal(wanted.length, 12);
      assert.deepEqual(await page.evaluate(() => window.kept()), { names: [], parts: [] });
      assert.match(
        await run(own, { there, cutAfter: PART + 2 ** 20 }),
        /^load: .*model\.safetensors cannot be read to its end/,
      );
      assert.deepEqual(await run(own, { there }), wanted);
      assert.deepEqual(weights(), [
        ['GET', 304, undefined, 0],
        ['GET', 206, `bytes=${PART}-`, size - PART],
      ]);
      assert.deepEqual(await page.evaluate(() => window.kept()), {
        names: ['fovea-models'],
        parts: ['config.json?fovea-part=0', ...PARTS],
      });
      const digest = createHash('sha256').update(files.get('model.safetensors')).digest('base64');
      assert.deepEqual(await run(own, { there, integrity: { 'model.safetensors': `sha256-${digest}` } }), wanted);
      assert.deepEqual(weights(), [['GET', 304, undefined, 0]]);
    });

  test('of another origin, without a request that asks for permission', async () => {
    const wanted = await run(foreign, { cache: 'none' });
    await run(foreign, { cutAfter: PART + 2 ** 20 });
    assert.deepEqual(await run(foreign), wanted);
    assert.deepEqual(weights(), [
      ['HEAD', 200, undefined, 0],
      ['GET', 206, `bytes=${PART}-`, size - PART],
    ]);
    assert.deepEqual(await run(foreign), wanted);
    assert.deepEqual(weights(), [['HEAD', 200, undefined, 0]]);
  });

  test('a quota that is used up: the model loads all the same', async () => {
    const session = await page.createCDPSession();
    const wanted = await run(own, { cache: 'none' });
    await session.send('Storage.overrideQuotaForOrigin', { origin: new URL(own).origin, quotaSize: 2 ** 20 });
    assert.deepEqual(await run(own), wanted);
    const { parts } = await page.evaluate(() => window.kept());
    assert.ok(!parts.includes(PARTS[0]), `${parts}`);
    await session.send('Storage.overrideQuotaForOrigin', { origin: new URL(own).origin });
  });
});
