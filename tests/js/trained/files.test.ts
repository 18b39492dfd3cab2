/** The files of web/public/trained together: complete, small, and as docs/trained.md has them. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isHeldOut } from '../../../scripts/train/examples.ts';
import { root } from '../support/repository.ts';
import { folder } from '../support/trained_models.ts';

const names = readdirSync(folder);
const models = names.filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -'.json'.length));

test('every model has four checkpoints, and all files together less than 1.5 MB', () => {
  assert.deepEqual(
    [...names].sort(),
    models.flatMap((name) => [...[0, 1, 2, 3].map((n) => `${name}.${n}.safetensors`), `${name}.json`]).sort(),
  );
  const size = names.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  assert.ok(size < 1.5e6, `${size} bytes`);
});

test('docs/trained.md has the figures of each model', () => {
  const page = readFileSync(join(root, 'docs/trained.md'), 'utf8');
  for (const name of models) {
    const { task, parameters, checkpoints } = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
    const list = checkpoints as { file: string; accuracy: number; steps: number }[];
    const size = (statSync(join(folder, list.at(-1)!.file)).size / 1000).toFixed(1);
    const figures = list.map(({ accuracy, steps }) => `${accuracy.toFixed(3)} (${steps})`).join(' | ');
    const row = `| \`${name}\` | ${task} | ${parameters} | ${size} kB | ${figures} |`;
    assert.ok(page.includes(row), `docs/trained.md lacks ${row}`);
  }
});

test('the rule that holds examples out is CRC-32', () => {
  // The check value of CRC-32/ISO-HDLC: 123456789 gives cbf43926, which 8 does not divide.
  assert.ok(!isHeldOut('123456789'));
  const held = Array.from({ length: 8000 }, (_, n) => isHeldOut(`example ${n}`)).filter(Boolean).length;
  assert.ok(Math.abs(held - 1000) < 150, `${held} of 8000`);
});
