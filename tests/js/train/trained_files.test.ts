/** `npm run train` makes the files of web/public/trained, byte for byte: one model whole, and another to its second checkpoint. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { load } from 'fovea/train';
import { trainedFiles } from '../../../scripts/train/files.ts';
import { graphTask } from '../../../scripts/train/graph_attention.ts';
import { inductionTask } from '../../../scripts/train/self_attention.ts';
import { folder } from '../support/trained_models.ts';

const fovea = await load({ deterministic: true, threads: 1 });
after(() => fovea.dispose());

const committed = (name: string): Buffer => readFileSync(join(folder, name));

test('graph_attention: four checkpoints, and the JSON', async () => {
  const files = await trainedFiles(fovea, graphTask);
  assert.equal(files.size, 5);
  for (const [name, bytes] of files) assert.deepEqual(Buffer.from(bytes), committed(name), name);
});

test('self_attention: the checkpoints before training and after 250 steps', async () => {
  const files = await trainedFiles(fovea, inductionTask, 2);
  const weights = [...files].filter(([name]) => name.endsWith('.safetensors'));
  assert.equal(weights.length, 2);
  for (const [name, bytes] of weights) assert.deepEqual(Buffer.from(bytes), committed(name), name);
  assert.notDeepEqual(committed(weights[0]![0]), committed(weights[1]![0]));
});
