/** Folders of models: where they may be, and what is said of those that are broken, hostile or too large. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { AttentionError } from 'fovea';
import type { FileSource } from 'fovea/files';
import { loadDecoder, loadEncoder, type LoadModelOptions, type LoadProgress, type ModelFolder } from 'fovea/models';
import type { Config } from '../reference/models/parts.ts';
import { DECODER_CONFIGS, ENCODER_CONFIGS } from '../support/model_configs.ts';
import { addWeights, jsonFile, testModel, type TestModel } from '../support/model_folder.ts';
import { assertSameBits } from '../support/truth_bounds.ts';
import { loadForTests } from '../support/truth_instance.ts';

const fovea = await loadForTests();
after(() => fovea.dispose());

const bert = testModel({ config: ENCODER_CONFIGS['bert, 3 heads of 4']! });
const llama = testModel({ config: DECODER_CONFIGS['llama, 1 head of keys']! });
const page = new TextEncoder().encode('<!DOCTYPE html><html><body>Not found, and so on and on and on</body></html>');

/** A tokenizer.json of the words a, b and c. */
const tokenizerJson = jsonFile({
  ...{
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: [],
    normalizer: null,
    pre_tokenizer: { type: 'Whitespace' },
  },
  ...{ post_processor: null, decoder: null, model: { type: 'WordLevel', vocab: { a: 0, b: 1, c: 2 }, unk_token: 'a' } },
});

type Files = Map<string, FileSource>;
const filesOf = ({ files }: TestModel, changes: Readonly<Record<string, Uint8Array | null>> = {}): Files => {
  const changed: Files = new Map(files);
  for (const [name, file] of Object.entries(changes)) {
    if (file === null) changed.delete(name);
    else changed.set(name, file);
  }
  return changed;
};

interface Refused {
  readonly code: string;
  readonly message: RegExp;
  readonly options?: LoadModelOptions;
  readonly load?: typeof loadEncoder | typeof loadDecoder;
}

/** Loading rejects with the error, and holds nothing afterwards. */
async function refuses(folder: ModelFolder, { code, message, options, load = loadEncoder }: Refused): Promise<void> {
  const { live } = fovea.memory();
  await assert.rejects(load(fovea, folder, { tokenizer: null, ...options }), (error) => {
    assert.ok(error instanceof AttentionError, `an AttentionError, got ${String(error)}`);
    assert.equal(error.code, code, error.message);
    assert.match(error.message, message);
    return true;
  });
  assert.equal(fovea.memory().live, live, 'live bytes after the error');
}

const withConfig = ({ config, files }: TestModel, changes: object): Files =>
  new Map([...files, ['config.json', jsonFile({ ...config, ...changes })]]);

describe('files that are missing or no such files', () => {
  test('each is named', async () => {
    await refuses(filesOf(bert, { 'config.json': null }), { code: 'load', message: /has no config\.json/ });
    await refuses(filesOf(bert, { 'model.safetensors': null }), { code: 'load', message: /has no model\.safetensors/ });
    await refuses(filesOf(bert), { code: 'load', message: /has no tokenizer\.json/, options: { tokenizer: undefined } });
    await refuses(new Map(), { code: 'load', message: /has no config\.json/ });
    const two = testModel({ config: bert.config, parts: 2 });
    await refuses(filesOf(two, { 'model-00002-of-00002.safetensors': null }), {
      code: 'load',
      message: /has no model-00002-of-00002\.safetensors/,
    });
  });

  test('a page in HTML in place of one', async () => {
    await refuses(filesOf(bert, { 'config.json': page }), { code: 'load', message: /a page in HTML/ });
    await refuses(filesOf(bert, { 'tokenizer.json': page }), {
      code: 'load',
      message: /a page in HTML/,
      options: { tokenizer: undefined },
    });
    await refuses(filesOf(bert, { 'model.safetensors': page }), { code: 'load', message: /HTML page/ });
  });

  test('no JSON, or JSON of another kind', async () => {
    const text = (json: string): Uint8Array => new TextEncoder().encode(json);
    for (const json of ['', '{', 'nothing'])
      await refuses(filesOf(bert, { 'config.json': text(json) }), { code: 'value', message: /config\.json/ });
    for (const json of ['[]', '5', '"bert"', 'null'])
      await refuses(filesOf(bert, { 'config.json': text(json) }), {
        code: json === 'null' ? 'value' : 'value',
        message: /config\.json/,
      });
    for (const name of ['modules.json', 'sentence_bert_config.json', 'config_sentence_transformers.json'])
      await refuses(filesOf(bert, { [name]: text('5') }), { code: 'value', message: new RegExp(name.replace('.', '\\.')) });
    await refuses(filesOf(bert, { 'tokenizer.json': text('{"model":5}') }), {
      ...{ code: 'value', message: /tokenizer\.json/, options: { tokenizer: undefined } },
    });
    await refuses(filesOf(bert, { 'model.safetensors.index.json': text('{"weight_map":5}') }), {
      code: 'value',
      message: /weight_map/,
    });
  });

  test('weights that end too early, at many places', async () => {
    const whole = bert.files.get('model.safetensors')!;
    for (const length of [0, 4, 8, 100, whole.length >> 1, whole.length - 1])
      await refuses(filesOf(bert, { 'model.safetensors': whole.slice(0, length) }), {
        code: 'value',
        message: /header|fill the data/,
      });
  });
});

