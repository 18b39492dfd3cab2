/** Decoders of fovea/models against their equations in double: tests/js/reference/models. The bounds: tests/js/support/model_bounds.ts. */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { NDArray } from 'fovea';
import { loadDecoder, type Decoder, type GenerateOptions, type GeneratedToken, type LoadModelOptions } from 'fovea/models';
import { CausalDecoder } from 'fovea/nn';
import { decode } from '../reference/models/decoders.ts';
import type { Config } from '../reference/models/parts.ts';
import { assertNear, expectedNumbers, flat, type ExpectedNumbers } from '../support/model_bounds.ts';
import { DECODER_CONFIGS } from '../support/model_configs.ts';
import { addWeights, jsonFile, roundTo, testModel, type FolderDtype, type TestModel } from '../support/model_folder.ts';
import { loadForTests } from '../support/truth_instance.ts';
import { TestRandom } from '../support/truth_random.ts';

const fovea = await loadForTests();
after(() => fovea.dispose());

const LENGTHS = [1, 3, 5, 63, 65];

function idsOf({ config }: TestModel, length: number, seed = 5): number[] {
  const random = new TestRandom(seed);
  return Array.from({ length }, () => random.integer(0, (config['vocab_size'] as number) - 1));
}

async function withDecoder<R>(
  model: TestModel,
  use: (decoder: Decoder) => Promise<R>,
  options: LoadModelOptions = {},
): Promise<R> {
  const before = fovea.memory().live;
  const decoder = await loadDecoder(fovea, model.files, { tokenizer: null, ...options });
  try {
    return await use(decoder);
  } finally {
    decoder.dispose();
    assert.equal(fovea.memory().live, before, 'live bytes after dispose');
  }
}

const roundToHalf = (x: number): number => roundTo('F16', x);

function expectedLogits({ weights, config }: TestModel, ids: readonly number[], kept?: (x: number) => number): ExpectedNumbers {
  return expectedNumbers(weights, (parts) => [flat(decode(parts, config, ids).logits)], kept)[0]!;
}

async function checkLogits(model: TestModel, lengths: readonly number[] = LENGTHS): Promise<void> {
  const ids = idsOf(model, Math.max(...lengths));
  const { want, bound } = expectedLogits(model, ids);
  const vocabulary = want.length / ids.length;
  await withDecoder(model, async (decoder) => {
    for (const length of lengths) {
      const { data, shape } = await decoder.logits(ids.slice(0, length));
      assert.deepEqual(shape, [length, vocabulary]);
      assertNear(data as Float32Array, { want: want.subarray(0, length * vocabulary), bound }, `${length} tokens`);
    }
  });
}

describe('the logits are those of the equations', () => {
  for (const [name, config] of Object.entries(DECODER_CONFIGS)) test(name, () => checkLogits(testModel({ config })));

  test('a wrong equation is seen: each family with the rules of another', async () => {
    const wrong: readonly (readonly [string, Partial<Config>])[] = [
      ['llama, frequencies of Llama 3', { rope_scaling: undefined }],
      ['llama, linear frequencies', { rope_scaling: undefined }],
      ['mistral', { sliding_window: 6 }],
      ['qwen2, a window from layer 1 on', { max_window_layers: 0 }],
      ['gemma2', { attn_logit_softcapping: undefined }],
      ['gemma2', { final_logit_softcapping: undefined }],
      ['gemma2', { query_pre_attn_scalar: 6 }],
      ['gemma3_text', { rope_local_base_freq: 500 }],
      ['gemma3_text', { sliding_window_pattern: 3 }],
    ];
    for (const [name, changes] of wrong) {
      const model = testModel({ config: DECODER_CONFIGS[name]! });
      const ids = idsOf(model, 63);
      const { want, bound } = expectedLogits({ ...model, config: { ...model.config, ...changes } }, ids);
      const { data } = await withDecoder(model, (decoder) => decoder.logits(ids));
      const error = Math.max(...want.map((x, n) => Math.abs(x - data[n]!)));
      assert.ok(error > bound, `${name}, ${JSON.stringify(changes)}: error ${error}, bound ${bound}`);
    }
  });
});

