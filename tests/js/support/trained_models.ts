/** The trained weights of web/public/trained, and what is asserted of each of their checkpoints. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NDArray } from 'fovea';
import { readSafetensors } from 'fovea/files';
import { root } from './repository.ts';

export const folder = join(root, 'web/public/trained');

/** A checkpoint's figures on the held-out examples, made in float64 from the weights as the file has them; scripts/train/common.py. */
export interface Figures {
  readonly file: string;
  readonly steps: number;
  /** Share of right decisions. */
  readonly accuracy: number;
  /** Share of examples without a wrong decision. */
  readonly exact: number;
  readonly loss: number;
  /** Examples with a decision whose two largest probabilities differ by less than 1e-4. */
  readonly close: number;
  /** How far the losses of PyTorch's float32 run were from those in float64, on average. */
  readonly lossError: number;
}

export interface Checkpoint<F = object> {
  readonly figures: Figures & F;
  /** The mechanism's arrays. */
  readonly params: Map<string, NDArray>;
  /** Arrays of the layers around it, without `network.`. */
  readonly network: Map<string, NDArray>;
}

export interface TrainedModel<Example, F = object> {
  readonly chance: number;
  readonly vocabulary: readonly string[];
  readonly examples: readonly Example[];
  readonly checkpoints: readonly Checkpoint<F>[];
}

export async function readTrained<Example, F = object>(name: string): Promise<TrainedModel<Example, F>> {
  const about = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
  const checkpoints = (about.checkpoints as (Figures & F)[]).map(async (figures) => {
    const file = await readSafetensors(join(folder, figures.file));
    assert.ok([...file.tensors.values()].every(({ dtype, data }) => dtype === 'F16' && data instanceof Float32Array));
    const tensors = file.tensors as Map<string, NDArray>;
    const network = part(tensors, 'network.');
    return { figures, network, params: new Map([...tensors].filter(([key]) => !key.startsWith('network.'))) };
  });
  return { ...about, checkpoints: await Promise.all(checkpoints) };
}

/** The arrays whose names begin with `prefix`, without it. */
export function part(tensors: ReadonlyMap<string, NDArray>, prefix: string): Map<string, NDArray> {
  const found = [...tensors].filter(([name]) => name.startsWith(prefix));
  return new Map(found.map(([name, tensor]) => [name.slice(prefix.length), tensor]));
}

/** Rows of integers as one array [B, length], 0 after a row's end; and the rows' lengths. */
export function padded(rows: readonly (readonly number[])[], length = Math.max(...rows.map((row) => row.length))) {
  const data = new Int32Array(rows.length * length);
  rows.forEach((row, b) => data.set(row, b * length));
  return { ids: { data, shape: [rows.length, length] }, lengths: rows.map((row) => row.length) };
}

/** Whether an example was kept from training: `is_held_out` of scripts/train/common.py. */
export function isHeldOut(key: string): boolean {
  let crc = 0xffffffff;
  for (const byte of new TextEncoder().encode(key)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (~crc >>> 0) % 8 === 0;
}

export const mean = (values: ArrayLike<number>): number =>
  Array.from(values).reduce((sum, value) => sum + value, 0) / values.length;

/**
 * Asserts that `decisions` [examples][decisions] and the losses of the examples are the figures. Another order of float32's sums may turn
 * the decisions of a close example, and moves a loss by a few times PyTorch's own float32 error, or by roundings of a probability near 1.
 */
export function assertFigures(figures: Figures, decisions: readonly (readonly boolean[])[], losses: ArrayLike<number>): void {
  const all = decisions.flat();
  const most = Math.max(...decisions.map((row) => row.length));
  const off = Math.abs(all.filter(Boolean).length - figures.accuracy * all.length);
  assert.ok(
    off <= figures.close * most + 1e-3,
    `${figures.file}: accuracy ${mean(all.map(Number))} is not ${figures.accuracy}`,
  );
  const bound = 4 * figures.lossError + 8 * 2 ** -24 * (1 + figures.loss);
  assert.ok(
    Math.abs(mean(losses) - figures.loss) <= bound,
    `${figures.file}: loss ${mean(losses)} is not ${figures.loss} within ${bound}`,
  );
}
