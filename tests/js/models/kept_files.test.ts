/** The cache of downloads: cut-off ones go on, unchanged files come from the cache, and a cache that fails changes nothing. */
// In a process of its own: what runs before each of its tests gives the process a cache.
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { AttentionError } from 'fovea';
import { loadEncoder, type LoadModelOptions, type LoadProgress } from 'fovea/models';
import { ENCODER_CONFIGS } from '../support/model_configs.ts';
import { MemoryCaches } from '../support/memory_caches.ts';
import { addWeights, jsonFile, testModel } from '../support/model_folder.ts';
import { ModelServer, type ModelServerOptions } from '../support/model_server.ts';
import type { Values } from '../support/transformer_reference.ts';
import { assertSameBits } from '../support/truth_bounds.ts';
import { loadForTests } from '../support/truth_instance.ts';

const PART = 2 ** 24;
const WEIGHTS = 'model.safetensors';

const fovea = await loadForTests();
const server = new ModelServer();
let base = '';
let caches: MemoryCaches;

before(async () => void (base = await server.listen()));
after(() => {
  server.close();
  fovea.dispose();
});
beforeEach(() => useCaches((caches = new MemoryCaches())));
afterEach(() => {
  delete (globalThis as { caches?: unknown }).caches;
  delete (globalThis as { location?: unknown }).location;
});

function useCaches(value: unknown): void {
  Object.defineProperty(globalThis, 'caches', { value, configurable: true });
}

const small = testModel({ config: ENCODER_CONFIGS['bert, 3 heads of 4']! });

/** The folder of a model whose words fill `parts` parts and a tenth, with `beyond` weights behind it that no encoder uses. */
function largeFolder(parts: number, seed: number, beyond = 0): Map<string, Uint8Array> {
  const words = Math.ceil(((parts + 0.1) * PART) / 48);
  const data = Float64Array.from({ length: words * 12 }, (_, n) => Math.fround(((n * 7919 + seed) % 1021) / 1021));
  const weights = new Map<string, Values>(small.weights);
  weights.set('embeddings.word_embeddings.weight', { data, shape: [words, 12] });
  if (beyond > 0) weights.set('unused.weight', { data: new Float64Array(beyond), shape: [beyond] });
  const files = new Map([['config.json', jsonFile({ ...small.config, vocab_size: words })]]);
  addWeights(files, weights);
  return files;
}

const large = largeFolder(1, 1);
const size = large.get(WEIGHTS)!.length;

async function vectorsOf(options: LoadModelOptions = {}, folder = base): Promise<Float32Array> {
  const { live } = fovea.memory();
  const encoder = await loadEncoder(fovea, folder, { tokenizer: null, ...options });
  const { data } = await encoder.embed([[1, 2, 3], [39]]);
  encoder.dispose();
  assert.equal(fovea.memory().live, live);
  return data;
}

async function vectorsIn(files: ReadonlyMap<string, Uint8Array>): Promise<Float32Array> {
  const encoder = await loadEncoder(fovea, files, { tokenizer: null });
  const { data } = await encoder.embed([[1, 2, 3], [39]]);
  encoder.dispose();
  return data;
}

const wanted = await vectorsIn(large);

async function failsToLoad(code: string, message: RegExp, options: LoadModelOptions = {}): Promise<void> {
  const { live } = fovea.memory();
  await assert.rejects(vectorsOf(options), (error) => {
    assert.ok(error instanceof AttentionError, String(error));
    assert.equal(error.code, code, error.message);
    assert.match(error.message, message);
    return true;
  });
  assert.equal(fovea.memory().live, live, 'live bytes after the error');
}

/** A load whose connection breaks after `bytes` of the weights. */
async function cutOff(bytes: number, files = large): Promise<void> {
  server.serve(files, { cutAfter: bytes });
  await failsToLoad('load', /model\.safetensors cannot be read to its end/);
}

const partUrls = (count: number, file = WEIGHTS): string[] =>
  Array.from({ length: count }, (_, part) => `${base}${file}?fovea-part=${part}`);
const weightUrls = (): string[] => caches.urls.filter((url) => url.includes(WEIGHTS)).sort();

