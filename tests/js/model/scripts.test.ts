/** "The same in Node" of a model's head: the script prints the bytes of the weights that the page shows. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LayerShape } from '../../../web/model/network/layer.ts';
import { Network } from '../../../web/model/network/network.ts';
import type { HeadChange } from '../../../web/model/network/types.ts';
import { headScript } from '../../../web/model/script.ts';
import { weightsOf } from '../../../web/model/forward_pass.ts';
import { fovea } from '../support/api.ts';
import { seeded } from '../support/model_files.ts';
import { scriptRunner } from '../support/printed_script.ts';

const printedBy = scriptRunner('model');
const WIDTH = 12;
const CHANGES: readonly (HeadChange | null)[] = [
  null,
  { kind: 'off' },
  { kind: 'window', reach: 2 },
  { kind: 'topK', k: 3 },
  { kind: 'linear' },
];

for (const [tokens, own] of [
  [1, { heads: 1, kvHeads: 1, headDim: 1, causal: false }],
  [5, { heads: 3, kvHeads: 3, headDim: 7, causal: true }],
  [24, { heads: 4, kvHeads: 2, headDim: 16, causal: true, rope: { base: 500 } }],
  [65, { heads: 8, kvHeads: 1, headDim: 64, causal: false }],
] as const)
  test(`${tokens} tokens, ${own.heads} heads of ${own.headDim} over ${own.kvHeads}`, async () => {
    const random = seeded(tokens);
    const { heads, kvHeads, headDim } = own;
    const part = (...shape: number[]) => ({ weight: random(...shape) });
    const norm = { weight: { data: new Float32Array(WIDTH).fill(1), shape: [WIDTH] } };
    const shape: LayerShape = { order: 'pre', norm: 'rms', eps: 1e-5, activation: 'gelu', ...own };
    const network = new Network(fovea);
    network.add(
      shape,
      {
        ...{ norm1: norm, qkv: part((heads + 2 * kvHeads) * headDim, WIDTH), out: part(WIDTH, heads * headDim) },
        ...{ norm2: norm, up: part(8, WIDTH), down: part(WIDTH, 8) },
      },
      'float32',
    );
    const head = heads - 1;
    for (const change of CHANGES) {
      const changed = change ? [{ layer: 0, head, change }] : [];
      const layers = fovea.scope(() => network.look(fovea.tensor(random(tokens, WIDTH)), changed).layers);
      const pass = { tokens: Array.from({ length: tokens }, String), heads, layers };
      const printed = await printedBy(headScript(pass, { layer: 0, head }, change));
      assert.deepEqual(
        Float32Array.from((printed.get('weights') as number[][]).flat()),
        weightsOf(pass, 0, head).data,
        change?.kind ?? 'as it is',
      );
    }
    network.dispose();
  });