describe('files', () => {
  test('two files and their index', async () => {
    await checkLogits(testModel({ config: DECODER_CONFIGS['qwen2']!, parts: 2 }), [5]);
    await checkLogits(testModel({ config: DECODER_CONFIGS['gpt2, 3 heads of 4']!, parts: 2 }), [5]);
  });

  for (const dtype of ['F16', 'BF16'] as const satisfies readonly FolderDtype[])
    test(`weights of ${dtype}`, () => checkLogits(testModel({ config: DECODER_CONFIGS['gemma2']!, dtype }), [5, 63]));

  test('Gemma 2 without the keys of its softcaps has 50 and 30, with null none', async () => {
    const { attn_logit_softcapping: _, final_logit_softcapping: __, ...rest } = DECODER_CONFIGS['gemma2']!;
    const model = testModel({ config: { ...rest, query_pre_attn_scalar: 0.0001 } as Config });
    const ids = idsOf(model, 5);
    for (const [caps, files] of [
      [{ attn_logit_softcapping: 50, final_logit_softcapping: 30 }, {}],
      [{}, { attn_logit_softcapping: null, final_logit_softcapping: null }],
    ] as const) {
      const expected = expectedLogits({ ...model, config: { ...model.config, ...caps } }, ids);
      const { data } = await withDecoder(model, (decoder) => decoder.logits(ids), { config: files });
      assertNear(data as Float32Array, expected, JSON.stringify(files));
    }
  });

  test('configs in the words of Transformers 5', async () => {
    const words: readonly (readonly [string, readonly string[], object])[] = [
      ['qwen3', ['rope_theta'], { rope_parameters: { rope_type: 'default', rope_theta: 500 } }],
      [
        'llama, frequencies of Llama 3',
        ['rope_theta', 'rope_scaling'],
        {
          rope_parameters: {
            ...{ rope_theta: 500, rope_type: 'llama3', factor: 8, low_freq_factor: 1, high_freq_factor: 4 },
            original_max_position_embeddings: 40,
          },
        },
      ],
      ['gemma2', [], { layer_types: ['sliding_attention', 'full_attention'] }],
      ['qwen2, a window from layer 1 on', ['max_window_layers'], { layer_types: ['full_attention', 'sliding_attention'] }],
      [
        'gemma3_text',
        ['rope_theta', 'rope_scaling', 'rope_local_base_freq', 'sliding_window_pattern'],
        {
          layer_types: ['sliding_attention', 'full_attention', 'sliding_attention'],
          rope_parameters: {
            full_attention: { rope_type: 'linear', factor: 8, rope_theta: 500 },
            sliding_attention: { rope_type: 'default', rope_theta: 100 },
          },
        },
      ],
    ];
    for (const [name, without, changes] of words) {
      const model = testModel({ config: DECODER_CONFIGS[name]! });
      const kept = Object.fromEntries(Object.entries(model.config).filter(([key]) => !without.includes(key)));
      const files = new Map([...model.files, ['config.json', jsonFile({ ...kept, ...changes })]]);
      const ids = idsOf(model, 63);
      const { data } = await withDecoder({ ...model, files }, (decoder) => decoder.logits(ids));
      assertNear(data as Float32Array, expectedLogits(model, ids), name);
    }
  });

  test('a tied model takes its embedding even where the file has a head', async () => {
    const model = testModel({ config: DECODER_CONFIGS['gemma']! });
    const files = new Map(model.files);
    const head = { data: new Float32Array(13 * 12), shape: [13, 12] };
    addWeights(files, new Map([...model.weights, ['lm_head.weight', head]]));
    const ids = idsOf(model, 5);
    const { data } = await withDecoder({ ...model, files }, (decoder) => decoder.logits(ids));
    assertNear(data as Float32Array, expectedLogits(model, ids), 'with a head of zeros in the file');
  });

  test('int8: the logits point where those of float32 do, at a width of 64, nearer with precise inputs', async () => {
    for (const name of ['llama, 1 head of keys', 'gemma3_text']) {
      const sizes = { hidden_size: 64, num_attention_heads: 4, num_key_value_heads: 2, head_dim: 16, intermediate_size: 129 };
      const model = testModel({ config: { ...DECODER_CONFIGS[name]!, ...sizes } });
      const ids = idsOf(model, 63);
      const exact = await withDecoder(model, (decoder) => decoder.logits(ids));
      const int8 = (inputs: 'fast' | 'precise'): Promise<NDArray> =>
        withDecoder(model, (decoder) => decoder.logits(ids), { dtype: 'int8', inputs });
      const [fast, precise] = [await int8('fast'), await int8('precise')];
      const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
        Array.from(a).reduce((sum, x, i) => sum + x * b[i]!, 0);
      const error = ({ data }: NDArray): number =>
        1 - dot(exact.data, data) / Math.sqrt(dot(exact.data, exact.data) * dot(data, data));
      assert.ok(error(fast) < 0.01 && error(precise) < error(fast) / 2, `${name}: ${error(fast)}, ${error(precise)}`);
    }
  });
});