describe('a second load of an unchanged folder', () => {
  test('asks for each file whether it has changed, and for no byte', async () => {
    server.serve(large);
    assertSameBits(await vectorsOf(), wanted, 'first');
    assert.deepEqual([...caches.stored.keys()], ['fovea-models']);
    assert.deepEqual(weightUrls(), partUrls(2));
    assert.equal(server.askedFor(WEIGHTS)[0]!.bytes, size);
    server.serve(large);
    const progress: LoadProgress[] = [];
    assertSameBits(await vectorsOf({ onProgress: (one) => void progress.push(one) }), wanted, 'second');
    for (const file of [WEIGHTS, 'config.json']) {
      const [asked, ...others] = server.askedFor(file);
      assert.deepEqual([others.length, asked!.method, asked!.status, asked!.bytes], [0, 'GET', 304, 0]);
      assert.equal(asked!.headers['if-none-match'], `"${file}-1"`);
    }
    const loaded = progress.filter(({ file, phase }) => file === WEIGHTS && phase === 'download').map((one) => one.loaded);
    assert.deepEqual(loaded, [PART, size]);
  });

  test('also by Last-Modified, and where the server understands no condition: what it sends is not read', async () => {
    const lastModified = 'Wed, 01 Jan 2025 00:00:00 GMT';
    for (const conditions of [true, false]) {
      useCaches((caches = new MemoryCaches()));
      server.serve(large, { etag: null, lastModified, conditions });
      assertSameBits(await vectorsOf(), wanted, 'first');
      server.serve(large, { etag: null, lastModified, conditions });
      assertSameBits(await vectorsOf(), wanted, 'second');
      const [asked, ...others] = server.askedFor(WEIGHTS);
      assert.deepEqual([others.length, asked!.headers['if-modified-since']], [0, lastModified]);
      assert.ok(asked!.bytes < 0.9 * size, `${asked!.bytes}`);
    }
  });

  test('weights that the model has no use for are not downloaded by it either', async () => {
    const files = largeFolder(1, 1, 2 * (PART / 4));
    const want = await vectorsIn(files);
    server.serve(files);
    assertSameBits(await vectorsOf(), want, 'first');
    assert.deepEqual(weightUrls(), partUrls(2));
    server.serve(files);
    assertSameBits(await vectorsOf(), want, 'second');
    assert.deepEqual(
      server.askedFor(WEIGHTS).map(({ status }) => status),
      [304],
    );
  });

  test('files that are compressed on their way are kept as they are', async () => {
    server.serve(large, { compressed: true });
    assertSameBits(await vectorsOf(), wanted, 'first');
    server.serve(large, { compressed: true });
    assertSameBits(await vectorsOf(), wanted, 'second');
    assert.equal(server.askedFor('config.json')[0]!.status, 304);
  });
});