describe('weights', () => {
  const changed = (
    model: TestModel,
    change: (weights: Map<string, { data: Float32Array; shape: number[] }>) => void,
  ): Files => {
    const weights = new Map(
      [...model.weights].map(([name, { data, shape }]) => [name, { data: Float32Array.from(data), shape: [...shape] }]),
    );
    change(weights);
    const files = new Map(model.files);
    addWeights(files, weights);
    return files;
  };
  const zeros = (...shape: number[]): { data: Float32Array; shape: number[] } => ({
    data: new Float32Array(shape.reduce((a, b) => a * b)),
    shape,
  });

  test('all wrong shapes are listed', async () => {
    const files = changed(bert, (weights) => {
      weights.set('embeddings.word_embeddings.weight', zeros(39, 12));
      weights.set('encoder.layer.1.intermediate.dense.weight', zeros(12, 31));
      weights.set('encoder.layer.0.output.LayerNorm.bias', zeros(13));
    });
    await refuses(files, {
      code: 'shape',
      message: new RegExp(
        [
          'embeddings.word_embeddings.weight must be [40, 12], got [39, 12]',
          'encoder.layer.0.output.LayerNorm.bias must be [12], got [13]',
          'encoder.layer.1.intermediate.dense.weight must be [31, 12], got [12, 31]',
        ]
          .map((part) => `(?=.*${part.replace(/[.[\]]/g, '\\$&')})`)
          .join(''),
      ),
    });
  });

  test('parts of a joined weight whose sizes are wrong, though their sum is right', async () => {
    const files = changed(llama, (weights) => {
      weights.set('model.layers.1.self_attn.q_proj.weight', zeros(10, 12));
      weights.set('model.layers.1.self_attn.k_proj.weight', zeros(10, 12));
      weights.set('model.layers.1.self_attn.v_proj.weight', zeros(10, 12));
    });
    await refuses(files, {
      code: 'shape',
      message: /q_proj\.weight must be \[18, 12\], got \[10, 12\].*v_proj\.weight must be \[6, 12\]/,
      load: loadDecoder,
    });
  });

  test('a weight that is missing is named, and each part of a joined one counts', async () => {
    const without = (model: TestModel, name: string): Files => changed(model, (weights) => assert.ok(weights.delete(name)));
    await refuses(without(bert, 'encoder.layer.1.output.dense.bias'), { code: 'value', message: /layers\.1\.linear2\.bias/ });
    await refuses(without(llama, 'model.layers.0.self_attn.k_proj.weight'), {
      ...{ code: 'value', message: /layers\.0\.self_attn\.in_proj_weight/, load: loadDecoder },
    });
    await refuses(without(llama, 'lm_head.weight'), { code: 'value', message: /head\.weight/, load: loadDecoder });
  });

  test('a weight that the index of parts lacks is named before any part is read', async () => {
    for (const [{ config }, load, tensor, missing] of [
      [bert, loadEncoder, 'encoder.layer.1.output.dense.bias', /layers\.1\.linear2\.bias/],
      [llama, loadDecoder, 'model.layers.0.self_attn.k_proj.weight', /layers\.0\.self_attn\.in_proj_weight/],
      [llama, loadDecoder, 'model.norm.weight', /norm\.weight/],
    ] as const) {
      const files = testModel({ config, parts: 2 }).files as Files;
      const index = JSON.parse(new TextDecoder().decode(files.get('model.safetensors.index.json') as Uint8Array)) as {
        weight_map: Record<string, string>;
      };
      const asked: string[] = [];
      const onProgress = ({ file }: LoadProgress): void => void asked.push(file);
      const model = await load(fovea, files, { tokenizer: null, onProgress });
      model.dispose();
      assert.ok(asked.includes('model-00001-of-00002.safetensors'));
      asked.length = 0;
      delete index.weight_map[tensor];
      files.set('model.safetensors.index.json', jsonFile(index));
      await refuses(files, { code: 'value', message: missing, load, options: { onProgress } });
      assert.deepEqual(asked, []);
    }
  });

  test('a weight that comes twice, and one that has no floats', async () => {
    const twice = changed(bert, (weights) => weights.set('bert.embeddings.LayerNorm.weight', zeros(12)));
    await refuses(twice, { code: 'value', message: /must come once/ });
    const files = filesOf(bert);
    const { writeSafetensors } = await import('fovea/files');
    const stored = new Map<string, { data: Float32Array | Int32Array; shape: number[] }>(
      [...bert.weights].map(([name, { data, shape }]) => [name, { data: Float32Array.from(data), shape: [...shape] }]),
    );
    stored.set('embeddings.LayerNorm.weight', { data: new Int32Array(12), shape: [12] });
    files.set('model.safetensors', writeSafetensors(stored));
    await refuses(files, { code: 'value', message: /embeddings\.LayerNorm\.weight must be floats, got I32/ });
  });

  test('weights that the model has no use for are passed over', async () => {
    const files = changed(bert, (weights) => {
      weights.set('cls.predictions.bias', zeros(40));
      weights.set('pooler.dense.weight', zeros(3, 3));
      weights.set('embedding.weight[0]', zeros(3, 3));
    });
    const encoder = await loadEncoder(fovea, files, { tokenizer: null });
    encoder.dispose();
  });

  test('an index that leads out of the folder, or names no files', async () => {
    for (const file of ['../x.safetensors', '/etc/passwd', 'a/b.safetensors', '..', '', 5, null, 'https://example.org/x']) {
      const asked: unknown[] = [];
      const fetch = ((url: unknown) => {
        asked.push(url);
        return Promise.reject(new Error('no'));
      }) as typeof globalThis.fetch;
      const index = jsonFile({ weight_map: { a: file } });
      await refuses(filesOf(bert, { 'model.safetensors.index.json': index }), {
        ...{ code: 'value', message: /must name files of the folder/, options: { fetch } },
      });
      assert.deepEqual(asked, []);
    }
  });

  test('modules.json that leads out of the folder', async () => {
    for (const type of ['Pooling', 'Dense'])
      for (const path of ['../x', 'https://example.org/x', '/etc', '.', ''])
        await refuses(filesOf(bert, { 'modules.json': jsonFile([{ type: `sentence_transformers.models.${type}`, path }]) }), {
          ...{ code: 'value', message: /path must be a folder of the model/ },
        });
  });
});

