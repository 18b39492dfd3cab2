/** Encoders of fovea/models against their equations in double: tests/js/reference/models. The bounds: tests/js/support/model_bounds.ts. */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { loadEncoder, type Encoder, type LoadModelOptions, type Pooling } from 'fovea/models';
import { classLogits, encode, tagLogits, type TextIds } from '../reference/models/encoders.ts';
import type { Config } from '../reference/models/parts.ts';
import { assertNear, expectedNumbers, flat, type ExpectedNumbers } from '../support/model_bounds.ts';
import { ENCODER_CONFIGS } from '../support/model_configs.ts';
import { addWeights, jsonFile, testModel, type FolderDtype, type TestModel } from '../support/model_folder.ts';
import { assertSameBits } from '../support/truth_bounds.ts';
import { loadForTests } from '../support/truth_instance.ts';
import { TestRandom } from '../support/truth_random.ts';

const fovea = await loadForTests();
after(() => fovea.dispose());

const LENGTHS = [1, 3, 5, 63, 65];

function textsOf({ config }: TestModel, lengths: readonly number[] = LENGTHS): number[][] {
  const random = new TestRandom(5);
  return lengths.map((length) => Array.from({ length }, () => random.integer(0, (config['vocab_size'] as number) - 1)));
}

async function withEncoder<R>(
  model: TestModel,
  use: (encoder: Encoder) => Promise<R>,
  options: LoadModelOptions = {},
): Promise<R> {
  const before = fovea.memory().live;
  const encoder = await loadEncoder(fovea, model.files, { tokenizer: null, ...options });
  try {
    return await use(encoder);
  } finally {
    encoder.dispose();
    assert.equal(fovea.memory().live, before, 'live bytes after dispose');
  }
}

const expectedStates = ({ weights, config }: TestModel, text: TextIds): ExpectedNumbers =>
  expectedNumbers(weights, (parts) => [flat(encode(parts, config, text).states)])[0]!;

async function checkStates(model: TestModel, lengths: readonly number[] = LENGTHS): Promise<void> {
  const texts = textsOf(model, lengths);
  const expected = texts.map((ids) => expectedStates(model, { ids }));
  await withEncoder(model, async (encoder) => {
    const together = await encoder.states(texts);
    for (const [n, ids] of texts.entries()) {
      const [alone] = await encoder.states([ids]);
      const { width } = encoder.info;
      assert.deepEqual(
        [alone!.shape, together[n]!.shape],
        [
          [ids.length, width],
          [ids.length, width],
        ],
      );
      assertNear(alone!.data, expected[n]!, `${ids.length} tokens alone`);
      assertNear(together[n]!.data, expected[n]!, `${ids.length} tokens among others`);
    }
  });
}

describe('the states are those of the equations', () => {
  for (const [name, config] of Object.entries(ENCODER_CONFIGS)) test(name, () => checkStates(testModel({ config })));

  test('a wrong equation is seen: each family with the rules of another', async () => {
    const wrong: readonly (readonly [string, Partial<Config>])[] = [
      ['roberta', { pad_token_id: 0 }],
      ['bert with ALiBi, 3 heads', { num_attention_heads: 6 }],
      ['modernbert, 3 heads', { local_attention: 7 }],
      ['modernbert, 3 heads', { local_rope_theta: 160000 }],
      ['nomic_bert, half of each head rotated in pairs', { rotary_emb_interleaved: false }],
      ['camembert', { hidden_act: 'gelu' }],
    ];
    for (const [name, changes] of wrong) {
      const model = testModel({ config: ENCODER_CONFIGS[name]! });
      const [ids] = textsOf(model, [63]);
      const { want, bound } = expectedStates({ ...model, config: { ...model.config, ...changes } }, { ids: ids! });
      const [states] = await withEncoder(model, (encoder) => encoder.states([ids!]));
      const error = Math.max(...want.map((x, n) => Math.abs(x - states!.data[n]!)));
      assert.ok(error > bound, `${name}, ${JSON.stringify(changes)}: error ${error}, bound ${bound}`);
    }
  });
});