describe('a download that was cut off', () => {
  test('goes on behind the parts that are whole, of the same version', async () => {
    await cutOff(PART + 1000);
    assert.deepEqual(weightUrls(), partUrls(1));
    server.serve(large);
    assertSameBits(await vectorsOf(), wanted, 'resumed');
    const [first, second, ...others] = server.askedFor(WEIGHTS);
    assert.deepEqual([others.length, first!.status, second!.status, second!.bytes], [0, 304, 206, size - PART]);
    assert.deepEqual([second!.headers.range, second!.headers['if-range']], [`bytes=${PART}-`, `"${WEIGHTS}-1"`]);
    assert.deepEqual(weightUrls(), partUrls(2));
  });

  test('goes on again where it is cut off again, and what was kept stays', async () => {
    const larger = largeFolder(2, 3);
    await cutOff(PART + 1000, larger);
    await cutOff(PART + 1000, larger);
    assert.deepEqual(weightUrls(), partUrls(2));
    server.serve(larger);
    assertSameBits(await vectorsOf(), await vectorsIn(larger), 'resumed');
    assert.equal(server.askedFor(WEIGHTS)[1]!.headers.range, `bytes=${2 * PART}-`);
  });

  test('a server without ranges sends the whole', async () => {
    await cutOff(PART + 1000);
    server.serve(large, { ranges: false });
    assertSameBits(await vectorsOf(), wanted, 'anew');
    const [, asked] = server.askedFor(WEIGHTS);
    assert.deepEqual([asked!.status, asked!.bytes], [200, size]);
    assert.deepEqual(weightUrls(), partUrls(2));
  });

  test('a weak ETag is no condition of a range, and is compared all the same', async () => {
    const etag = (file: string): string => `W/"${file}-1"`;
    server.serve(large, { etag, cutAfter: PART + 1000 });
    await failsToLoad('load', /to its end/);
    server.serve(large, { etag });
    assertSameBits(await vectorsOf(), wanted, 'resumed');
    const [, asked] = server.askedFor(WEIGHTS);
    assert.deepEqual([asked!.status, asked!.headers['if-range']], [206, undefined]);
  });

  test('an abort keeps the parts that are whole', async () => {
    server.serve(large);
    const controller = new AbortController();
    const onProgress = ({ file, phase, loaded }: LoadProgress): void => {
      if (file === WEIGHTS && phase === 'download' && loaded > PART) controller.abort('enough');
    };
    await assert.rejects(vectorsOf({ signal: controller.signal, onProgress }), (reason) => reason === 'enough');
    assert.deepEqual(weightUrls(), partUrls(1));
    const again = new AbortController();
    server.serve(large);
    const atOnce = ({ file }: LoadProgress): void => void (file === WEIGHTS && again.abort('enough'));
    await assert.rejects(vectorsOf({ signal: again.signal, onProgress: atOnce }), (reason) => reason === 'enough');
    assert.deepEqual(weightUrls(), partUrls(1));
    assertSameBits(await vectorsOf(), wanted, 'resumed');
  });

  test('a server that fails meanwhile is an error, and what was kept stays', async () => {
    await cutOff(PART + 1000);
    const failing: ModelServerOptions['answer'] = (file, { headers }, response) => {
      if (file !== WEIGHTS || 'if-none-match' in headers) return false;
      response.writeHead(503).end();
      return true;
    };
    server.serve(large, { answer: failing });
    await failsToLoad('load', /model\.safetensors cannot be read: the server answered 503/);
    assert.deepEqual(weightUrls(), partUrls(1));
  });
});

describe('a file that has changed', () => {
  const other = largeFolder(0, 5);
  const etag = (file: string): string => `"${file}-2"`;

  test('is downloaded anew, and nothing of the old one is left', async () => {
    const want = await vectorsIn(other);
    for (const bytes of [Infinity, PART + 1000]) {
      useCaches((caches = new MemoryCaches()));
      if (bytes === Infinity) {
        server.serve(large);
        await vectorsOf();
      } else await cutOff(bytes);
      server.serve(other, { etag });
      assertSameBits(await vectorsOf(), want, 'changed');
      assert.deepEqual(
        server.askedFor(WEIGHTS).map(({ status }) => status),
        [200],
      );
      assert.deepEqual(weightUrls(), partUrls(1));
      server.serve(other, { etag });
      assertSameBits(await vectorsOf(), want, 'changed, kept');
      assert.equal(server.askedFor(WEIGHTS)[0]!.status, 304);
    }
  });

  test('also where it changes between two requests of one load', async () => {
    const before = largeFolder(1, 9);
    for (const { ranges, weak } of [
      { ranges: true, weak: '' },
      { ranges: false, weak: '' },
      // No condition goes with the range: the server sends a part of the other version.
      { ranges: true, weak: 'W/' },
    ]) {
      useCaches((caches = new MemoryCaches()));
      let version = 1;
      const versioned = (file: string): string => `${weak}"${file}-${version}"`;
      server.serve(before, { etag: versioned, cutAfter: PART + 1000 });
      await failsToLoad('load', /to its end/);
      const answer: ModelServerOptions['answer'] = (file, { headers }) => {
        if (file === WEIGHTS && 'range' in headers) version = 2;
        return false;
      };
      server.serve(large, { ranges, answer, etag: versioned });
      assertSameBits(await vectorsOf(), wanted, 'the new version');
      assert.deepEqual(weightUrls(), partUrls(2));
    }
  });

  test('a file that is gone is not there, and nothing of it is left', async () => {
    server.serve(large);
    await vectorsOf();
    server.serve(new Map([['config.json', large.get('config.json')!]]));
    await failsToLoad('load', /has no model\.safetensors/);
    assert.deepEqual(weightUrls(), []);
  });
});