describe('config.json', () => {
  test('a family that is not known: those that are, and the function that reads it', async () => {
    await refuses(withConfig(bert, { model_type: 'bart' }), {
      ...{
        code: 'value',
        message: /one of bert, roberta, xlm-roberta, camembert, mpnet, distilbert, modernbert, nomic_bert, got 'bart'/,
      },
    });
    await refuses(withConfig(llama, { model_type: 'mamba' }), {
      ...{
        code: 'value',
        message: /one of gpt2, llama, mistral, qwen2, qwen3, gemma, gemma2, gemma3_text, got 'mamba'/,
        load: loadDecoder,
      },
    });
    await refuses(withConfig(llama, {}), { code: 'value', message: /loadDecoder reads it/ });
    for (const type of ['constructor', '__proto__', 'toString', 5, null, ['bert']])
      await refuses(withConfig(bert, { model_type: type }), { code: 'value', message: /model_type must be one of/ });
  });

  test('keys that would change the numbers are refused', async () => {
    await refuses(withConfig(bert, { quantization_config: { bits: 4 } }), {
      code: 'value',
      message: /quantization_config .* is not supported/,
    });
    await refuses(withConfig(bert, { position_embedding_type: 'relative_key' }), {
      code: 'value',
      message: /position_embedding_type/,
    });
    await refuses(withConfig(bert, { is_decoder: true }), { code: 'value', message: /is_decoder/ });
    await refuses(withConfig(bert, { hidden_act: 'gelu_magic' }), { code: 'value', message: /hidden_act must be one of/ });
    for (const changes of [
      { rope_scaling: { rope_type: 'yarn', factor: 4 } },
      { rope_scaling: { type: 'dynamic', factor: 2 } },
      { rope_parameters: { rope_type: 'longrope', rope_theta: 5 } },
      { quantization_config: {} },
      { attention_bias: true },
      { architectures: ['LlamaForSequenceClassification'] },
    ])
      await refuses(withConfig(llama, changes), {
        code: 'value',
        message: new RegExp(Object.keys(changes)[0]!.split('_')[0]!),
        load: loadDecoder,
      });
  });

  test('values of another kind are errors that name the key', async () => {
    for (const [key, values] of Object.entries({
      hidden_size: [0, -1, 1.5, '12', 2 ** 40, [], {}],
      num_attention_heads: [0, 5, true],
      num_hidden_layers: [0, 1e9, 2 ** 30],
      layer_norm_eps: ['small', []],
      architectures: [5, {}, [5], 'BertModel', [[]], true],
    }))
      for (const value of values)
        await refuses(withConfig(bert, { [key]: value }), { code: 'value', message: new RegExp(key) });
    await refuses(withConfig(bert, { architectures: ['BertForSequenceClassification'], num_labels: 2 ** 30 }), {
      code: 'value',
      message: /num_labels/,
    });
    for (const [key, values] of Object.entries({
      num_key_value_heads: [0, 'one'],
      num_hidden_layers: [0, 2 ** 30],
      rope_scaling: [5, [], 'llama3', { rope_type: 'llama3' }],
      tie_word_embeddings: ['yes', 1],
      architectures: [5, {}, [], null],
    }))
      for (const value of values)
        await refuses(withConfig(llama, { [key]: value }), {
          code: 'value',
          message: new RegExp(key === 'rope_scaling' ? 'rope_scaling|factor' : key),
          load: loadDecoder,
        });
  });

  test('keys named as members of every object are keys like others, and change nothing', async () => {
    const text = JSON.stringify(bert.config).replace(
      /}$/,
      ',"__proto__":{"hidden_size":99,"is_decoder":true},"constructor":{"prototype":{"x":1}},"toString":5}',
    );
    const encoder = await loadEncoder(fovea, filesOf(bert, { 'config.json': new TextEncoder().encode(text) }), {
      tokenizer: null,
    });
    assert.equal(encoder.info.width, 12);
    encoder.dispose();
    assert.equal(({} as { x?: number; hidden_size?: number }).hidden_size, undefined);
    const proto = '{"__proto__":{"model_type":"bert"}}';
    await refuses(filesOf(bert, { 'config.json': new TextEncoder().encode(proto) }), { code: 'value', message: /model_type/ });
  });

  test("the caller's keys stand in place of the file's", async () => {
    const files = withConfig(bert, { model_type: 'nothing', quantization_config: {} });
    const encoder = await loadEncoder(fovea, files, {
      tokenizer: null,
      config: { model_type: 'bert', quantization_config: null },
    });
    encoder.dispose();
  });

  test('weights that have no room: a memory error before any of them is read', async () => {
    const asked: string[] = [];
    const watched = (files: Files): Files =>
      new Map(
        [...files].map(([name, source]) => [name, new Watched([source as Uint8Array<ArrayBuffer>], () => asked.push(name))]),
      );
    await refuses(watched(withConfig(bert, { vocab_size: 2 ** 30 })), {
      code: 'memory',
      message: /the weights take \d+ bytes/,
    });
    await refuses(watched(withConfig(llama, { vocab_size: 2 ** 30 })), {
      code: 'memory',
      message: /int8.*\d+ bytes/,
      load: loadDecoder,
    });
    await refuses(
      watched(withConfig(llama, { hidden_size: 2 ** 20, num_attention_heads: 2 ** 10, num_key_value_heads: 2 ** 10 })),
      {
        ...{ code: 'memory', message: /bytes/, load: loadDecoder },
      },
    );
    assert.ok(!asked.includes('model.safetensors'), `${asked}`);
  });
});

