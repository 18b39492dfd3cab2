/** A visitor's model: files of four kinds give what fovea/nn computes of them, and what is wrong with a file is named before anything is computed. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Tokenizer } from '@huggingface/tokenizers';
import { toNested } from 'fovea';
import { CausalDecoder, MultiHeadAttention, TransformerEncoder, type Rename } from 'fovea/nn';
import { layerNorm, softmax } from 'fovea/ops';
import { Checkpoint } from '../../../web/model/own/checkpoint.ts';
import type { Config } from '../../../web/model/own/config.ts';
import { sortFiles } from '../../../web/model/own/files.ts';
import * as messages from '../../../build/generated/texts/own_model.ts';
import { complaintText } from '../../../web/model/own/said.ts';
import { OwnModel, readHeaders } from '../../../web/model/own/model.ts';
import { inspect } from '../../../web/model/own/plan.ts';
import { wordPieceOf } from '../../../web/model/own/wordpiece.ts';
import { megabytes } from '../../../web/model/megabytes.ts';
import { fovea } from '../support/api.ts';
import { bertWeights, fileOf, gpt2Weights, llamaWeights, seeded, vitWeights, type Weights } from '../support/model_files.ts';

const IDS = [3, 1, 4, 1, 5, 9, 2, 6];

async function open(
  weights: Weights,
  config: Config | null,
  files = [fileOf(weights)],
  dtype: 'float32' | 'int8' = 'float32',
): Promise<OwnModel> {
  const headers = await readHeaders(files);
  const { plan, notes } = inspect(headers, config);
  assert.ok(plan, JSON.stringify(notes));
  const checkpoint = new Checkpoint(headers);
  const model = new OwnModel(fovea, plan, (name) => headers.get(checkpoint.nameOf(name) ?? ''), dtype);
  await model.loadEnds();
  for (let n = 0; n < plan.layers; ++n) await model.loadLayer(n);
  return model;
}

function assertNear(got: ArrayLike<number>, wanted: ArrayLike<number>, name: string): void {
  assert.equal(got.length, wanted.length, name);
  const most = Array.from(got).reduce((sum, x, n) => Math.max(sum, Math.abs(x - wanted[n]!)), 0);
  assert.ok(most < 2e-5, `${name} differs by ${most}`);
}

const notesOf = async (weights: Weights, config: Config | null = null) =>
  inspect(await readHeaders([fileOf(weights)]), config).notes;

const BERT: Rename = [
  [/^(bert\.)?encoder\.layer\./, 'layers.'],
  [/attention\.self\.query\.(\w+)$/, 'self_attn.in_proj_$1[0]'],
  [/attention\.self\.key\.(\w+)$/, 'self_attn.in_proj_$1[1]'],
  [/attention\.self\.value\.(\w+)$/, 'self_attn.in_proj_$1[2]'],
  [/attention\.output\.dense\./, 'self_attn.out_proj.'],
  [/attention\.output\.LayerNorm\./, 'norm1.'],
  [/intermediate\.dense\./, 'linear1.'],
  [/output\.dense\./, 'linear2.'],
  [/output\.LayerNorm\./, 'norm2.'],
];

/** The weights of the second layer's attention, by the modules of the package. */
function secondLayer(weights: Weights, rename: Rename, x: readonly (readonly number[])[], normFirst: boolean): Float32Array {
  const options = { dModel: 16, nHead: 4, dimFeedforward: 24, activation: 'gelu', layerNormEps: 1e-12, normFirst } as const;
  const encoder = new TransformerEncoder(fovea, { ...options, numLayers: 1 });
  encoder.loadStateDict(weights, { rename, strict: false });
  const y = encoder.forward(x as number[][]);
  const both = new TransformerEncoder(fovea, { ...options, numLayers: 2 });
  both.loadStateDict(weights, { rename, strict: false });
  const state = both.stateDict();
  const attention = new MultiHeadAttention(fovea, { embedDim: 16, numHeads: 4 });
  const own = (name: string) => state.get(`layers.1.self_attn.${name}`)!;
  attention.loadStateDict({
    in_proj_weight: own('in_proj_weight'),
    in_proj_bias: own('in_proj_bias'),
    'out_proj.weight': own('out_proj.weight'),
    'out_proj.bias': own('out_proj.bias'),
  });
  const norm = { weight: state.get('layers.1.norm1.weight')!, bias: state.get('layers.1.norm1.bias')!, eps: 1e-12 };
  const input = normFirst ? layerNorm(fovea, y, norm) : y;
  const made = attention.forward(input, { returnWeights: true, averageAttnWeights: false }).weights.data;
  for (const module of [encoder, both, attention]) module.dispose();
  return made;
}