describe('nothing is kept', () => {
  test('where the caller says so: the cache is not touched', async () => {
    server.serve(large);
    assertSameBits(await vectorsOf({ cache: 'none' }), wanted, 'none');
    assert.deepEqual(caches.calls, []);
    await vectorsOf();
    server.serve(large);
    caches.calls.length = 0;
    assertSameBits(await vectorsOf({ cache: 'none' }), wanted, 'none, with parts');
    assert.deepEqual(caches.calls, []);
    assert.equal(server.askedFor(WEIGHTS)[0]!.bytes, size);
  });

  test('of files without a version: no cache is made', async () => {
    server.serve(large, { etag: null });
    assertSameBits(await vectorsOf(), wanted, 'without a version');
    assert.deepEqual([caches.count('open'), caches.stored.size], [0, 0]);
  });

  test('of files that the server forbids to store', async () => {
    server.serve(large, { cacheControl: 'private, No-Store' });
    assertSameBits(await vectorsOf(), wanted, 'no-store');
    assert.deepEqual([caches.count('open'), caches.stored.size], [0, 0]);
  });

  test('of sources that are no URL', async () => {
    assertSameBits(await vectorsIn(large), wanted, 'a Map');
    assert.deepEqual(caches.calls, []);
  });

  test('of pages in HTML that come in place of a file', async () => {
    const page = '<!DOCTYPE html><html><body>Not found, and so on and on and on</body></html>';
    const answer: ModelServerOptions['answer'] = (file, _, response) => {
      if (file !== WEIGHTS) return false;
      response.writeHead(200, { 'content-type': 'text/html', 'content-length': page.length, etag: '"page"' }).end(page);
      return true;
    };
    server.serve(large, { answer });
    await failsToLoad('load', /model\.safetensors cannot be read: an HTML page came in its place/);
    assert.deepEqual(weightUrls(), []);
  });
});

describe('a cache that fails', () => {
  test('in any call: loading goes on without it', async () => {
    for (const failing of ['has', 'open', 'match', 'put']) {
      useCaches((caches = new MemoryCaches()));
      server.serve(large);
      await vectorsOf();
      caches.refuse = (call) => {
        if (call.startsWith(failing)) throw new DOMException('no', 'QuotaExceededError');
      };
      server.serve(large);
      assertSameBits(await vectorsOf(), wanted, failing);
    }
  });

  test('one that a page may not even look at', async () => {
    const get = (): never => {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    };
    Object.defineProperty(globalThis, 'caches', { get, configurable: true });
    server.serve(large);
    assertSameBits(await vectorsOf(), wanted, 'without a cache');
  });

  test('a quota that is used up: what fitted is kept, and the next load goes on there', async () => {
    caches.refuse = (call) => {
      if (call === `put ${partUrls(2)[1]}`) throw new DOMException('full', 'QuotaExceededError');
    };
    server.serve(large);
    assertSameBits(await vectorsOf(), wanted, 'while it is full');
    assert.deepEqual(weightUrls(), partUrls(1));
    caches.refuse = () => {};
    server.serve(large);
    assertSameBits(await vectorsOf(), wanted, 'with room again');
    assert.equal(server.askedFor(WEIGHTS)[1]!.headers.range, `bytes=${PART}-`);
  });

  test('a part that is gone or shorter when it is read: the file is downloaded anew', async () => {
    for (const change of ['gone', 'shorter'] as const) {
      useCaches((caches = new MemoryCaches()));
      server.serve(large);
      await vectorsOf();
      const kept = caches.stored.get('fovea-models')!;
      let matches = 0;
      caches.refuse = (call) => {
        const [, url] = call.split(' ');
        // The first look finds the part, the second reads it.
        if (call !== `match ${partUrls(2)[1]}` || ++matches !== 2) return;
        if (change === 'gone') kept.delete(url!);
        else kept.set(url!, { ...kept.get(url!)!, bytes: kept.get(url!)!.bytes.slice(1) });
      };
      server.serve(large);
      assertSameBits(await vectorsOf(), wanted, change);
      assert.equal(server.askedFor(WEIGHTS).at(-1)!.bytes, size);
      assert.deepEqual(weightUrls(), partUrls(2));
    }
  });
});