interface Step {
  readonly logits: Float32Array;
  /** All tokens that it had read. */
  readonly ids: readonly number[];
}

/** A generation, and the logits of each of its steps. */
async function generated(
  from: { generate: Decoder['generate'] },
  prompt: readonly number[],
  options: GenerateOptions = {},
): Promise<{ tokens: GeneratedToken[]; steps: Step[]; ids: number[] }> {
  const tokens: GeneratedToken[] = [];
  const steps: Step[] = [];
  const logits = (data: Float32Array, ids: readonly number[]): void => void steps.push({ logits: data.slice(), ids: [...ids] });
  for await (const token of from.generate(prompt, { logits, ...options })) tokens.push(token);
  return { tokens, steps, ids: tokens.map(({ id }) => id) };
}

/** The logits of each step are those of the equations for the tokens so far, and each token is the likeliest, as far as the bound can tell. */
function checkSteps(
  model: TestModel,
  prompt: readonly number[],
  { steps, ids }: Awaited<ReturnType<typeof generated>>,
  kept?: (x: number) => number,
): void {
  const all = [...prompt, ...ids];
  const { want, bound } = expectedLogits(model, all, kept);
  const vocabulary = want.length / all.length;
  steps.forEach(({ logits, ids: read }, n) => {
    const at = prompt.length + n - 1;
    assert.deepEqual(read, all.slice(0, at + 1));
    const own = want.subarray(at * vocabulary, (at + 1) * vocabulary);
    assertNear(logits, { want: own, bound }, `step ${n}`);
    assert.ok(own[ids[n]!]! >= Math.max(...own) - 2 * bound, `step ${n}: ${ids[n]} is the likeliest`);
  });
}