describe("a visitor's model", () => {
  test('one layer and one head are counted in the singular, and a small file has a size above 0', () => {
    assert.equal(
      messages.sizes.en({ layers: 1, heads: 1, width: 8, parameters: '96' }),
      '1 layer, 1 head each, width 8, 96 parameters',
    );
    assert.equal(
      messages.sizes.en({ layers: 3, heads: 4, width: 16, parameters: '2048' }),
      '3 layers, 4 heads each, width 16, 2048 parameters',
    );
    assert.deepEqual([1, 43_210, 100_000, 7_200_000].map(megabytes), ['1 kB', '44 kB', '0.1 MB', '7.2 MB']);
  });

  test('vocab.txt is the tokenizer of BERT; other forms of files are refused with the one to give', () => {
    const vocabulary = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]', 'hello', 'word', '##s', ',', '猫', '追', 'cafe'];
    const tokens = (words: readonly string[], text: string, options: { do_lower_case?: boolean } | null = null): string[] =>
      new Tokenizer(wordPieceOf(`${words.join('\n')}\n`, options), options ?? {}).encode(text).tokens;
    assert.deepEqual(tokens(vocabulary, 'Hello, words!'), ['[CLS]', 'hello', ',', 'word', '##s', '[UNK]', '[SEP]']);
    assert.deepEqual(tokens(vocabulary, '猫追café'), ['[CLS]', '猫', '追', 'cafe', '[SEP]']);
    // One with capital letters has those of the text, unless its config says otherwise.
    const cased = [...vocabulary, 'Hello'];
    assert.deepEqual(tokens(cased, 'Hello hello'), ['[CLS]', 'Hello', 'hello', '[SEP]']);
    assert.deepEqual(tokens(cased, 'Hello', { do_lower_case: true }), ['[CLS]', 'hello', '[SEP]']);
    const { ids } = new Tokenizer(wordPieceOf(vocabulary.join('\r\n'), null), {}).encode('words');
    assert.deepEqual(ids, [2, 6, 7, 3]);
    assert.throws(() => wordPieceOf('hello\nworld', null), /\[UNK\], \[CLS\], \[SEP\] not found/);
    const sorted = sortFiles(
      ['vocab.txt', 'vocab.json', 'merges.txt', 'model.gguf', 'notes.pdf'].map((name) => new File(['x'], name)),
    );
    assert.equal(sorted.vocabulary?.name, 'vocab.txt');
    assert.deepEqual(sorted.complaints, [
      { kind: 'instead', name: 'vocab.json', give: 'tokenizer.json' },
      { kind: 'instead', name: 'merges.txt', give: 'tokenizer.json' },
      { kind: 'instead', name: 'model.gguf', give: 'model.safetensors' },
      { kind: 'unknown', name: 'notes.pdf' },
    ]);
    assert.match(complaintText(sorted.complaints[0]!).en, /give the model’s tokenizer\.json/);
  });

  test("BERT's names, old names of norms too: the weights of its heads are those of fovea/nn", async () => {
    const config = { model_type: 'bert', num_attention_heads: 4, layer_norm_eps: 1e-12, hidden_act: 'gelu' };
    const weights = bertWeights();
    const model = await open(weights, config);
    const { layers, next } = model.runTokens(IDS);
    assert.equal(next, null);
    const [words, positions, types] = ['word', 'position', 'token_type'].map(
      (name) => toNested(weights[`bert.embeddings.${name}_embeddings.weight`]!) as number[][],
    );
    const sum = IDS.map((id, t) => words![id]!.map((x, c) => x + positions![t]![c]! + types![0]![c]!));
    const [weight, bias] = ['weight', 'bias'].map((part) => weights[`bert.embeddings.LayerNorm.${part}`]!);
    const x = toNested(layerNorm(fovea, sum, { weight, bias, eps: 1e-12 })) as number[][];
    assertNear(layers[1]!.weights, secondLayer(weights, BERT, x, false), 'weights');
    model.dispose();
    const old = await open(bertWeights('', ['gamma', 'beta']), config);
    assertNear(old.runTokens(IDS).layers[1]!.weights, layers[1]!.weights, 'weights of the old names');
    old.dispose();
  });

  test("GPT-2's names: next tokens are those of CausalDecoder; layers may lie in two files; nobody attends ahead", async () => {
    const weights = gpt2Weights();
    const names = Object.keys(weights);
    const half = (from: number, to: number): Blob =>
      fileOf(Object.fromEntries(names.slice(from, to).map((name) => [name, weights[name]!])));
    const model = await open(weights, { model_type: 'gpt2', n_head: 2 }, [half(0, 12), half(12, names.length)]);
    const decoder = new CausalDecoder(fovea, {
      ...{ vocabSize: 40, numLayers: 2, dModel: 16, nHead: 2, maxPositions: 32, weightLayout: 'inOut' },
    });
    const rename: Rename = [
      ...([
        ['transformer.', ''],
        ['wte.', 'embedding.'],
        ['wpe.', 'positions.'],
        ['ln_f.', 'norm.'],
        ['h.', 'layers.'],
      ] as const),
      [/\.ln_([12])\./, '.norm$1.'],
      [/\.attn\.c_attn\.(\w+)$/, '.self_attn.in_proj_$1'],
      [/\.attn\.c_proj\./, '.self_attn.out_proj.'],
      [/\.mlp\.c_fc\./, '.linear1.'],
      [/\.mlp\.c_proj\./, '.linear2.'],
    ];
    decoder.loadStateDict(weights, { rename, strict: false });
    const { next, layers } = model.runTokens(IDS);
    assertNear(next!, softmax(fovea, decoder.next(IDS)).data, 'next');
    for (let i = 0; i < IDS.length; ++i)
      for (let j = i + 1; j < IDS.length; ++j) assert.equal(layers[1]!.weights[i * IDS.length + j], 0);
    const off = model.runTokens(IDS, [{ layer: 0, head: 1, change: { kind: 'off' } }]).next!;
    assert.ok(off.some((x, n) => Math.abs(x - next![n]!) > 1e-4));
    decoder.dispose();
    model.dispose();
  });

  test("Llama's names: grouped queries, rotated positions, SwiGLU: next tokens are those of CausalDecoder", async () => {
    const weights = llamaWeights();
    const model = await open(weights, { model_type: 'llama', num_attention_heads: 4, rms_norm_eps: 1e-5, rope_theta: 500 });
    const decoder = new CausalDecoder(fovea, {
      ...{ vocabSize: 40, numLayers: 2, dModel: 16, nHead: 4, kvHeads: 2, dimFeedforward: 24, tieWeights: false },
      ...{ norm: 'rms', normEps: 1e-5, gated: true, rope: { base: 500 } },
    });
    const rename: Rename = [
      ...([
        ['model.', ''],
        ['embed_tokens.', 'embedding.'],
        ['lm_head.', 'head.'],
      ] as const),
      [/self_attn\.q_proj\.(\w+)$/, 'self_attn.in_proj_$1[0]'],
      [/self_attn\.k_proj\.(\w+)$/, 'self_attn.in_proj_$1[1]'],
      [/self_attn\.v_proj\.(\w+)$/, 'self_attn.in_proj_$1[2]'],
      [/self_attn\.o_proj\./, 'self_attn.out_proj.'],
      [/input_layernorm\./, 'norm1.'],
      [/post_attention_layernorm\./, 'norm2.'],
      [/mlp\.up_proj\.(\w+)$/, 'linear1.$1[0]'],
      [/mlp\.gate_proj\.(\w+)$/, 'linear1.$1[1]'],
      [/mlp\.down_proj\./, 'linear2.'],
    ];
    decoder.loadStateDict(weights, { rename });
    assert.equal(model.plan.kvHeads, 2);
    assertNear(model.runTokens(IDS).next!, softmax(fovea, decoder.next(IDS)).data, 'next');
    decoder.dispose();
    const rounded = await open(weights, { model_type: 'llama', num_attention_heads: 4, rope_theta: 500 }, undefined, 'int8');
    const [exact, close] = [model.runTokens(IDS).next!, rounded.runTokens(IDS).next!];
    const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, x, n) => sum + x * b[n]!, 0);
    assert.ok(dot(exact, close) / Math.sqrt(dot(exact, exact) * dot(close, close)) > 0.99);
    assert.notDeepEqual(close, exact);
    rounded.dispose();
    model.dispose();
  });

  test("ViT's names: patches of an image, a class token before them", async () => {
    const weights = vitWeights();
    const model = await open(weights, { model_type: 'vit', num_attention_heads: 4 });
    const image = seeded(5)(8, 8, 3);
    const { layers } = model.runImage(image);
    const filters = weights['vit.embeddings.patch_embeddings.projection.weight']!.data;
    const bias = weights['vit.embeddings.patch_embeddings.projection.bias']!.data;
    const positions = toNested(weights['vit.embeddings.position_embeddings']!) as number[][][];
    const cells = [0, 1, 2, 3].map((cell) =>
      Array.from({ length: 16 }, (_, e) => {
        let y = bias[e]!;
        for (let k = 0; k < 3; ++k)
          for (let r = 0; r < 4; ++r)
            for (let c = 0; c < 4; ++c)
              y +=
                filters[((e * 3 + k) * 4 + r) * 4 + c]! * image.data[((4 * (cell >> 1) + r) * 8 + 4 * (cell & 1) + c) * 3 + k]!;
        return y;
      }),
    );
    const x = [[...weights['vit.embeddings.cls_token']!.data], ...cells].map((row, t) =>
      row.map((y, e) => y + positions[0]![t]![e]!),
    );
    const rename: Rename = [
      ['vit.encoder.layer.', 'layers.'],
      [/attention\.attention\.query\.(\w+)$/, 'self_attn.in_proj_$1[0]'],
      [/attention\.attention\.key\.(\w+)$/, 'self_attn.in_proj_$1[1]'],
      [/attention\.attention\.value\.(\w+)$/, 'self_attn.in_proj_$1[2]'],
      [/attention\.output\.dense\./, 'self_attn.out_proj.'],
      [/layernorm_before\./, 'norm1.'],
      [/layernorm_after\./, 'norm2.'],
      [/intermediate\.dense\./, 'linear1.'],
      [/output\.dense\./, 'linear2.'],
    ];
    assertNear(layers[1]!.weights, secondLayer(weights, rename, x, true), 'weights');
    model.dispose();
  });

  test('what is missing, of another shape or type, assumed or not understood is named', async () => {
    const weights = gpt2Weights();
    const { 'transformer.h.1.mlp.c_fc.bias': _, ...lacking } = weights;
    assert.deepEqual(
      (await notesOf(lacking)).filter(({ kind }) => kind === 'missing'),
      [{ kind: 'missing', names: ['transformer.h.1.mlp.c_fc.bias'] }],
    );
    const wrong = await notesOf({ ...weights, 'transformer.ln_f.weight': seeded(1)(17) });
    assert.deepEqual(
      wrong.find(({ kind }) => kind === 'shape'),
      {
        ...{ kind: 'shape', name: 'transformer.ln_f.weight', wanted: [16], got: [17] },
      },
    );
    assert.ok((await notesOf(weights)).some((note) => note.kind === 'assumed' && note.key === 'n_head'));
    const extra = await notesOf({ ...weights, 'classifier.weight': seeded(1)(2, 16) });
    assert.deepEqual(
      extra.find(({ kind }) => kind === 'unused'),
      { kind: 'unused', names: ['classifier.weight'] },
    );
    const config = { model_type: 'gemma', n_head: 2, sliding_window: 4096, activation_function: 'constructor' };
    const kinds = (await notesOf(weights, config)).map((note) => `${note.kind} ${'key' in note ? note.key : ''}`);
    for (const wanted of ['ignored model_type', 'ignored sliding_window', 'config activation_function'])
      assert.ok(kinds.includes(wanted), wanted);
    for (const n_head of [3, 0, -1, 1.5, '4', 1e9, {}]) {
      const { plan } = inspect(await readHeaders([fileOf(weights)]), { n_head });
      assert.equal(plan, null, JSON.stringify(n_head));
    }
    assert.deepEqual(inspect(await readHeaders([fileOf({ x: seeded(1)(2, 2) })]), null), {
      ...{ plan: null, family: null, notes: [], parameters: 0 },
    });
    await assert.rejects(readHeaders([new Blob(['no safetensors'])]), { name: 'AttentionError' });
  });

  test('a config cannot reach what objects inherit', async () => {
    const hostile = JSON.parse('{"__proto__": {"n_head": 4}, "rope_scaling": {"__proto__": {"type": "linear"}}}') as Config;
    assert.ok((await notesOf(gpt2Weights(), hostile)).some((note) => note.kind === 'assumed' && note.key === 'n_head'));
  });
});
