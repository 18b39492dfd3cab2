/** Matrices of a folder that are packed by blocks of rows: the bits of the whole, and no long read. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { FileSource } from 'fovea/files';
import { LLAMA_NAMES, loadDecoder } from 'fovea/models';
import { CausalDecoder } from 'fovea/nn';
import { DECODER_CONFIGS } from '../support/model_configs.ts';
import { testModel } from '../support/model_folder.ts';
import { assertSameBits } from '../support/truth_bounds.ts';
import { loadForTests } from '../support/truth_instance.ts';

const fovea = await loadForTests();
after(() => fovea.dispose());

/** Bytes that are read at a time (bindings/js/models/row_blocks.ts). */
const BLOCK = 2 ** 22;

/** A file that remembers how many bytes were asked for at once. */
class Watched extends Blob {
  readonly lengths: number[] = [];

  override slice(start = 0, end = this.size): Blob {
    this.lengths.push(end - start);
    return super.slice(start, end);
  }
}

// Three blocks of the embedding, the last of which ends within a panel; queries, keys and values begin with panels of their own.
const vocab = 140_001;
const sizes = { vocab_size: vocab, hidden_size: 16, num_attention_heads: 2, num_key_value_heads: 1, head_dim: 8 };
const model = testModel({
  config: {
    ...DECODER_CONFIGS['llama, 1 head of keys']!,
    ...{ ...sizes, intermediate_size: 24, num_hidden_layers: 1, tie_word_embeddings: true },
  },
});
const bytes = model.files.get('model.safetensors') as Uint8Array<ArrayBuffer>;

const filesWith = (weights: Blob): Map<string, FileSource> =>
  new Map<string, FileSource>([...model.files, ['model.safetensors', weights]]);

for (const form of [{}, { dtype: 'int8' }, { dtype: 'int8', inputs: 'precise' }] as const)
  test(`${JSON.stringify(form)}: a large table has the bits of one that is packed at once`, async () => {
    const file = new Watched([bytes]);
    const before = fovea.memory().live;
    const decoder = await loadDecoder(fovea, filesWith(file), {
      tokenizer: null,
      ...form,
    });
    assert.ok(bytes.length > 2 * BLOCK && Math.max(...file.lengths) <= BLOCK, `${Math.max(...file.lengths)} bytes at once`);
    const whole = new CausalDecoder(fovea, {
      ...{ vocabSize: vocab, numLayers: 1, dModel: 16, nHead: 2, kvHeads: 1, headDim: 8, dimFeedforward: 24 },
      ...{ norm: 'rms', normEps: 1e-5, gated: true, rope: { base: 500 } },
    });
    whole.loadStateDict(model.weights as Map<string, { data: Float32Array; shape: number[] }>, {
      rename: LLAMA_NAMES,
      ...form,
    });
    const ids = [0, 65_535, 65_536, 131_072, vocab - 1];
    assertSameBits((await decoder.logits(ids)).data, whole.forward(ids).data, 'logits');
    decoder.dispose();
    whole.dispose();
    assert.equal(fovea.memory().live, before);
  });

test('a file that ends within a block gives back what was packed', async () => {
  const before = fovea.memory().live;
  class Cut extends Blob {
    override slice(start = 0, end = this.size): Blob {
      return super.slice(start, start > BLOCK ? end - 1 : end);
    }
  }
  await assert.rejects(
    loadDecoder(fovea, filesWith(new Cut([bytes])), { tokenizer: null }),
    /must not change while it is read/,
  );
  assert.equal(fovea.memory().live, before);
});