describe('generation by ids', () => {
  for (const [name, config] of Object.entries(DECODER_CONFIGS))
    for (const cacheDtype of ['float32', 'float16'] as const)
      test(`${name}, ${cacheDtype} caches: each step is that of the equations`, () => {
        const model = testModel({ config });
        return withDecoder(model, async (decoder) => {
          for (const length of [1, 5, 65]) {
            const prompt = idsOf(model, length);
            const found = await generated(decoder, prompt, { maxTokens: 9, cacheDtype });
            assert.equal(found.ids.length, 9);
            checkSteps(model, prompt, found, cacheDtype === 'float16' ? roundToHalf : undefined);
          }
        });
      });

  test('the attention weights of each token, of all layers or of those that are listed', async () => {
    for (const name of ['gpt2, 3 heads of 4', 'mistral', 'gemma3_text']) {
      const model = testModel({ config: DECODER_CONFIGS[name]! });
      const prompt = idsOf(model, 5);
      await withDecoder(model, async (decoder) => {
        const plain = await generated(decoder, prompt, { maxTokens: 5 });
        const some = await generated(decoder, prompt, { maxTokens: 5, attentions: [0] });
        const all = await generated(decoder, prompt, { maxTokens: 5, attentions: true });
        assert.deepEqual(some.ids, plain.ids);
        checkSteps(model, prompt, some);
        const tokens = [...prompt, ...all.ids];
        const expected = expectedNumbers(model.weights, (parts) => decode(parts, model.config, tokens).attentions);
        all.tokens.forEach(({ attentions }, n) => {
          const seen = prompt.length + n;
          attentions!.forEach((layer, at) => {
            const { want, bound } = expected[at]!;
            const heads = want.length / tokens.length ** 2;
            assert.deepEqual(layer!.shape, [heads, seen]);
            const rows = Array.from({ length: heads }, (_, h) => {
              const from = (h * tokens.length + seen - 1) * tokens.length;
              return want.subarray(from, from + seen);
            });
            assertNear(layer!.data as Float32Array, { want: flat(rows), bound }, `${name}, layer ${at}, token ${n}`);
            const other = some.tokens[n]!.attentions![at]!;
            if (at > 0) assert.equal(other, null);
            else assertNear(other.data as Float32Array, { want: flat(rows), bound }, `${name}, layer 0 alone, token ${n}`);
          });
        });
      });
    }
  });

  const model = testModel({ config: DECODER_CONFIGS['llama, 1 head of keys']! });
  const prompt = idsOf(model, 5);

  test('repetitionPenalty divides logits above 0 and multiplies others, each once, before the hook', () =>
    withDecoder(model, async (decoder) => {
      const plain = await generated(decoder, prompt, { maxTokens: 1 });
      const [first] = (await generated(decoder, prompt, { maxTokens: 1, repetitionPenalty: 1.5 })).steps;
      first!.logits.forEach((x, id) => {
        const own = plain.steps[0]!.logits[id]!;
        const penalized = Math.fround(own > 0 ? own / 1.5 : own * 1.5);
        assert.equal(x, prompt.includes(id) ? penalized : own);
      });
    }));

  test('the hook may forbid tokens, and set them', () =>
    withDecoder(model, async (decoder) => {
      const forbidden = await generated(decoder, prompt, { maxTokens: 12, logits: (logits) => logits.fill(-Infinity, 2) });
      assert.ok(forbidden.ids.every((id) => id < 2));
      const script = [7, 0, 39, 7];
      const set = await generated(decoder, prompt, {
        maxTokens: 4,
        logits: (logits, ids) => (logits[script[ids.length - 5]!] = 1e9),
      });
      assert.deepEqual(set.ids, script);
    }));

  test('a seed repeats its tokens; another has others; each token has a draw of its own', () =>
    withDecoder(model, async (decoder) => {
      const draw = async (seed: number): Promise<number[]> =>
        (await generated(decoder, prompt, { maxTokens: 20, temperature: 2, topK: 30, seed })).ids;
      const first = await draw(1);
      assert.deepEqual(await draw(1), first);
      assert.notDeepEqual(await draw(2), first);
      assert.ok(new Set(first).size > 3, `${first}`);
    }));

  test('how it ends: by an end token of the folder, by the length, or where the loop was left', async () => {
    const files = new Map([...model.files, ['generation_config.json', jsonFile({ eos_token_id: [3, 11] })]]);
    await withDecoder({ ...model, files }, async (decoder) => {
      const { endTokens, layers, heads } = decoder.info;
      const { num_hidden_layers, num_attention_heads } = model.config;
      assert.deepEqual(
        { endTokens, layers, heads },
        { endTokens: [3, 11], layers: num_hidden_layers, heads: num_attention_heads },
      );
      const script = [7, 8, 11, 9];
      const logits = (data: Float32Array, ids: readonly number[]): void => void (data[script[ids.length - 5]!] = 1e9);
      const ended = decoder.generate(prompt, { logits, maxTokens: 4 });
      assert.equal(await ended.text(), '');
      assert.deepEqual(await ended.finished, { reason: 'end', promptTokens: 5, tokens: 3 });
      const full = decoder.generate(prompt, { logits, maxTokens: 2 });
      await full.text();
      assert.deepEqual(await full.finished, { reason: 'length', promptTokens: 5, tokens: 2 });
      const left = decoder.generate(prompt, { logits, maxTokens: 4 });
      for await (const { id } of left) if (id === 8) break;
      assert.deepEqual(await left.finished, { reason: 'stop', promptTokens: 5, tokens: 2 });
    });
  });

  test('leaving the loop frees all that it held', () =>
    withDecoder(model, async (decoder) => {
      const leave = async (options: GenerateOptions = {}): Promise<number> => {
        const { live } = fovea.memory();
        let count = 0;
        for await (const _ of decoder.generate(prompt, { maxTokens: 9, ...options })) {
          assert.ok(fovea.memory().live > live, 'caches are held while it runs');
          if (++count === 3) break;
        }
        return fovea.memory().live - live;
      };
      for (const options of [{}, { attentions: [0] }, { cacheDtype: 'float16' }, {}] as const)
        assert.equal(await leave(options), 0);
    }));

  test('the model has room for as many tokens as its positions', () =>
    withDecoder(model, async (decoder) => {
      const generation = decoder.generate(idsOf(model, 77));
      await generation.text();
      assert.deepEqual(await generation.finished, { reason: 'length', promptTokens: 77, tokens: 3 });
      await assert.rejects(decoder.generate(idsOf(model, 80)).text(), {
        code: 'value',
        message: /room for a token, got 80 of 80/,
      });
    }));

  test('an abort before and during it rejects with its reason, and frees the caches', () =>
    withDecoder(model, async (decoder) => {
      const before = fovea.memory().live;
      const none = decoder.generate(prompt, { signal: AbortSignal.abort('never') });
      await assert.rejects(none.text(), (reason) => reason === 'never');
      await assert.rejects(none.finished, (reason) => reason === 'never');
      const controller = new AbortController();
      const running = decoder.generate(prompt, { signal: controller.signal, maxTokens: 20 });
      let count = 0;
      await assert.rejects(
        async () => {
          for await (const _ of running) if (++count === 3) controller.abort('enough');
        },
        (reason) => reason === 'enough',
      );
      assert.equal(count, 3);
      await assert.rejects(running.finished, (reason) => reason === 'enough');
      assert.equal(fovea.memory().live, before);
    }));

  test('what cannot be used: errors from the loop and from finished, nothing held', () =>
    withDecoder(model, async (decoder) => {
      const before = fovea.memory().live;
      const refused: readonly (readonly [string, RegExp, unknown, GenerateOptions?])[] = [
        ['value', /tokenizer: null/, 'text'],
        ['value', /prompt/, [40]],
        ['value', /prompt/, []],
        ['value', /tokenizer: null/, [{ role: 'user', content: 'hi' }]],
        ['option', /stop needs the tokenizer/, prompt, { stop: ['a'] }],
        ['value', /temperature/, prompt, { temperature: -1 }],
        ['value', /repetitionPenalty/, prompt, { repetitionPenalty: 0 }],
        ['value', /maxTokens/, prompt, { maxTokens: 0 }],
        ['value', /attentions\[0\]/, prompt, { attentions: [2] }],
        ['option', /cacheDtype/, prompt, { cacheDtype: 'int8' as never }],
        ['value', /finite largest/, prompt, { logits: (logits) => logits.fill(NaN) }],
      ];
      for (const [code, message, given, options] of refused) {
        const generation = decoder.generate(given as number[], options);
        await assert.rejects(generation.text(), { name: 'AttentionError', code, message });
        await assert.rejects(generation.finished, { code });
        assert.equal(fovea.memory().live, before, 'live bytes after the error');
      }
    }));
});