describe('files', () => {
  const config = ENCODER_CONFIGS['bert, 3 heads of 4']!;

  test('two files and their index', () => checkStates(testModel({ config, parts: 2 }), [5, 63]));

  for (const dtype of ['F16', 'BF16'] as const satisfies readonly FolderDtype[])
    test(`weights of ${dtype}`, () => checkStates(testModel({ config, dtype }), [5, 63]));

  test('norms of old files, which are named gamma and beta', async () => {
    const model = testModel({ config });
    const renamed = new Map(
      [...model.weights].map(([name, values]) => {
        const old = name.replace(/LayerNorm\.weight$/, 'LayerNorm.gamma').replace(/LayerNorm\.bias$/, 'LayerNorm.beta');
        return [`bert.${old}`, values] as const;
      }),
    );
    const files = new Map(model.files);
    addWeights(files, renamed);
    const texts = textsOf(model, [5]);
    const [states] = await withEncoder({ ...model, files }, (encoder) => encoder.states(texts));
    assertNear(states!.data as Float32Array, expectedStates(model, { ids: texts[0]! }), 'with old names');
  });

  test("ModernBERT's config in the words of Transformers 5", async () => {
    const model = testModel({ config: ENCODER_CONFIGS['modernbert, 3 heads']! });
    const { global_attn_every_n_layers: _, global_rope_theta: __, local_rope_theta: ___, ...rest } = model.config;
    const words = {
      layer_types: ['full_attention', 'sliding_attention', 'sliding_attention', 'full_attention'],
      rope_parameters: {
        full_attention: { rope_type: 'default', rope_theta: 160000 },
        sliding_attention: { rope_type: 'default', rope_theta: 10000 },
      },
    };
    const files = new Map([...model.files, ['config.json', jsonFile({ ...rest, ...words })]]);
    const texts = textsOf(model, [63]);
    const [states] = await withEncoder({ ...model, files }, (encoder) => encoder.states(texts));
    assertNear(states!.data as Float32Array, expectedStates(model, { ids: texts[0]! }), 'in new words');
  });

  test('what the model is', () =>
    withEncoder(testModel({ config }), async ({ info }) => {
      const { architecture, layers, heads, width, maxTokens, dtype, pooling, poolingFrom, labels, parameters } = info;
      assert.deepEqual(
        { architecture, layers, heads, width, maxTokens, dtype },
        { architecture: 'BertModel', layers: 2, heads: 3, width: 12, maxTokens: 67, dtype: 'float32' },
      );
      assert.deepEqual({ pooling, poolingFrom, labels }, { pooling: 'mean', poolingFrom: 'default', labels: [] });
      const layer = 4 * (12 * 12 + 12) + 2 * 2 * 12 + 2 * 12 * 31 + 31 + 12;
      assert.equal(parameters, (40 + 67 + 2 + 2) * 12 + 2 * layer);
    }));

  test('the first position of RoBERTa takes tokens from the table', () =>
    withEncoder(testModel({ config: ENCODER_CONFIGS['roberta']! }), async ({ info }) => assert.equal(info.maxTokens, 67)));

  test('int8: the vectors point where those of float32 do, at a width of 64', async () => {
    for (const name of ['bert, 3 heads of 4', 'modernbert, 3 heads', 'nomic_bert, 3 heads']) {
      const small = ENCODER_CONFIGS[name]!;
      const sizes =
        small.model_type === 'nomic_bert'
          ? { n_embd: 64, n_head: 4, n_inner: 129 }
          : { hidden_size: 64, num_attention_heads: 4, intermediate_size: 129 };
      const model = testModel({ config: { ...small, ...sizes } });
      const texts = textsOf(model);
      const [exact, rounded] = await Promise.all(
        (['float32', 'int8'] as const).map((dtype) => withEncoderAlone(model, dtype, texts)),
      );
      texts.forEach((ids, n) => {
        const similarity = cosine(exact![n]!, rounded![n]!);
        assert.ok(similarity > 0.99, `${name}, ${ids.length} tokens: ${similarity}`);
      });
    }
  });
});

