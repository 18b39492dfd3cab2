/** Digests of files: each that is named is checked, wherever it comes from, and a wrong one gives no model. */
// In a process of its own: its server listens before its first test, and it gives the process a cache.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { AttentionError } from 'fovea';
import { loadDecoder, loadEncoder, type LoadModelOptions, type ModelFolder } from 'fovea/models';
import { MemoryCaches } from '../support/memory_caches.ts';
import { DECODER_CONFIGS, ENCODER_CONFIGS } from '../support/model_configs.ts';
import { addWeights, jsonFile, testModel } from '../support/model_folder.ts';
import { ModelServer } from '../support/model_server.ts';
import { assertSameBits } from '../support/truth_bounds.ts';
import { loadForTests } from '../support/truth_instance.ts';

const fovea = await loadForTests();
const server = new ModelServer();
let base = '';
let path = '';
const bert = testModel({ config: ENCODER_CONFIGS['bert, 3 heads of 4']!, parts: 2 });
const files = new Map(bert.files);
files.set('modules.json', jsonFile([{ type: 'sentence_transformers.models.Pooling', path: '1_Pooling' }]));
files.set('1_Pooling/config.json', jsonFile({ pooling_mode_cls_token: true }));
files.set('README.md', new TextEncoder().encode('# A model\n'));

const digestOf = (bytes: Uint8Array): string => `sha256-${createHash('sha256').update(bytes).digest('base64')}`;
const digestsOf = (map: ReadonlyMap<string, Uint8Array>): Record<string, string> =>
  Object.fromEntries([...map].map(([name, bytes]) => [name, digestOf(bytes)]));
const integrity = digestsOf(files);
const [first, second] = ['model-00001-of-00002.safetensors', 'model-00002-of-00002.safetensors'] as const;

/** The bytes with one bit of the last changed. */
function flipped(bytes: Uint8Array): Uint8Array {
  const changed = bytes.slice();
  changed[changed.length - 1]! ^= 1;
  return changed;
}

before(async () => {
  base = await server.listen();
  path = mkdtempSync(join(tmpdir(), 'fovea-integrity-'));
  for (const [name, bytes] of files) if (!name.includes('/')) writeFileSync(join(path, name), bytes);
});
after(() => {
  server.close();
  rmSync(path, { recursive: true });
  fovea.dispose();
});

async function vectorsOf(folder: ModelFolder, options: LoadModelOptions = {}): Promise<Float32Array> {
  const encoder = await loadEncoder(fovea, folder, { tokenizer: null, ...options });
  const { data } = await encoder.embed([[1, 2, 3], [39]]);
  encoder.dispose();
  return data;
}

async function refuses(folder: ModelFolder, code: string, message: RegExp, options: LoadModelOptions): Promise<void> {
  const { live } = fovea.memory();
  await assert.rejects(vectorsOf(folder, options), (error) => {
    assert.ok(error instanceof AttentionError, String(error));
    assert.equal(error.code, code, error.message);
    assert.match(error.message, message);
    return true;
  });
  assert.equal(fovea.memory().live, live, 'live bytes after the error');
}

const escaped = (text: string): string => text.replace(/[+/.]/g, '\\$&');
const differs = (file: string, expected: string, actual: string): RegExp =>
  new RegExp(`${escaped(file)} must have the digest ${escaped(expected)}, got ${escaped(actual)}`);

test('files whose digests are right load as without them, from a Map, a path and a server', async () => {
  const want = await vectorsOf(files);
  assertSameBits(await vectorsOf(files, { integrity }), want, 'a Map');
  server.serve(files);
  assertSameBits(await vectorsOf(base, { integrity }), want, 'a server');
  assert.ok(
    server.asked.every(({ file }) => server.askedFor(file).length === 1),
    'each file once',
  );
  const flat = Object.fromEntries(Object.entries(integrity).filter(([name]) => !/modules|Pooling/.test(name)));
  const near = new Map([...files].filter(([name]) => !/modules|Pooling/.test(name)));
  rmSync(join(path, 'modules.json'));
  assertSameBits(await vectorsOf(path, { integrity: flat }), await vectorsOf(near), 'a path');
});

