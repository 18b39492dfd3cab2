/**
 * fovea/models against outputs of PyTorch: tests/golden/models, made by tests/golden/make_models.py. The bound is that of
 * tests/golden/FORMAT.md: 4 times PyTorch's own error in float32 plus 8·2^-24 times the largest output.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { loadDecoder, loadEncoder } from 'fovea/models';
import { decode } from '../reference/models/decoders.ts';
import { encode } from '../reference/models/encoders.ts';
import { ModelParts, type Config } from '../reference/models/parts.ts';
import { assertNear, flat } from '../support/model_bounds.ts';
import { DECODER_CONFIGS, ENCODER_CONFIGS } from '../support/model_configs.ts';
import { jsonFile } from '../support/model_folder.ts';
import { DOUBLE, type Values } from '../support/transformer_reference.ts';
import { EPS } from '../support/truth_bounds.ts';
import { loadForTests } from '../support/truth_instance.ts';
import { readSafetensors } from 'fovea/files';

const fovea = await loadForTests();
after(() => fovea.dispose());

interface Case {
  readonly config: Config;
  readonly texts: readonly (readonly number[])[];
  /** Float64, of each text: the states [T, E] of an encoder, the logits [T, V] of a decoder. */
  readonly outputs: readonly (readonly number[])[];
  readonly error_f32: number;
  readonly largest: number;
}

const FOLDER = 'tests/golden/models';
const names = readdirSync(FOLDER).flatMap((file) => (file.endsWith('.json') ? [file.slice(0, -5)] : []));
const caseOf = (name: string): Case => JSON.parse(readFileSync(`${FOLDER}/${name}.json`, 'utf8')) as Case;
const isDecoder = ({ config }: Case): boolean => /(ForCausalLM|LMHeadModel)$/.test((config['architectures'] as string[])[0]!);

test('there is a case of every family', () => {
  const families = new Set(names.map((name) => caseOf(name).config.model_type));
  const wanted = [...Object.values(ENCODER_CONFIGS), ...Object.values(DECODER_CONFIGS)].map(({ model_type }) => model_type);
  assert.deepEqual([...families].sort(), [...new Set(wanted)].sort());
});

for (const name of names) {
  const one = caseOf(name);
  const { config, texts, outputs, error_f32, largest } = one;
  const weights = readFileSync(`${FOLDER}/${name}.safetensors`);

  test(`${name}: PyTorch's outputs`, async () => {
    const folder = new Map<string, Uint8Array>([
      ['config.json', jsonFile(config)],
      ['model.safetensors', weights],
    ]);
    const bound = 4 * error_f32 + 8 * EPS * largest;
    const check = (got: ArrayLike<number>, n: number): void =>
      assertNear(got, { want: Float64Array.from(outputs[n]!), bound }, `${texts[n]!.length} tokens`);
    if (isDecoder(one)) {
      const decoder = await loadDecoder(fovea, folder, { tokenizer: null });
      for (const [n, ids] of texts.entries()) check((await decoder.logits(ids)).data as Float32Array, n);
      decoder.dispose();
    } else {
      const encoder = await loadEncoder(fovea, folder, { tokenizer: null });
      (await encoder.states(texts)).forEach(({ data }, n) => check(data as Float32Array, n));
      encoder.dispose();
    }
  });

  test(`${name}: the reference in double and PyTorch's agree to 1e-10 of the largest`, async () => {
    const { tensors } = await readSafetensors(weights);
    const parts = new ModelParts(tensors as ReadonlyMap<string, Values>, DOUBLE);
    texts.forEach((ids, n) => {
      const rows = isDecoder(one) ? decode(parts, config, ids).logits : encode(parts, config, { ids }).states;
      const bound = 1e-10 * largest;
      assertNear(flat(rows), { want: Float64Array.from(outputs[n]!), bound }, `${ids.length} tokens`);
    });
  });
}