describe('context', () => {
  const model = testModel({ config: DECODER_CONFIGS['mistral']! });
  const prompt = idsOf(model, 20);

  /** How many ids each pass of the network reads. */
  async function countReads(use: () => Promise<void>): Promise<number[]> {
    const reads: number[] = [];
    const original = CausalDecoder.prototype.next;
    CausalDecoder.prototype.next = function (ids, options) {
      reads.push((ids as readonly number[]).length);
      return original.call(this, ids, options);
    };
    try {
      await use();
    } finally {
      CausalDecoder.prototype.next = original;
    }
    return reads;
  }

  for (const dtype of ['float32', 'float16'] as const)
    test(`${dtype}: it reads only what it lacks, and goes back to what prompts have in common`, () =>
      withDecoder(model, async (decoder) => {
        const before = fovea.memory().live;
        const kept = dtype === 'float16' ? roundToHalf : undefined;
        const context = decoder.context({ capacity: 60, dtype });
        const check = async (given: readonly number[], reads: number[]): Promise<number[]> => {
          let found: Awaited<ReturnType<typeof generated>> | undefined;
          const counted = await countReads(async () => {
            found = await generated(context, given, { maxTokens: reads.length });
          });
          assert.deepEqual(counted, reads);
          checkSteps(model, given, found!, kept);
          assert.equal(context.length, given.length + reads.length - 1);
          return [...given, ...found!.ids];
        };
        const first = await check(prompt, [20, 1, 1]);
        const second = await check([...first, 4, 5], [3, 1]);
        await check(second, [1, 1, 1]);
        await check([...prompt.slice(0, 12), 9, 8], [2, 1]);
        await check(prompt.slice(0, 12), [1]);
        context.dispose();
        context.dispose();
        assert.equal(fovea.memory().live, before);
        await assert.rejects(context.generate(prompt).text(), { code: 'disposed' });
      }));

  test('two generations that take turns in one context each go on with their own tokens', () =>
    withDecoder(model, async (decoder) => {
      const context = decoder.context({ capacity: 60 });
      const prompts = [prompt, [...prompt.slice(0, 7), 1, 2]];
      const found = await Promise.all(prompts.map((given) => generated(context, given, { maxTokens: 6 })));
      found.forEach((one, n) => checkSteps(model, prompts[n]!, one));
      context.dispose();
    }));

  test('its capacity ends a generation, and a prompt beyond it is refused', () =>
    withDecoder(model, async (decoder) => {
      const context = decoder.context({ capacity: 22 });
      const generation = context.generate(prompt);
      await generation.text();
      assert.deepEqual(await generation.finished, { reason: 'length', promptTokens: 20, tokens: 2 });
      await assert.rejects(context.generate(idsOf(model, 22)).text(), { code: 'value', message: /got 22 of 22/ });
      await assert.rejects(context.generate(prompt, { cacheDtype: 'float16' }).text(), {
        code: 'option',
        message: /cacheDtype/,
      });
      context.dispose();
      assert.throws(() => decoder.context({ capacity: 81 }), { code: 'value', message: /capacity/ });
    }));
});