test('a file of another digest is named, with both, and nothing is held', async () => {
  for (const file of ['config.json', 'modules.json', '1_Pooling/config.json', first, second, 'README.md']) {
    // A space at the end leaves JSON as it is; a bit of a weight leaves a safetensors file one.
    const bytes = file.endsWith('.safetensors')
      ? flipped(files.get(file)!)
      : new Uint8Array([...files.get(file)!, ' '.charCodeAt(0)]);
    const changed = new Map(files).set(file, bytes);
    const message = differs(file, integrity[file]!, digestOf(bytes));
    await refuses(changed, 'load', message, { integrity });
    await refuses(changed, 'load', message, { integrity: { [file]: integrity[file]! } });
    server.serve(changed);
    await refuses(base, 'load', message, { integrity });
    await vectorsOf(changed, { integrity: digestsOf(changed) });
  }
});

test('a file that is broken, too, is told by its digest', async () => {
  const whole = files.get(first)!;
  for (const bytes of [whole.slice(0, 100), new Uint8Array(1000), whole.slice(0, whole.length - 1)]) {
    const changed = new Map(files).set(first, bytes);
    server.serve(changed);
    for (const folder of [changed, base])
      await refuses(folder, 'load', differs(first, integrity[first]!, digestOf(bytes)), { integrity });
  }
  const text = new TextEncoder().encode('{');
  await refuses(new Map(files).set('config.json', text), 'load', /config\.json must have the digest/, { integrity });
});

test('a file that is not there is named, before any weights are asked for', async () => {
  const digest = integrity[first]!;
  for (const file of ['config.jsn', 'tokenizer_config.json', '2_Dense/config.json', 'generation_config.json']) {
    const message = new RegExp(`has no ${escaped(file)}, whose digest integrity tells`);
    const options = { integrity: { ...integrity, [file]: digest } };
    await refuses(files, 'load', message, options);
    server.serve(files);
    await refuses(base, 'load', message, options);
    assert.deepEqual([server.askedFor(first).length, server.askedFor(second).length], [0, 0]);
  }
  await refuses(files, 'load', /has no tokenizer_config\.json, whose/, {
    tokenizer: undefined,
    integrity: { 'tokenizer_config.json': digest },
  });
});

test('digests and paths that are none are option errors, before anything is asked for', async () => {
  server.serve(files);
  const { hex, short } = { hex: createHash('sha256').digest('hex'), short: integrity[first]!.slice(0, -2) };
  for (const wrong of [
    '',
    'sha256-',
    'sha256-abc=',
    `sha256-${hex}`,
    short,
    `sha512-${'A'.repeat(86)}==`,
    5,
    null,
    [],
    `${integrity[first]!} `,
  ])
    await refuses(base, 'option', /integrity\['config\.json'\] must be 'sha256-' and the digest in base64/, {
      integrity: { 'config.json': wrong as string },
    });
  for (const file of ['../config.json', '/etc/passwd', 'https://example.org/x', '', 'a//b', '.git', 'a\\b'])
    await refuses(base, 'option', /integrity must have the paths of files/, { integrity: { [file]: integrity[first]! } });
  for (const wrong of [5, 'sha256', null, [integrity[first]], new Map()])
    await refuses(base, 'option', /integrity must be an object/, { integrity: wrong as never });
  assert.deepEqual(server.asked, []);
});

test('decoders are checked as well', async () => {
  const { files: ofLlama } = testModel({ config: DECODER_CONFIGS['llama, 1 head of keys']! });
  const right = { integrity: digestsOf(ofLlama), tokenizer: null };
  const decoder = await loadDecoder(fovea, ofLlama, right);
  decoder.dispose();
  const { live } = fovea.memory();
  const changed = new Map(ofLlama).set('model.safetensors', flipped(ofLlama.get('model.safetensors')!));
  await assert.rejects(loadDecoder(fovea, changed, right), /model\.safetensors must have the digest/);
  assert.equal(fovea.memory().live, live);
});