async function withEncoderAlone(model: TestModel, dtype: 'float32' | 'int8', texts: number[][]): Promise<Float32Array[]> {
  const encoder = await loadEncoder(fovea, model.files, { tokenizer: null, dtype });
  const { data, shape } = await encoder.embed(texts);
  encoder.dispose();
  return texts.map((_, n) => data.subarray(n * shape[1]!, (n + 1) * shape[1]!));
}

function cosine(a: Float32Array, b: Float32Array): number {
  const dot = (x: Float32Array, y: Float32Array): number => x.reduce((sum, value, i) => sum + value * y[i]!, 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}

describe('vectors', () => {
  const model = testModel({ config: ENCODER_CONFIGS['bert, 3 heads of 4']! });
  const texts = textsOf(model);

  const POOLED: Readonly<Record<Pooling, (rows: readonly Float64Array[], i: number) => number>> = {
    mean: (rows, i) => rows.reduce((sum, row) => sum + row[i]!, 0) / rows.length,
    cls: (rows, i) => rows[0]![i]!,
    max: (rows, i) => Math.max(...rows.map((row) => row[i]!)),
    lastToken: (rows, i) => rows.at(-1)![i]!,
    meanSqrtLength: (rows, i) => rows.reduce((sum, row) => sum + row[i]!, 0) / Math.sqrt(rows.length),
    weightedMean: (rows, i) =>
      rows.reduce((sum, row, t) => sum + (t + 1) * row[i]!, 0) / rows.reduce((sum, _, t) => sum + t + 1, 0),
  };

  const expectedVector = (ids: readonly number[], pooling: Pooling, { length = 12, unit = false } = {}): ExpectedNumbers =>
    expectedNumbers(model.weights, (parts) => {
      const { states } = encode(parts, model.config, { ids });
      const vector = Float64Array.from({ length }, (_, i) => POOLED[pooling](states, i));
      return [unit ? vector.map((x) => x / Math.hypot(...vector)) : vector];
    })[0]!;

  test('the six poolings, of unit length or not, whole or their first numbers', () =>
    withEncoder(model, async (encoder) => {
      for (const pooling of Object.keys(POOLED) as Pooling[])
        for (const normalize of [true, false])
          for (const dimensions of [undefined, 5]) {
            const { data, shape, truncated } = await encoder.embed(texts, { pooling, normalize, dimensions });
            const length = dimensions ?? 12;
            assert.deepEqual(shape, [texts.length, length]);
            assert.deepEqual(
              truncated,
              texts.map(() => false),
            );
            texts.forEach((ids, n) => {
              const own = data.subarray(n * length, (n + 1) * length);
              assertNear(own, expectedVector(ids, pooling, { length, unit: normalize }), `${pooling}, ${ids.length} tokens`);
              if (normalize) assert.ok(Math.abs(Math.hypot(...own) - 1) < 2 ** -22, 'unit length');
            });
          }
    }));

  test('the defaults are the mean and unit length; the folder may say otherwise', async () => {
    const [ids] = textsOf(model, [5]);
    const byDefault = await withEncoder(model, (encoder) => encoder.embed([ids!]));
    assertNear(byDefault.data, expectedVector(ids!, 'mean', { unit: true }), 'default');
    const json = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
    const files = new Map([
      ...model.files,
      [
        'modules.json',
        json([
          { type: 'sentence_transformers.models.Transformer', path: '' },
          { type: 'sentence_transformers.models.Pooling', path: '1_Pooling' },
        ]),
      ],
      ['1_Pooling/config.json', json({ pooling_mode_cls_token: true, pooling_mode_mean_tokens: false })],
      ['sentence_bert_config.json', json({ max_seq_length: 6 })],
    ] as const);
    await withEncoder({ ...model, files: new Map(files) }, async (encoder) => {
      const { pooling, poolingFrom, maxTokens } = encoder.info;
      assert.deepEqual({ pooling, poolingFrom, maxTokens }, { pooling: 'cls', poolingFrom: 'folder', maxTokens: 6 });
      assertNear((await encoder.embed([ids!])).data, expectedVector(ids!, 'cls'), 'as the folder says');
    });
  });

  test('no texts give no vectors', () =>
    withEncoder(model, async (encoder) => assert.deepEqual((await encoder.embed([])).shape, [0, 12])));
});

describe('bits', () => {
  for (const name of [
    'bert, 3 heads of 4',
    'bert, 12 heads of 2',
    'modernbert, 3 heads',
    'nomic_bert, 12 heads',
    'mpnet, 3 heads',
  ])
    test(`a text has the same bits alone, among others and in another order: ${name}`, () => {
      const model = testModel({ config: ENCODER_CONFIGS[name]! });
      const texts = textsOf(model, [1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65]);
      return withEncoder(model, async (encoder) => {
        const { data, shape } = await encoder.embed(texts);
        const turned = await encoder.embed([...texts].reverse());
        const width = shape[1]!;
        for (const [n, ids] of texts.entries()) {
          const own = data.slice(n * width, (n + 1) * width);
          const at = texts.length - 1 - n;
          assertSameBits((await encoder.embed([ids])).data, own, `${ids.length} tokens alone`);
          assertSameBits(turned.data.slice(at * width, (at + 1) * width), own, `${ids.length} tokens in another order`);
        }
      });
    });
});

test('texts of more rows than one pass takes, and wider models in each dtype: the same bits alone and among others', async () => {
  const sizes = { hidden_size: 96, num_attention_heads: 3, intermediate_size: 193, num_hidden_layers: 1 };
  const model = testModel({ config: { ...ENCODER_CONFIGS['bert, 3 heads of 4']!, ...sizes } });
  const texts = textsOf(
    model,
    Array.from({ length: 70 }, (_, n) => 1 + ((n * 13) % 67)),
  );
  for (const form of [{}, { dtype: 'int8' }, { dtype: 'int8', inputs: 'precise' }] as const)
    await withEncoder(
      model,
      async (encoder) => {
        const { data } = await encoder.embed(texts);
        for (const [n, ids] of texts.entries()) {
          if (n % 5 !== 0) continue;
          const own = data.slice(n * 96, (n + 1) * 96);
          assertSameBits((await encoder.embed([ids])).data, own, `${JSON.stringify(form)}, ${ids.length} tokens`);
        }
      },
      form,
    );
});

describe('attention weights', () => {
  for (const name of [
    'bert, 3 heads of 4',
    'bert with ALiBi, 12 heads',
    'mpnet, 12 heads',
    'distilbert, 3 heads',
    'modernbert, 12 heads',
    'nomic_bert, 3 heads',
  ])
    test(name, () => {
      const model = testModel({ config: ENCODER_CONFIGS[name]! });
      const texts = textsOf(model, [1, 5, 65]);
      return withEncoder(model, async (encoder) => {
        const plain = await encoder.embed(texts);
        const { attentions, data } = await encoder.embed(texts, { attentions: true });
        const chosen = await encoder.embed(texts, { attentions: [1] });
        assertSameBits(data, plain.data, 'the vectors, whether weights are asked for or not');
        texts.forEach((ids, n) => {
          const expected = expectedNumbers(model.weights, (parts) => encode(parts, model.config, { ids }).attentions);
          const { tokens, layers } = attentions![n]!;
          assert.deepEqual(tokens, ids.map(String));
          assert.equal(layers.length, expected.length);
          layers.forEach((layer, at) => {
            const heads = expected[at]!.want.length / ids.length ** 2;
            assert.deepEqual(layer!.shape, [heads, ids.length, ids.length]);
            assertNear(layer!.data as Float32Array, expected[at]!, `layer ${at}, ${ids.length} tokens`);
          });
          chosen.attentions![n]!.layers.forEach((layer, at) => {
            if (at !== 1) assert.equal(layer, null);
            else assertSameBits(layer!.data as Float32Array, layers[1]!.data as Float32Array, 'layer 1 alone');
          });
        });
      });
    });
});

/** A tokenizer whose texts are numbers of inputs that are there already; id 0 is special. */
const numbered = (inputs: readonly TextIds[]): NonNullable<LoadModelOptions['tokenizer']> => ({
  encode: (text) => {
    const { ids, types } = inputs[Number(text)]!;
    return { ids, ...(types && { token_type_ids: types }) };
  },
  decode: (ids) => ids.filter((id) => id !== 0).join(' '),
  id_to_token: (id) => `<${id}>`,
});

const id2label = { 0: 'no', 1: 'yes', 2: 'perhaps' };

const CLASSIFIERS: readonly (readonly [string, Partial<Config>])[] = [
  ['bert, 3 heads of 4', { architectures: ['BertForSequenceClassification'] }],
  ['roberta', { architectures: ['RobertaForSequenceClassification'] }],
  ['xlm-roberta', { architectures: ['XLMRobertaForSequenceClassification'] }],
  ['mpnet, 3 heads', { architectures: ['MPNetForSequenceClassification'] }],
  ['distilbert, 3 heads', { architectures: ['DistilBertForSequenceClassification'] }],
  ['nomic_bert, 3 heads', { architectures: ['NomicBertForSequenceClassification'] }],
  ['modernbert, 3 heads', { architectures: ['ModernBertForSequenceClassification'] }],
  ['modernbert, 3 heads', { architectures: ['ModernBertForSequenceClassification'], classifier_pooling: 'mean' }],
];

const softmax = (logits: Float64Array): Float64Array => {
  const powers = logits.map((x) => Math.exp(x - Math.max(...logits)));
  return powers.map((power) => power / powers.reduce((a, b) => a + b));
};

describe('heads', () => {
  for (const [name, changes] of CLASSIFIERS)
    test(`classes: ${name}, ${JSON.stringify(changes)}`, () => {
      const model = testModel({ config: { ...ENCODER_CONFIGS[name]!, ...changes, id2label } });
      const texts = textsOf(model);
      return withEncoder(model, async (encoder) => {
        assert.deepEqual(encoder.info.labels, ['no', 'yes', 'perhaps']);
        const classes = await encoder.classify(texts);
        const top = await encoder.classify(texts, { top: 1 });
        texts.forEach((ids, n) => {
          const [expected] = expectedNumbers(model.weights, (parts) => [
            softmax(classLogits(parts, model.config, encode(parts, model.config, { ids }))),
          ]);
          const got = encoder.info.labels.map((label) => classes[n]!.find((one) => one.label === label)!.score);
          assertNear(got, expected!, `${ids.length} tokens`);
          assert.deepEqual(
            classes[n]!.map(({ score }) => score),
            [...got].sort((a, b) => b - a),
            'the likeliest first',
          );
          assert.deepEqual(top[n], classes[n]!.slice(0, 1));
        });
        await assert.rejects(encoder.tag(texts), { code: 'option', message: /a head of tags/ });
      });
    });

  for (const [name, architecture] of [
    ['bert, 12 heads of 2', 'BertForTokenClassification'],
    ['roberta', 'RobertaForTokenClassification'],
    ['distilbert, 3 heads', 'DistilBertForTokenClassification'],
    ['modernbert, 3 heads', 'ModernBertForTokenClassification'],
  ] as const)
    test(`tags: ${architecture}`, () => {
      const model = testModel({ config: { ...ENCODER_CONFIGS[name]!, architectures: [architecture], id2label } });
      const inputs = textsOf(model).map((ids) => ({ ids }));
      return withEncoder(
        model,
        async (encoder) => {
          const tags = await encoder.tag(inputs.map((_, n) => String(n)));
          inputs.forEach(({ ids }, n) => {
            const [expected] = expectedNumbers(model.weights, (parts) => [
              flat(tagLogits(parts, model.config, encode(parts, model.config, { ids })).map(softmax)),
            ]);
            const at = ids.flatMap((id, t) => (id === 0 ? [] : [t]));
            assert.deepEqual(
              tags[n]!.map(({ token }) => token),
              at.map((t) => `<${ids[t]!}>`),
              'special tokens are left out',
            );
            tags[n]!.forEach(({ label, score }, k) => {
              const own = expected!.want.subarray(at[k]! * 3, at[k]! * 3 + 3);
              const chosen = encoder.info.labels.indexOf(label);
              assert.ok(Math.abs(own[chosen]! - score) <= expected!.bound, `${score} of ${[...own]}`);
              assert.ok(own[chosen]! >= Math.max(...own) - 2 * expected!.bound, 'the likeliest');
            });
          });
          await assert.rejects(encoder.classify(['0']), { code: 'option', message: /a head of classes/ });
        },
        { tokenizer: numbered(inputs) },
      );
    });

  test('rank: the logit of each pair, whose second text has its own kind of tokens', () => {
    const config = {
      ...ENCODER_CONFIGS['bert, 3 heads of 4']!,
      architectures: ['BertForSequenceClassification'],
      id2label: { 0: 'fits' },
    };
    const model = testModel({ config });
    const inputs = textsOf(model, [3, 5, 65]).map((ids) => ({ ids, types: ids.map((_, t) => Number(t >= 2)) }));
    const tokenizer: NonNullable<LoadModelOptions['tokenizer']> = {
      ...numbered(inputs),
      encode: (text, options) => {
        assert.equal(text, 'question');
        const { ids, types } = inputs[Number(options!.text_pair)]!;
        return { ids, token_type_ids: types };
      },
    };
    return withEncoder(
      model,
      async (encoder) => {
        const scores = await encoder.rank('question', ['0', '1', '2']);
        inputs.forEach((text, n) => {
          const [expected] = expectedNumbers(model.weights, (parts) => [
            classLogits(parts, config, encode(parts, config, text)),
          ]);
          assertNear([scores[n]!], expected!, `pair ${n}`);
        });
        const [[one]] = (await encoder.classify([['question', '1']])) as [[{ label: string; score: number }]];
        assert.ok(one.label === 'fits' && Math.abs(one.score - 1 / (1 + Math.exp(-scores[1]!))) < 2 ** -22, 'its sigmoid');
        assert.deepEqual([...(await encoder.rank('question', []))], []);
      },
      { tokenizer },
    );
  });

  test('a model whose table has one kind of tokens reads pairs with it, whatever the tokenizer says', () => {
    const config = { ...ENCODER_CONFIGS['roberta']!, architectures: ['RobertaForSequenceClassification'], id2label };
    const model = testModel({ config });
    const [ids] = textsOf(model, [5]);
    const inputs = [{ ids: ids!, types: [0, 0, 1, 1, 1] }, { ids: ids! }];
    return withEncoder(
      model,
      async (encoder) => {
        const [kinds, none] = await encoder.classify(['0', '1']);
        assert.deepEqual(kinds, none);
      },
      { tokenizer: numbered(inputs) },
    );
  });
});

describe('texts', () => {
  const model = testModel({ config: ENCODER_CONFIGS['bert, 3 heads of 4']! });
  /** Words are numbers, between 1 and 2; each text has one of its own. */
  const words: NonNullable<LoadModelOptions['tokenizer']> = {
    encode: (text, options) => {
      const ids = text.split(' ').filter(Boolean).map(Number);
      return { ids: options?.add_special_tokens === false ? ids : [1, ...ids, 2] };
    },
    decode: (ids) => ids.join(' '),
  };

  test('a text that is too long is cut between its special tokens, and the result says so', () =>
    withEncoder(
      model,
      async (encoder) => {
        const long = Array.from({ length: 80 }, (_, n) => 3 + (n % 30));
        const cut = [1, ...long.slice(0, 65), 2];
        const { data, truncated, shape } = await encoder.embed(long.join(' '));
        assert.deepEqual([shape, truncated], [[12], [true]]);
        assertSameBits(data, (await encoder.embed([cut])).data, 'as its first words');
        await assert.rejects(encoder.embed(long.join(' '), { truncate: false }), {
          code: 'value',
          message: /at most 67 tokens, got 82/,
        });
      },
      { tokenizer: words },
    ));

  test('a prompt by its name or as it is, before each text', () => {
    const files = new Map([
      ...model.files,
      ['config_sentence_transformers.json', new TextEncoder().encode('{"prompts":{"query":"7 8 ","__proto__":"9 "}}')] as const,
    ]);
    return withEncoder(
      { ...model, files },
      async (encoder) => {
        const [plain, named, own] = await Promise.all([
          encoder.embed('7 8 3'),
          encoder.embed('3', { prompt: 'query' }),
          encoder.embed('3', { prompt: '7 8 ' }),
        ]);
        assertSameBits(named.data, plain.data, 'by name');
        assertSameBits(own.data, plain.data, 'as it is');
      },
      { tokenizer: words },
    );
  });

  test('what is no text, ids beyond the vocabulary, layers that are none, a disposed encoder: errors that leave no memory held', async () => {
    const encoder = await loadEncoder(fovea, model.files, { tokenizer: null });
    const before = fovea.memory().live;
    const refused: readonly (readonly [string, RegExp, () => Promise<unknown>])[] = [
      ['value', /tokenizer: null/, () => encoder.embed('text')],
      ['value', /texts\[0\]/, () => encoder.embed([[40]])],
      ['value', /texts\[1\]/, () => encoder.embed([[1], []])],
      ['value', /texts\[0\]/, () => encoder.embed([Array.from({ length: 68 }, () => 1)])],
      ['value', /texts/, () => encoder.embed(5 as never)],
      ['option', /pooling/, () => encoder.embed([[1]], { pooling: 'median' as never })],
      ['value', /dimensions/, () => encoder.embed([[1]], { dimensions: 13 })],
      ['value', /attentions\[0\]/, () => encoder.embed([[1]], { attentions: [2] })],
      ['option', /a head of classes/, () => encoder.classify([[1]])],
      ['option', /a head of tags/, () => encoder.tag([[1]])],
      ['option', /a head of one class/, () => encoder.rank('a', ['b'])],
      ['option', /unknown|nothing/, () => encoder.embed([[1]], { nothing: 1 } as never)],
    ];
    for (const [code, message, call] of refused) {
      await assert.rejects(call(), { name: 'AttentionError', code, message });
      assert.equal(fovea.memory().live, before, 'live bytes after the error');
    }
    encoder.dispose();
    await assert.rejects(encoder.embed([[1]]), { code: 'disposed' });
    encoder.dispose();
  });

  test('an abort before and between parts rejects with its reason', () =>
    withEncoder(model, async (encoder) => {
      await assert.rejects(encoder.embed([[1]], { signal: AbortSignal.abort('no') }), (reason) => reason === 'no');
      const long = Array.from({ length: 67 }, (_, n) => n % 40);
      const many = Array.from({ length: 80 }, () => long);
      const controller = new AbortController();
      const running = encoder.embed(many, { signal: controller.signal });
      setImmediate(() => controller.abort('enough'));
      await assert.rejects(running, (reason) => reason === 'enough');
    }));
});
