/** Weights under other names: `rename`, its parts, the recipe for BERT's names, and what an error says of a dict that does not fit. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NDArray } from 'fovea';
import { readSafetensors, writeSafetensors } from 'fovea/files';
import { Linear, MultiHeadAttention, SelfAttention, TransformerDecoder, TransformerEncoder, type Rename } from 'fovea/nn';
import { fails, fovea, numbers, same } from '../support/api.ts';

/** The recipe of docs/nn.md. */
const recipe: readonly (readonly [RegExp, string])[] = [
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

const width = 4;
const options = { numLayers: 2, dModel: width, nHead: 2, dimFeedforward: 6, activation: 'gelu', layerNormEps: 1e-12 } as const;

/** The weights of an encoder under the names of Hugging Face's BERT, `bert.` before them or not. */
function asBert(dict: ReadonlyMap<string, NDArray>, prefix: string): Map<string, NDArray> {
  const result = new Map<string, NDArray>([
    [`${prefix}embeddings.word_embeddings.weight`, numbers([5, width])],
    [`${prefix}pooler.dense.bias`, numbers([width])],
  ]);
  for (const [name, { data, shape }] of dict) {
    const [, layer, rest] = /^layers\.(\d+)\.(.*)$/.exec(name)!;
    const at = `${prefix}encoder.layer.${layer}.`;
    const kind = /weight$/.test(rest!) ? 'weight' : 'bias';
    if (rest!.startsWith('self_attn.in_proj_')) {
      const size = data.length / 3;
      ['query', 'key', 'value'].forEach((part, n) =>
        result.set(`${at}attention.self.${part}.${kind}`, {
          data: data.slice(n * size, (n + 1) * size),
          shape: [shape[0]! / 3, ...shape.slice(1)],
        }),
      );
      continue;
    }
    const names: Record<string, string> = {
      'self_attn.out_proj': 'attention.output.dense',
      norm1: 'attention.output.LayerNorm',
      linear1: 'intermediate.dense',
      linear2: 'output.dense',
      norm2: 'output.LayerNorm',
    };
    result.set(`${at}${names[rest!.replace(/\.\w+$/, '')]}.${kind}`, { data, shape });
  }
  return result;
}

for (const prefix of ['', 'bert.']) {
  test(`the recipe for BERT's names, beginning with '${prefix}', gives the encoder of PyTorch's names`, () => {
    const encoder = new TransformerEncoder(fovea, { ...options, seed: 7 });
    const other = new TransformerEncoder(fovea, options);
    const dict = encoder.stateDict();
    other.loadStateDict(asBert(dict, prefix), { rename: recipe, strict: false });
    for (const [name, { data }] of other.stateDict()) same(data, dict.get(name)!.data);
    const x = numbers([3, width]);
    same(other.forward(x).data, encoder.forward(x).data);
    const byFunction = new TransformerEncoder(fovea, options);
    byFunction.loadStateDict(asBert(dict, prefix), {
      rename: (name) =>
        name.includes('encoder.') ? recipe.reduce((text, [from, to]) => text.replace(from, to), name) : undefined,
    });
    same(byFunction.forward(x).data, encoder.forward(x).data);
    for (const module of [encoder, other, byFunction]) module.dispose();
  });
}

test('pairs of texts replace what names begin with, one pair after the other; parts may be Tensors', () => {
  const layer = new Linear(fovea, { inFeatures: 2, outFeatures: 2 });
  const x = fovea.tensor([[3, 4]]);
  layer.loadStateDict(
    { 'm.top': [[1, 2]], 'm.low': x, 'm.b': [5, 6] },
    {
      rename: [
        ['m.', ''],
        ['top', 'weight[0]'],
        ['low', 'weight[1]'],
        [/^b$/, 'bias'],
      ],
    },
  );
  assert.deepEqual([...layer.stateDict().get('weight')!.data], [1, 2, 3, 4]);
  x.dispose();
  layer.dispose();
});

test('what rename makes is checked', () => {
  const layer = new Linear(fovea, { inFeatures: 2, outFeatures: 1 });
  const load =
    (rename: unknown, dict: object = { a: [[1, 2]], b: [1] }) =>
    () =>
      layer.loadStateDict(dict as Record<string, number[]>, { rename: rename as Rename });
  fails('option', /rename must be a function or pairs \[from, to\], got 'x'/, load('x'));
  fails('option', /rename must hold pairs \[from, to\], got \['a'\]/, load([['a']]));
  fails('option', /rename must begin pairs with a text or a RegExp, got 1/, load([[1, 'a']]));
  fails(
    'value',
    /rename must give a text or undefined, got 1 for a/,
    load(() => 1),
  );
  fails(
    'value',
    /rename must give each name once, got bias for b too/,
    load(() => 'bias'),
  );
  fails(
    'value',
    /rename must give each name once/,
    load([
      [/^a$/, 'bias[0]'],
      [/^b$/, 'bias'],
    ]),
  );
  fails(
    'shape',
    /parts must have one shape but for the first axis/,
    load([
      ['a', 'weight[0]'],
      ['b', 'weight[1]'],
    ]),
  );
  layer.dispose();
});

test('a dict that does not fit is told apart: a prefix, the whole result of readSafetensors', async () => {
  const layer = new Linear(fovea, { inFeatures: 2, outFeatures: 1 });
  const dict = { 'model.fc.weight': [[1, 2]], 'model.fc.bias': [3] };
  fails('value', /missing weight, bias; unexpected .*; all names begin with 'model\.fc\.': pass prefix: 'model\.fc\.'$/, () =>
    layer.loadStateDict(dict),
  );
  fails('value', /; model\.fc\.weight begins with 'model\.fc\.': pass prefix/, () =>
    layer.loadStateDict({ ...dict, other: [1] }),
  );
  layer.loadStateDict(dict, { prefix: 'model.fc.' });
  const file = await readSafetensors(writeSafetensors({ weight: [[1, 2]], bias: [3] }));
  fails('value', /got the whole result of readSafetensors: pass its tensors/, () =>
    layer.loadStateDict(file as unknown as Record<string, number[]>),
  );
  layer.loadStateDict(file.tensors);
  layer.dispose();
});

test("a module's error lists the options that it takes", () => {
  const names = (module: { forward(...args: never[]): unknown; dispose(): void }, ...args: unknown[]): string[] => {
    try {
      (module.forward as (...args: unknown[]) => unknown)(...args, { zzzzzz: 1 });
    } catch (error) {
      return /known are (.*)$/.exec((error as Error).message)![1]!.split(', ');
    } finally {
      module.dispose();
    }
    return assert.fail('it was taken');
  };
  const x = [[1, 0]];
  const mha = names(new MultiHeadAttention(fovea, { embedDim: 2, numHeads: 1, seed: 1 }), x, x, x);
  for (const name of ['attnMask', 'keyPaddingMask', 'causal', 'returnWeights', 'trace']) assert.ok(mha.includes(name), name);
  for (const name of ['mask', 'heads', 'weightLayout', 'addZeroAttention']) assert.ok(!mha.includes(name), name);
  const layer = { dModel: 2, nHead: 1, numLayers: 1, dimFeedforward: 2, seed: 1 };
  const decoder = names(new TransformerDecoder(fovea, layer), x, x);
  for (const name of ['attnMask', 'memoryMask', 'memoryKeyPaddingMask']) assert.ok(decoder.includes(name), name);
  assert.ok(!decoder.includes('returnWeights'));
  const self = names(new SelfAttention(fovea, { dim: 2, seed: 1 }), x);
  assert.ok(self.includes('mask') && !self.includes('heads') && !self.includes('weightLayout'));
});