test('an abort while a digest is computed rejects with its reason', async () => {
  const large = new Map(files).set('README.md', new Uint8Array(2 ** 25));
  server.serve(large);
  const controller = new AbortController();
  const onProgress: LoadModelOptions['onProgress'] = ({ file }) => void (file === 'README.md' && controller.abort('enough'));
  await assert.rejects(
    vectorsOf(base, { integrity: digestsOf(large), signal: controller.signal, onProgress }),
    (reason) => reason === 'enough',
  );
});

test('what the cache keeps is checked: a wrong copy is dropped and fetched anew', async () => {
  const caches = new MemoryCaches();
  Object.defineProperty(globalThis, 'caches', { value: caches, configurable: true });
  try {
    const want = await vectorsOf(files);
    server.serve(files);
    await vectorsOf(base, { integrity });
    const kept = caches.stored.get('fovea-models')!;
    for (const file of ['config.json', 'README.md', first, second]) {
      const url = `${base}${file}?fovea-part=0`;
      for (const wrong of [flipped(kept.get(url)!.bytes), new Uint8Array(kept.get(url)!.bytes.length)]) {
        kept.set(url, { ...kept.get(url)!, bytes: wrong as Uint8Array<ArrayBuffer> });
        server.serve(files);
        const { live } = fovea.memory();
        assertSameBits(await vectorsOf(base, { integrity }), want, file);
        assert.equal(fovea.memory().live, live);
        assert.deepEqual(
          server.askedFor(file).map(({ status }) => status),
          [304, 200],
        );
        assert.deepEqual(Buffer.from(kept.get(url)!.bytes).equals(files.get(file)!), true, `${file} is kept anew`);
      }
    }
    // Also where the server's file is wrong, whose version is that of the copy; then nothing of it is kept.
    const changed = new Map(files).set(first, flipped(files.get(first)!));
    server.serve(changed);
    await refuses(base, 'load', differs(first, integrity[first]!, digestOf(changed.get(first)!)), {
      integrity: { ...integrity, [second]: integrity[second]! },
      cache: 'none',
    });
    kept.set(`${base}${first}?fovea-part=0`, {
      ...kept.get(`${base}${first}?fovea-part=0`)!,
      bytes: flipped(files.get(first)!) as Uint8Array<ArrayBuffer>,
    });
    await refuses(base, 'load', differs(first, integrity[first]!, digestOf(changed.get(first)!)), { integrity });
    assert.equal(kept.has(`${base}${first}?fovea-part=0`), false);
    // Where nothing can be dropped, the file is fetched all the same.
    server.serve(files);
    await vectorsOf(base, { integrity });
    kept.set(`${base}${second}?fovea-part=0`, {
      ...kept.get(`${base}${second}?fovea-part=0`)!,
      bytes: flipped(files.get(second)!) as Uint8Array<ArrayBuffer>,
    });
    caches.refuse = (call) => {
      if (/^(delete|put)/.test(call)) throw new Error('no');
    };
    assertSameBits(await vectorsOf(base, { integrity }), want, 'a copy that stays');
  } finally {
    delete (globalThis as { caches?: unknown }).caches;
  }
});

test('weights in one file with a digest, whose last tensors nobody needs', async () => {
  const one = new Map(files);
  for (const name of [first, second, 'model.safetensors.index.json']) one.delete(name);
  const weights = new Map(bert.weights).set('cls.bias', { data: new Float64Array(2 ** 21), shape: [2 ** 21] });
  addWeights(one, weights);
  server.serve(one);
  assertSameBits(await vectorsOf(base, { integrity: digestsOf(one) }), await vectorsOf(one), 'a server');
  const changed = new Map(one).set('model.safetensors', flipped(one.get('model.safetensors')!));
  server.serve(changed);
  await refuses(base, 'load', /model\.safetensors must have the digest/, { integrity: digestsOf(one) });
});
