/** fovea/models over a connection of fovea/worker: the same numbers as on this thread, and nothing is left there. */
// In a process of its own: its worker starts before its first test.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { AttentionError } from 'fovea';
import { loadDecoder, loadEncoder, type LoadModelOptions, type LoadProgress } from 'fovea/models';
import { connect, type RemoteFovea } from 'fovea/worker';
import { DECODER_CONFIGS, ENCODER_CONFIGS } from '../support/model_configs.ts';
import { testModel } from '../support/model_folder.ts';
import { ModelServer } from '../support/model_server.ts';
import { loadForTests } from '../support/truth_instance.ts';

const fovea = await loadForTests();
const options = { tokenizer: null };
const { files: encoderFiles } = testModel({ config: ENCODER_CONFIGS[Object.keys(ENCODER_CONFIGS)[0]!]! });
const { files: decoderFiles } = testModel({ config: DECODER_CONFIGS[Object.keys(DECODER_CONFIGS)[0]!]! });
const texts = [[1, 2, 3], [4], [5, 6, 7, 8, 9]];

let remote: RemoteFovea;
before(async () => {
  const worker = new Worker(new URL('../support/serve_models_worker.js', import.meta.url));
  remote = await connect({ worker, variant: fovea.info.variant });
});
after(() => {
  remote.terminate();
  fovea.dispose();
});

const isError =
  (code: string, message: RegExp) =>
  (error: unknown): boolean =>
    error instanceof AttentionError && error.code === code && message.test(error.message);

test('an encoder gives the bytes of this thread, and tells its progress', async () => {
  const progress: LoadProgress[] = [];
  const there = await loadEncoder(remote, encoderFiles, { ...options, onProgress: (one) => void progress.push(one) });
  const here = await loadEncoder(fovea, encoderFiles, options);
  assert.deepEqual(there.info, here.info);
  assert.equal(progress.at(-1)!.phase, 'pack');
  assert.deepEqual(await there.embed(texts, { attentions: [0] }), await here.embed(texts, { attentions: [0] }));
  assert.deepEqual(await there.states(texts), await here.states(texts));
  here.dispose();
  there.dispose();
  assert.equal((await remote.memory()).live, 0);
  await assert.rejects(there.embed(texts), isError('disposed', /has been disposed/));
});

test('a decoder generates the tokens of this thread, alone and in a context; leaving the loop frees what it held', async () => {
  const there = await loadDecoder(remote, decoderFiles, options);
  const here = await loadDecoder(fovea, decoderFiles, options);
  const held = (await remote.memory()).live;
  const idsOf = async (model: Pick<typeof here, 'generate'>, prompt: number[]): Promise<number[]> => {
    const ids: number[] = [];
    for await (const { id } of model.generate(prompt, { maxTokens: 5, temperature: 1, seed: 3 })) ids.push(id);
    return ids;
  };
  const wanted = await idsOf(here, [1, 2, 3]);
  assert.deepEqual(await idsOf(there, [1, 2, 3]), wanted);
  const context = there.context({ capacity: 12 });
  assert.deepEqual(await idsOf(context, [1, 2, 3]), wanted);
  assert.ok(context.length > 3);
  context.dispose();
  const left = there.generate([1, 2], { maxTokens: 8 });
  for await (const { id } of left) {
    assert.ok(id >= 0);
    break;
  }
  const { reason, promptTokens } = await left.finished;
  assert.deepEqual([reason, promptTokens], ['stop', 2]);
  assert.equal((await remote.memory()).live, held);
  assert.deepEqual(await there.logits([1, 2]), await here.logits([1, 2]));
  here.dispose();
  there.dispose();
});

test('functions are not sent, an abort rejects with its reason, and a worker that serves no models is told apart', async () => {
  const there = await loadDecoder(remote, decoderFiles, options);
  await assert.rejects(there.generate([1], { logits: () => {} }).text(), isError('option', /logits cannot be sent/));
  const reason = new Error('enough');
  await assert.rejects(there.generate([1], { signal: AbortSignal.abort(reason) }).text(), reason);
  there.dispose();
  await assert.rejects(
    loadEncoder(remote, encoderFiles, { ...options, fetch }),
    isError('option', /fetch cannot be sent to a worker/),
  );
  await assert.rejects(loadEncoder(remote, new Map(), options), isError('load', /^loadEncoder: .*config\.json/));
  const plain = await connect({ variant: fovea.info.variant });
  await assert.rejects(loadEncoder(plain, encoderFiles, options), isError('option', /must serve models/));
  plain.terminate();
});

test('a worker keeps what it downloads; integrity and cache are sent to it', async () => {
  const server = new ModelServer();
  const base = await server.listen();
  const worker = new Worker(new URL('../support/serve_keeping_models_worker.js', import.meta.url));
  const keeping = await connect({ worker, variant: fovea.info.variant });
  const digest = (file: string): string => {
    const hash = createHash('sha256').update(encoderFiles.get(file)!);
    return `sha256-${hash.digest('base64')}`;
  };
  try {
    const statuses = async (own: LoadModelOptions): Promise<number[]> => {
      server.serve(encoderFiles);
      const there = await loadEncoder(keeping, base, { ...options, ...own });
      there.dispose();
      return server.askedFor('model.safetensors').map(({ status }) => status);
    };
    assert.deepEqual(await statuses({ cache: 'none' }), [200]);
    assert.deepEqual(await statuses({}), [200]);
    assert.deepEqual(await statuses({}), [304]);
    assert.deepEqual(await statuses({ cache: 'none' }), [200]);
    assert.deepEqual(await statuses({ integrity: { 'model.safetensors': digest('model.safetensors') } }), [304]);
    await assert.rejects(
      statuses({ integrity: { 'model.safetensors': digest('config.json') } }),
      isError('load', /^loadEncoder: model\.safetensors must have the digest/),
    );
    await assert.rejects(statuses({ integrity: { 'config.json': 'md5' } }), isError('option', /integrity\['config\.json'\]/));
    assert.equal((await keeping.memory()).live, 0);
  } finally {
    keeping.terminate();
    server.close();
  }
});