/** A Blob that tells when it is read. */
class Watched extends Blob {
  readonly #onRead: () => void;

  constructor(parts: BlobPart[], onRead: () => void) {
    super(parts);
    this.#onRead = onRead;
  }

  override slice(start?: number, end?: number): Blob {
    this.#onRead();
    return super.slice(start, end);
  }

  override arrayBuffer(): Promise<ArrayBuffer> {
    this.#onRead();
    return super.arrayBuffer();
  }
}

describe('sources', () => {
  const pooling = jsonFile({ pooling_mode_cls_token: true });
  const modules = jsonFile([{ type: 'sentence_transformers.models.Pooling', path: '1_Pooling' }]);
  const whole = filesOf(bert, { 'tokenizer.json': tokenizerJson, 'modules.json': modules, '1_Pooling/config.json': pooling });
  let folder = '';
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'fovea models-'));
    mkdirSync(join(folder, '1_Pooling'));
    for (const [name, file] of whole) writeFileSync(join(folder, name), file as Uint8Array);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  async function vectorsOf(source: ModelFolder, options: LoadModelOptions = {}): Promise<Float32Array> {
    const { live } = fovea.memory();
    const encoder = await loadEncoder(fovea, source, options);
    const { data } = await encoder.embed(['a b c', 'c']);
    assert.equal(encoder.info.pooling, 'cls');
    encoder.dispose();
    assert.equal(fovea.memory().live, live);
    return data;
  }

  test('a Map, a path, a file: URL and its text, Files as a visitor chooses them', async () => {
    const want = await vectorsOf(whole);
    const url = pathToFileURL(folder);
    const files = [...whole].map(([name, file]) => {
      const blob = new File([file as Uint8Array<ArrayBuffer>], name.split('/').at(-1)!);
      return Object.defineProperty(blob, 'webkitRelativePath', { value: `minilm/${name}` });
    });
    for (const source of [folder, `${folder}/`, url, url.href, `${url.href}/`, files])
      assertSameBits(await vectorsOf(source), want, String(source));
    const flat = [...filesOf(bert)].map(([name, file]) => new File([file as Uint8Array<ArrayBuffer>], name));
    const encoder = await loadEncoder(fovea, flat, { tokenizer: null });
    assert.equal(encoder.info.pooling, 'mean');
    encoder.dispose();
  });

  test('nothing else', async () => {
    for (const source of [undefined, null, 5, {}, () => 0])
      await refuses(source as never, {
        code: 'value',
        message: /folder must be a URL or a path, a list of Files, or a Map of sources/,
      });
    await refuses(join(folder, 'nowhere'), { code: 'load', message: /nowhere has no config\.json/ });
  });

  test('options that are none', async () => {
    for (const options of [
      { dtype: 'int4' },
      { config: 5 },
      { onProgress: 5 },
      { signal: 5 },
      { fetch: 5 },
      { cache: 5 },
      { integrity: 5 },
      { nothing: 1 },
      { tokenizer: {} },
    ])
      await refuses(whole, { code: 'option', message: /loadEncoder: /, options: options as unknown as LoadModelOptions });
  });

  describe('a server', () => {
    type Answer = (name: string, response: ServerResponse) => boolean | void;
    let answer: Answer = () => {};
    let asked: string[] = [];
    let base = '';
    const server = createServer((request, response) => {
      const name = decodeURIComponent(request.url!.replace(/^\/model\//, ''));
      asked.push(name);
      if (answer(name, response) === true) return;
      const file = whole.get(name) as Uint8Array | undefined;
      if (file === undefined) return void response.writeHead(404).end('none');
      response.writeHead(200, { 'content-length': file.length }).end(file);
    });
    before(async () => {
      await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
      base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/model`;
    });
    after(() => {
      server.closeAllConnections();
      server.close();
    });
    const serve = (next: Answer = () => {}): void => {
      answer = next;
      asked = [];
    };

    test('each file is asked for once, and progress tells of it', async () => {
      serve();
      const want = await vectorsOf(whole);
      const progress: LoadProgress[] = [];
      assertSameBits(await vectorsOf(base, { onProgress: (one) => progress.push({ ...one }) }), want, 'over HTTP');
      assert.equal(new Set(asked).size, asked.length, `${asked}`);
      const named = new Set(progress.map(({ file }) => file));
      assert.deepEqual(
        [...named].filter((file) => !whole.has(file)),
        [],
        'paths in the folder',
      );
      assert.ok(named.has('config.json') && named.has('1_Pooling/config.json'));
      const size = (whole.get('model.safetensors') as Uint8Array).length;
      for (const phase of ['download', 'pack'] as const) {
        const own = progress.filter((one) => one.file === 'model.safetensors' && one.phase === phase);
        assert.ok(own.length > 0 && own.every(({ total }) => total === size), phase);
        assert.deepEqual(
          [own.at(-1)!.loaded, own.map(({ loaded }) => loaded)],
          [size, own.map(({ loaded }) => loaded).sort((a, b) => a - b)],
        );
      }
      assertSameBits(await vectorsOf(new URL(`${base}/`)), want, 'a URL');
    });

    test('one that does not tell how long the files are', async () => {
      const want = await vectorsOf(whole);
      serve((name, response) => {
        const file = whole.get(name) as Uint8Array | undefined;
        if (file === undefined) return false;
        response.writeHead(200);
        response.write(file.subarray(0, 7));
        setTimeout(() => response.end(file.subarray(7)), 5);
        return true;
      });
      const totals = new Set<number | null>();
      const onProgress = ({ phase, total }: LoadProgress): void => void (phase === 'download' && totals.add(total));
      assertSameBits(await vectorsOf(base, { onProgress }), want, 'without content-length');
      assert.deepEqual([...totals], [null]);
    });

    test('small files are asked for side by side; where one fails, the others are ended', async () => {
      const small = ['config.json', 'modules.json', 'tokenizer_config.json', 'tokenizer.json', 'model.safetensors.index.json'];
      const held: (() => void)[] = [];
      serve((name, response) => {
        if (!small.includes(name)) return false;
        held.push(() => {
          const file = whole.get(name) as Uint8Array | undefined;
          if (file === undefined) response.writeHead(404).end();
          else response.writeHead(200).end(file);
        });
        // No answer comes before all have been asked for.
        if (held.length === small.length) for (const reply of held) reply();
        return true;
      });
      assertSameBits(await vectorsOf(base), await vectorsOf(whole), 'side by side');
      let ended = 0;
      serve((name, response) => {
        if (name === 'config.json') setTimeout(() => response.writeHead(500).end(), 20);
        else response.once('close', () => ended++);
        return true;
      });
      await refuses(base, { code: 'load', message: /config\.json cannot be read: the server answered 500/ });
      for (let n = 0; n < 100 && ended < asked.length - 1; n++) await new Promise((done) => setTimeout(done, 10));
      assert.ok(asked.length > 4);
      assert.equal(ended, asked.length - 1);
    });

    test('403 is an optional file that the folder lacks, and an error for one that is needed', async () => {
      serve((name, response) => !whole.has(name) && Boolean(response.writeHead(403).end('<Error/>')));
      assertSameBits(await vectorsOf(base), await vectorsOf(whole), '403 for what is not there');
      for (const needed of ['config.json', 'tokenizer.json', '1_Pooling/config.json', 'model.safetensors']) {
        serve((name, response) => name === needed && Boolean(response.writeHead(403).end('<Error/>')));
        await refuses(base, {
          code: 'load',
          message: new RegExp(`${needed.replace(/\./g, '\\.')} cannot be read: the server answered 403 Forbidden`),
          options: { tokenizer: undefined },
        });
      }
    });

    test('a page in HTML in place of the weights', async () => {
      for (const length of [{ 'content-length': page.length }, {}]) {
        serve((name, response) => {
          if (name !== 'model.safetensors') return false;
          response.writeHead(200, { 'content-type': 'text/html', ...length }).end(page);
          return true;
        });
        await refuses(base, { code: 'load', message: /model\.safetensors cannot be read: an HTML page came in its place/ });
      }
    });

    test('404 is a file that the folder lacks; other answers are errors that tell them', async () => {
      serve((name, response) => name === 'config.json' && Boolean(response.writeHead(404).end()));
      await refuses(base, { code: 'load', message: /has no config\.json/ });
      for (const status of [403, 500, 503]) {
        serve((name, response) => name === 'model.safetensors' && Boolean(response.writeHead(status).end()));
        await refuses(base, {
          code: 'load',
          message: new RegExp(`model\\.safetensors cannot be read: the server answered ${status}`),
        });
      }
      serve((name, response) => name === 'tokenizer.json' && Boolean(response.writeHead(200).end()));
      await refuses(base, {
        code: 'load',
        message: /tokenizer\.json cannot be read: the answer is empty/,
        options: { tokenizer: undefined },
      });
      serve((_, response) => Boolean(response.writeHead(200, { 'content-type': 'text/html' }).end(page)));
      await refuses(base, { code: 'load', message: /a page in HTML/ });
    });

    test('a connection that breaks, within a file of settings and within the weights', async () => {
      for (const broken of ['config.json', 'model.safetensors']) {
        serve((name, response) => {
          if (name !== broken) return false;
          const file = whole.get(name) as Uint8Array;
          response.writeHead(200, { 'content-length': file.length });
          response.write(file.subarray(0, file.length >> 1));
          setTimeout(() => response.destroy(), 20);
          return true;
        });
        await refuses(base, { code: 'load', message: new RegExp(`${broken.replace('.', '\\.')} cannot be read to its end`) });
      }
    });

    test('no server at all, and a fetch of the caller', async () => {
      await refuses('http://127.0.0.1:1/model', { code: 'load', message: /cannot be read/ });
      const urls: string[] = [];
      const fetch = ((url: string) => {
        urls.push(url);
        const file = whole.get(url.replace('https://models.example/m/', '')) as Uint8Array<ArrayBuffer> | undefined;
        return Promise.resolve(file === undefined ? new Response(null, { status: 404 }) : new Response(file));
      }) as typeof globalThis.fetch;
      assertSameBits(await vectorsOf('https://models.example/m', { fetch }), await vectorsOf(whole), "the caller's fetch");
      assert.ok(
        urls.every((url) => url.startsWith('https://models.example/m/')),
        `${urls}`,
      );
    });

    test('an abort in every phase rejects with its reason and leaves nothing held', async () => {
      for (const name of ['config.json', 'modules.json', 'tokenizer.json', 'model.safetensors'])
        for (const when of ['asked', 'half'] as const) {
          const controller = new AbortController();
          serve((asking, response) => {
            if (asking !== name) return false;
            const file = whole.get(name) as Uint8Array;
            if (when === 'half') {
              response.writeHead(200, { 'content-length': file.length });
              response.write(file.subarray(0, file.length >> 1));
            }
            setTimeout(() => controller.abort('enough'), 20);
            return true;
          });
          const { live } = fovea.memory();
          await assert.rejects(
            loadEncoder(fovea, base, { signal: controller.signal }),
            (reason) => reason === 'enough',
            `${name}, ${when}`,
          );
          assert.equal(fovea.memory().live, live, `${name}, ${when}`);
        }
    });
  });

  test('an abort before loading, and while weights are packed', async () => {
    const { live } = fovea.memory();
    await assert.rejects(loadEncoder(fovea, whole, { signal: AbortSignal.abort('no') }), (reason) => reason === 'no');
    const controller = new AbortController();
    const onProgress = ({ phase }: LoadProgress): void => void (phase === 'pack' && controller.abort('enough'));
    await assert.rejects(loadEncoder(fovea, whole, { signal: controller.signal, onProgress }), (reason) => reason === 'enough');
    assert.equal(fovea.memory().live, live);
  });

  test('what the caller throws in onProgress ends the loading, and nothing is held', async () => {
    const { live } = fovea.memory();
    const onProgress = (): never => {
      throw new RangeError('mine');
    };
    await assert.rejects(loadEncoder(fovea, whole, { onProgress }), { name: 'RangeError', message: 'mine' });
    assert.equal(fovea.memory().live, live);
  });

  test('dense layers behind the pooling', async () => {
    const dense = {
      weight: Float32Array.from({ length: 60 }, (_, n) => Math.sin(n)),
      bias: Float32Array.from({ length: 5 }, (_, n) => n / 8),
    };
    const list = ['Pooling', 'Dense', 'Normalize'].map((type, n) => ({
      type: `sentence_transformers.models.${type}`,
      path: `${n + 1}_${type}`,
    }));
    const inner = new Map<string, Uint8Array>();
    const weights = new Map([
      ['linear.weight', { data: dense.weight, shape: [5, 12] }],
      ['linear.bias', { data: dense.bias, shape: [5] }],
    ]);
    addWeights(inner, weights);
    const config = { in_features: 12, out_features: 5, bias: true, activation_function: 'torch.nn.modules.activation.Tanh' };
    const files = filesOf(bert, {
      ...{ 'modules.json': jsonFile(list), '1_Pooling/config.json': jsonFile({ pooling_mode_mean_tokens: true }) },
      ...{ '2_Dense/config.json': jsonFile(config), '2_Dense/model.safetensors': inner.get('model.safetensors')! },
    });
    const encoder = await loadEncoder(fovea, files, { tokenizer: null });
    const plain = await loadEncoder(fovea, filesOf(bert), { tokenizer: null });
    assert.equal(encoder.info.width, 5);
    const { data, shape } = await encoder.embed([[1, 2, 3]]);
    const { data: pooled } = await plain.embed([[1, 2, 3]], { normalize: false });
    const want = Array.from({ length: 5 }, (_, o) =>
      Math.tanh(pooled.reduce((sum, x, i) => sum + x * dense.weight[o * 12 + i]!, dense.bias[o]!)),
    );
    assert.deepEqual(shape, [1, 5]);
    want.forEach((x, o) => assert.ok(Math.abs(x / Math.hypot(...want) - data[o]!) < 2 ** -20, `${data}`));
    encoder.dispose();
    plain.dispose();
    await refuses(new Map([...files].filter(([name]) => name !== '2_Dense/model.safetensors')), {
      code: 'load',
      message: /2_Dense\/model\.safetensors/,
    });
  });
});

test('every family says what its config lacks by default: a config of a type alone reads as the full size, and finds no weights', async () => {
  for (const { model_type, architectures } of [
    ...Object.values(ENCODER_CONFIGS),
    ...Object.values(DECODER_CONFIGS),
  ] as Config[]) {
    const load = DECODER_CONFIGS[
      Object.keys(DECODER_CONFIGS).find((name) => DECODER_CONFIGS[name]!.model_type === model_type) ?? ''
    ]
      ? loadDecoder
      : loadEncoder;
    const files = new Map([
      ['config.json', jsonFile({ model_type, architectures, num_hidden_layers: 1, n_layers: 1, n_layer: 1 })],
    ]);
    await refuses(files, { code: 'load', message: /has no model\.safetensors/, load });
  }
});