describe('a server of another origin', () => {
  beforeEach(() => {
    Object.defineProperty(globalThis, 'location', { value: { origin: 'https://page.example' }, configurable: true });
  });

  /** The headers that a page of another origin may send without asking. */
  const assertSimple = (): void => {
    for (const { headers } of server.asked)
      for (const name of ['if-none-match', 'if-modified-since', 'if-range']) assert.equal(headers[name], undefined, name);
  };

  test('is asked by HEAD, and for a range without conditions', async () => {
    await cutOff(PART + 1000);
    server.serve(large);
    assertSameBits(await vectorsOf(), wanted, 'resumed');
    assert.deepEqual(
      server.askedFor(WEIGHTS).map(({ method, status }) => [method, status]),
      [
        ['HEAD', 200],
        ['GET', 206],
      ],
    );
    assertSimple();
    server.serve(large);
    assertSameBits(await vectorsOf(), wanted, 'kept');
    assert.deepEqual(
      server.askedFor(WEIGHTS).map(({ method }) => method),
      ['HEAD'],
    );
    server.serve(largeFolder(0, 5), { etag: (file) => `"${file}-2"` });
    await vectorsOf();
    assert.deepEqual(
      server.askedFor(WEIGHTS).map(({ method, status }) => [method, status]),
      [
        ['HEAD', 200],
        ['GET', 200],
      ],
    );
    assertSimple();
  });

  test('where it knows no HEAD or refuses the header of ranges, its whole answer is looked at', async () => {
    server.serve(large);
    await vectorsOf();
    const answer: ModelServerOptions['answer'] = (_, { method }, response) => {
      if (method === 'HEAD') response.writeHead(405).end();
      return method === 'HEAD';
    };
    server.serve(large, { answer });
    assertSameBits(await vectorsOf(), wanted, 'without HEAD');
    assert.deepEqual(
      server.askedFor(WEIGHTS).map(({ method }) => method),
      ['HEAD', 'GET'],
    );
    assert.ok(server.askedFor(WEIGHTS)[1]!.bytes < 0.9 * size);
    useCaches((caches = new MemoryCaches()));
    await cutOff(PART + 1000);
    server.serve(large);
    const refusing: typeof fetch = (url, init) =>
      new Headers(init?.headers).has('range') ? Promise.reject(new TypeError('Failed to fetch')) : fetch(url, init);
    assertSameBits(await vectorsOf({ fetch: refusing }), wanted, 'without ranges');
    assert.deepEqual(
      server.askedFor(WEIGHTS).map(({ method, status }) => [method, status]),
      [
        ['HEAD', 200],
        ['GET', 200],
      ],
    );
  });
});

test('what Object.prototype has is no option of loading', async () => {
  const polluted = {
    ...{ dtype: 'int8', cache: 'none', tokenizer: 5, fetch: () => assert.fail('another fetch') },
    ...{ config: { hidden_size: 5 }, onProgress: () => assert.fail('told'), forget: 1, begun: 1 },
  };
  server.serve(large);
  Object.assign(Object.prototype, polluted);
  try {
    assertSameBits(await vectorsOf(), wanted, 'first');
    assertSameBits(await vectorsOf(), wanted, 'second');
  } finally {
    for (const name of Object.keys(polluted)) delete (Object.prototype as Record<string, unknown>)[name];
  }
  assert.deepEqual(
    server.askedFor(WEIGHTS).map(({ status }) => status),
    [200, 304],
  );
});

test('options that are none', async () => {
  for (const cache of ['always', true, null, 5])
    await failsToLoad('option', /cache must be 'auto' or 'none'/, { cache } as unknown as LoadModelOptions);
});
