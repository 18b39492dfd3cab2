// A visitor's own model: dropped files are opened, their heads are shown, and what is wrong with them is said in place.

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { build } from 'esbuild';
import { writeSafetensors } from 'fovea/files';
import { choose, dropFile, goTo, linkOf, root, text, textMatching, type, withRoom } from './support.mjs';

const VOCABULARY = ['a', 'b', 'c', ...Array.from({ length: 37 }, (_, n) => `w${n}`)];
const tokenizer = (vocabulary) => ({
  ...{
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: [],
    normalizer: null,
    post_processor: null,
    decoder: null,
  },
  pre_tokenizer: { type: 'WhitespaceSplit' },
  model: {
    ...{ type: 'WordPiece', unk_token: vocabulary[0], continuing_subword_prefix: '##', max_input_chars_per_word: 100 },
    vocab: Object.fromEntries(vocabulary.map((word, id) => [word, id])),
  },
});

describe("a visitor's own model", () => {
  let server, opened, page, folder, made;

  withRoom((room) => ({ server, opened, page } = room));
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fovea-own-'));
    const outfile = `${root}build/tests/model_files.mjs`;
    const entryPoints = [`${root}tests/js/support/model_files.ts`];
    await build({ entryPoints, outfile, bundle: true, format: 'esm', packages: 'external', logLevel: 'error' });
    made = await import(outfile);
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const write = async (name, content) => {
    const path = join(folder, name);
    await writeFile(path, typeof content === 'string' || content instanceof Uint8Array ? content : JSON.stringify(content));
    return path;
  };
  const weights = (name, tensors) => write(`${name}.safetensors`, writeSafetensors(tensors));
  const visit = async () => {
    await goTo(page, `${server.url}#/model/own?lang=en`);
    await page.waitForSelector('[data-files]');
  };
  const give = async (...files) => (await page.$('[data-files]')).uploadFile(...(await Promise.all(files)));
  const openModel = async (...files) => {
    await visit();
    await give(...files);
    await (await page.waitForSelector('button[data-open]')).click();
    await page.waitForSelector('[data-large]');
  };
  const heads = () => page.$$eval('[data-head]', (all) => all.length);

  test('GPT-2: all heads of all layers, candidates for the next token, one of them appended, a head off', async () => {
    const config = write('config.json', { model_type: 'gpt2', n_head: 4 });
    await openModel(
      weights('gpt2', made.gpt2Weights('transformer.', { layers: 3 })),
      config,
      write('tokenizer.json', tokenizer(VOCABULARY)),
    );
    assert.equal(await heads(), 12);
    assert.equal(await text(page, '[data-plan] b'), 'GPT-2');
    await type(page, 'a b c');
    await page.waitForFunction(() => document.querySelectorAll('[data-large] tbody tr').length === 3);
    const rows = await page.$eval('[data-large] table', (table) =>
      [...table.querySelectorAll('tbody tr')].map((row) =>
        [...row.querySelectorAll('td')].map((cell) => Number(cell.textContent)),
      ),
    );
    rows.forEach((row, i) => {
      assert.ok(Math.abs(row.reduce((sum, x) => sum + (x || 0), 0) - 1) < 1e-3);
      row.slice(i + 1).forEach((x) => assert.ok(!(x > 0), 'nobody attends ahead'));
    });
    await page.locator('[data-script] summary').click();
    await textMatching(page, '[data-code]', /fovea\.attention\(q, k, v, \{ causal: true, returnWeights: 'dense' \}\)/);
    const candidates = () => page.$$eval('[data-candidate]', (all) => all.map((one) => Number(one.dataset.probability)));
    const before = await candidates();
    assert.equal(before.length, 10);
    assert.deepEqual(
      [...before].sort((a, b) => b - a),
      before,
    );
    await choose(page, 'off');
    await page.waitForFunction(
      (x) => Number(document.querySelector('[data-candidate]').dataset.probability) !== x,
      {},
      before[0],
    );
    await page.locator('[data-candidate]').click();
    await page.waitForFunction(() => document.querySelectorAll('[data-large] tbody tr').length === 4);
    assert.deepEqual(opened.problems, []);
  });

  test('a dropped file is inspected, and the place that takes it is marked while it is held over', async () => {
    await visit();
    await dropFile(page, '[data-drop]', { name: 'notes.txt', type: 'text/plain', content: 'no model' }, () =>
      page.waitForSelector('[data-drop].over'),
    );
    await textMatching(page, '[data-complaint=unknown]', /notes\.txt/);
    await page.waitForSelector('[data-drop]:not(.over)');
    assert.deepEqual(opened.problems, []);
  });

  test('text, head and changes: in a link, for the files that are opened again, and undone', async () => {
    const files = [
      weights('kept', made.gpt2Weights('transformer.', { layers: 3 })),
      write('config.json', { model_type: 'gpt2', n_head: 4 }),
      write('tokenizer.json', tokenizer(VOCABULARY)),
    ];
    const first = () => page.$eval('[data-candidate]', (one) => Number(one.dataset.probability));
    await openModel(...files);
    await type(page, 'c b a b');
    await page.waitForFunction(() => document.querySelectorAll('[data-large] tbody tr').length === 4);
    const whole = await first();
    await (await page.$$('[data-head]'))[6].click();
    await page.waitForSelector('[data-large="1,2"]');
    await choose(page, 'off');
    await page.waitForFunction((x) => Number(document.querySelector('[data-candidate]').dataset.probability) !== x, {}, whole);
    const without = await first();
    await page.locator('[data-undo]').click();
    await page.waitForFunction((x) => Number(document.querySelector('[data-candidate]').dataset.probability) === x, {}, whole);
    await page.locator('[data-redo]').click();
    await page.waitForFunction(
      (x) => Number(document.querySelector('[data-candidate]').dataset.probability) === x,
      {},
      without,
    );
    const link = await linkOf(page);
    await page.goto('about:blank');
    await page.goto(link, { waitUntil: 'load' });
    await page.waitForSelector('[data-files]');
    await give(...files);
    await (await page.waitForSelector('button[data-open]')).click();
    await page.waitForSelector('[data-large="1,2"]');
    await page.waitForFunction(
      (x) => Number(document.querySelector('[data-candidate]')?.dataset.probability) === x,
      {},
      without,
    );
    assert.equal(await page.$eval('textarea', (field) => field.value), 'c b a b');
    assert.deepEqual(opened.problems, []);
  });

  test('Llama without a tokenizer reads ids; BERT and ViT have no next token', async () => {
    await openModel(
      weights('llama', made.llamaWeights()),
      write('config.json', { model_type: 'llama', num_attention_heads: 4 }),
    );
    assert.equal(await heads(), 8);
    await type(page, '1, 2 3');
    await page.waitForFunction(() => document.querySelectorAll('[data-large] tbody tr').length === 3);
    await type(page, '1 2 99');
    await textMatching(page, '[data-refusal]', /99/);

    const config = write('config.json', { model_type: 'bert', num_attention_heads: 2 });
    await openModel(weights('bert', made.bertWeights()), config, write('tokenizer.json', tokenizer(VOCABULARY)));
    assert.equal(await heads(), 4);
    assert.equal(await page.$('[data-next]'), null);

    await openModel(weights('vit', made.vitWeights()), write('config.json', { model_type: 'vit', num_attention_heads: 4 }));
    assert.equal(await heads(), 8);
    assert.equal(await page.$eval('[data-large] tbody', (body) => body.querySelectorAll('td').length), 4);
    assert.equal(await page.$eval('[data-from]', (one) => one.dataset.from), '0');
    await page.focus('[data-large] [role=application], [data-large] canvas, [data-large] [tabindex="0"]');
    await (await page.$('[data-image]')).uploadFile(await write('broken.png', 'no picture'));
    await page.waitForSelector('[data-complaint=imageFailed]');
    await page.locator('[data-scene]').click();
    assert.deepEqual(opened.problems, []);
  });

  test('what is missing, wrong or not understood is named, and the page goes on', async () => {
    await visit();
    await give(write('notes.txt', 'hello'), write('broken.safetensors', 'no safetensors'));
    await textMatching(page, '[data-complaint=unknown]', /notes\.txt/);
    await textMatching(page, '[data-complaint=refused]', /readSafetensors/);
    await give(weights('other', { x: [[1, 2]] }));
    await page.waitForSelector('[data-complaint=family]');
    const { 'transformer.h.1.mlp.c_fc.bias': _, ...lacking } = made.gpt2Weights();
    await give(weights('lacking', lacking));
    await textMatching(page, '[data-note=missing]', /transformer\.h\.1\.mlp\.c_fc\.bias/);
    assert.equal(await page.$('button[data-open]'), null);
    await give(write('config.json', '[1, 2'));
    await textMatching(page, '[data-complaint=json]', /config\.json/);
    await give(weights('gpt2', made.gpt2Weights()), write('config.json', { model_type: 'gpt_neo', n_head: 2 }));
    await textMatching(page, '[data-note=ignored]', /gpt_neo/);
    await (await page.waitForSelector('button[data-open]')).click();
    await page.waitForSelector('[data-large]');
    await give(write('tokenizer.json', { model: { type: 'Nothing' } }));
    await page.waitForSelector('[data-complaint=refused]');
    await give(write('tokenizer.json', tokenizer([...VOCABULARY, '<img src=x onerror=alert(1)>'])));
    await type(page, 'a <img src=x onerror=alert(1)>');
    await page.waitForFunction(() => document.querySelectorAll('[data-large] tbody tr').length >= 2);
    assert.equal(await page.$('main img'), null);
    const large = [...VOCABULARY, 'toomuch'];
    await give(write('tokenizer.json', tokenizer(large)));
    await type(page, 'a toomuch');
    await textMatching(page, '[data-refusal=vocabulary]', /40/);
    assert.deepEqual(opened.problems, []);
  });
});