describe('text', () => {
  const model = testModel({ config: DECODER_CONFIGS['llama, 3 heads of keys for 12']! });
  /** The bytes of each of the 13 tokens: 你 is E4 BD A0; 12 ends the text. */
  const BYTES = [
    [0x61],
    [0x62],
    [0x63],
    [0xe4],
    [0xbd],
    [0xa0],
    [0x64, 0x65],
    [0x20],
    [0xc3],
    [0xa9],
    [0x61, 0x62, 0xe4],
    [0x2e],
    [],
  ];
  const tokenizer: NonNullable<LoadModelOptions['tokenizer']> = {
    encode: (text) => ({ ids: Array.from(new TextEncoder().encode(text), (byte) => BYTES.findIndex(([one]) => one === byte)) }),
    decode: (ids) => new TextDecoder().decode(Uint8Array.from(ids.flatMap((id) => BYTES[id]!))),
  };
  const files = new Map([...model.files, ['generation_config.json', jsonFile({ eos_token_id: 12 })]]);

  /** The pieces of a generation whose tokens are those of the script. */
  async function told(script: readonly number[], options: GenerateOptions = {}) {
    return withDecoder(
      { ...model, files },
      async (decoder) => {
        const pieces: string[] = [];
        const logits = (data: Float32Array, ids: readonly number[]): void => void (data[script[ids.length - 2]!] = 1e9);
        const generation = decoder.generate('ab', { maxTokens: script.length, logits, ...options });
        for await (const { text } of generation) pieces.push(text);
        return { pieces, end: await generation.finished };
      },
      { tokenizer },
    );
  }

  test('no piece has half a character', async () => {
    const { pieces } = await told([0, 3, 4, 5, 8, 9, 10, 4, 5, 1]);
    assert.deepEqual(pieces, ['a', '', '', '你', '', 'é', '', '', 'ab你', 'b']);
  });

  test('what is left of a character when the generation ends is told then', async () => {
    assert.deepEqual((await told([0, 3])).pieces, ['a', '\ufffd']);
    assert.deepEqual(await told([0, 3, 12]), {
      pieces: ['a', '', '\ufffd'],
      end: { reason: 'end', promptTokens: 2, tokens: 3 },
    });
  });

  test('a stop text across pieces ends it, and is no part of the text', async () => {
    const { pieces, end } = await told([1, 6, 7, 0, 1, 2, 11], { stop: ['e ab', 'zz'] });
    assert.deepEqual(pieces, ['b', 'd', '', '', '']);
    assert.deepEqual(end, { reason: 'stop', promptTokens: 2, tokens: 5 });
  });

  test('the beginning of a stop text is told once it cannot go on, or when nothing follows', async () => {
    const apart = await told([6, 7, 2, 0], { stop: ['de ab'] });
    assert.deepEqual(apart.pieces, ['', '', 'de c', 'a']);
    const last = await told([6, 7], { stop: ['de ab'] });
    assert.deepEqual(last.pieces, ['', 'de ']);
    const ended = await told([6, 7, 12], { stop: ['de ab'] });
    assert.deepEqual(ended, { pieces: ['', '', 'de '], end: { reason: 'end', promptTokens: 2, tokens: 3 } });
  });

  test('the first of several stop texts counts', async () => {
    const { pieces, end } = await told([0, 1, 2, 6], { stop: ['cd', 'bcd'] });
    assert.deepEqual([pieces.join(''), end.reason, end.tokens], ['a', 'stop', 4]);
  });

  test('a stop text before half a character ends it, too, when nothing follows', async () => {
    const { pieces, end } = await told([0, 10], { stop: ['ba'] });
    assert.deepEqual(pieces, ['a', 'ab\ufffd']);
    assert.equal(end.reason, 'length');
    const found = await told([1, 10], { stop: ['ba'] });
    assert.deepEqual([found.pieces.join(''), found.end], ['', { reason: 'stop', promptTokens: 2, tokens: 2 }]);
  });

  test('all of the text', () =>
    withDecoder(
      { ...model, files },
      async (decoder) => {
        const script = [0, 3, 4, 5, 7, 12];
        const logits = (data: Float32Array, ids: readonly number[]): void => void (data[script[ids.length - 2]!] = 1e9);
        assert.equal(await decoder.generate('ab', { logits }).text(), 'a你 ');
      },
      { tokenizer },
    ));

  test('messages are written by the template of the folder, without special tokens of the tokenizer', async () => {
    const template =
      '{% for message in messages %}{{ message.content }}.{% endfor %}{% if add_generation_prompt %}c{% endif %}';
    const own = new Map([...files, ['tokenizer_config.json', jsonFile({ chat_template: template })]]);
    const asked: unknown[] = [];
    const spying: typeof tokenizer = {
      ...tokenizer,
      encode: (text, options) => {
        asked.push([text, options?.add_special_tokens]);
        return tokenizer.encode(text);
      },
    };
    await withDecoder(
      { ...model, files: own },
      async (decoder) => {
        const generation = decoder.generate([{ role: 'user', content: 'ab' }], { maxTokens: 1 });
        await generation.text();
        assert.equal((await generation.finished).promptTokens, 4);
      },
      { tokenizer: spying },
    );
    assert.deepEqual(asked, [['ab.c', false]]);
  });
});
