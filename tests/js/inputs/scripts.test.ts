/** "The same in Node" of images, sounds and long texts: the script prints the bytes that the page computes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clustersOf, axialFrom, firstBases, seenFrom } from '../../../web/families/beyond_text/photo/attend.ts';
import { KERNELS } from '../../../web/families/beyond_text/photo/kernels.ts';
import { patchesOf, type Comparison } from '../../../web/families/beyond_text/photo/patches.ts';
import * as scripts from '../../../web/families/beyond_text/photo/script.ts';
import { framesOf, scriptFrom, weightsFrom } from '../../../web/families/beyond_text/recording/frames.ts';
import { sung } from '../../../web/families/beyond_text/recording/vowels.ts';
import { project } from '../../../web/families/self_attention/long_text/embedding.ts';
import { RHYME } from '../../../web/families/self_attention/long_text/rhyme.ts';
import { rowsOf, MASK_NAMES } from '../../../web/families/self_attention/long_text/rows.ts';
import { scriptOfRow } from '../../../web/families/self_attention/long_text/script.ts';
import { shapeScene, tinyScene } from '../../../web/inputs/image/scenes.ts';
import { firstTokens } from '../../../web/text/tokens.ts';
import { convolutionAttention } from 'fovea/mechanisms';
import { fovea } from '../support/api.ts';
import { scriptRunner } from '../support/printed_script.ts';

const printedBy = scriptRunner('inputs');
const flat = (nested: unknown): number[] => ([nested] as unknown[]).flat(9) as number[];
const comparisons: readonly Comparison[] = [
  { features: 'centered', share: 0, scale: 20 },
  { features: 'raw', share: 0.3, scale: 5 },
];

for (const [name, image, size] of [
  ['scene', shapeScene(), 8],
  ['tiny', tinyScene(), 1],
] as const)
  test(`an image: ${name}`, async () => {
    const patches = patchesOf(fovea, image, size);
    const query = Math.floor((patches.rows * patches.cols) / 3);
    for (const comparison of comparisons) {
      const seen = seenFrom(fovea, patches, comparison, query);
      const full = await printedBy(scripts.seenScript(patches, comparison, query));
      assert.deepEqual([flat(full.get('weights')), flat(full.get('color'))], [[...seen.weights], seen.color]);
      const two = axialFrom(fovea, patches, comparison, query, 2);
      const axial = await printedBy(scripts.axialScript(patches, comparison, query, 2));
      assert.deepEqual([flat(axial.get('weights')), flat(axial.get('color'))], [[...two.weights], two.color]);
      const one = axialFrom(fovea, patches, comparison, query, 1).weights.filter(
        (_, n) => n % patches.cols === query % patches.cols,
      );
      const column = await printedBy(scripts.axialScript(patches, comparison, query, 1));
      assert.deepEqual(flat(column.get('weights')), [...one]);
      const bases = firstBases(fovea, patches, 3);
      const clusters = await printedBy(scripts.clustersScript(patches, comparison, bases, 2));
      assert.deepEqual(flat(clusters.get('memberships')), [...clustersOf(fovea, patches, comparison, bases, 2).memberships]);
    }
    const gray = patches.colors.data.filter((_, n) => n % 3 === 0);
    const { rows, cols } = patches;
    const printed = await printedBy(scripts.convolutionScript(gray, patches, KERNELS.blur, 2));
    const { output, convolution } = convolutionAttention(
      fovea,
      { image: { data: gray, shape: [rows, cols, 1] } },
      { W: { data: Float32Array.from(KERNELS.blur), shape: [3, 3, 1, 1] } },
      { alpha: 2 },
    );
    assert.deepEqual(flat(printed.get('output')), [...output.data]);
    assert.deepEqual(flat(printed.get('convolution')), [...convolution.data]);
  });

test('a sound', async () => {
  const frames = framesOf(fovea, sung('aia').samples);
  for (const [features, reach] of [
    ['centered', -1],
    ['raw', 4],
  ] as const) {
    const comparison = { features, scale: 20, reach };
    const printed = await printedBy(scriptFrom(frames, comparison, 12));
    assert.deepEqual(flat(printed.get('weights')), [...weightsFrom(fovea, frames, comparison, 12)]);
  }
});

test('a long text, under all that a word may see', async () => {
  const tokens = firstTokens(RHYME.en, 'word', 2000).tokens;
  for (const seen of MASK_NAMES) {
    const projected = project(fovea, tokens, 'same');
    const row = rowsOf(fovea, projected, seen)(40, 41);
    const printed = await printedBy(scriptOfRow(projected, seen, 40));
    const weights = flat(printed.get('weights'));
    const keys = printed.has('keys') ? flat(printed.get('keys')) : Array.from(row.keys());
    const scattered = new Float32Array(tokens.length);
    keys.forEach((key, n) => (scattered[key] = weights[n]!));
    assert.deepEqual(scattered, row, seen);
  }
});
