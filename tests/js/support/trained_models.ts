/** The trained weights of web/public/trained, and what is asserted of each of their checkpoints. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NDArray } from 'fovea';
import { readSafetensors } from 'fovea/files';
import { root } from './repository.ts';

export const folder = join(root, 'web/public/trained');

/** A checkpoint's figures on the held-out examples, computed from the weights as the file has them; scripts/train/figures.ts. */
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

export const mean = (values: ArrayLike<number>): number =>
  Array.from(values).reduce((sum, value) => sum + value, 0) / values.length;

/** How far the mean of the losses may be from a figure. */
export function lossBound({ loss }: Pick<Figures, 'loss'>): number {
  return 16 * 2 ** -24 * (1 + loss);
}

/**
 * Asserts that `decisions` [examples][decisions] and the losses of the examples are the figures. Another order of float32's sums may turn
 * the decisions of a close example, and moves a loss by some roundings of the scores, or of a probability near 1.
 */
export function assertFigures(figures: Figures, decisions: readonly (readonly boolean[])[], losses: ArrayLike<number>): void {
  const all = decisions.flat();
  const most = Math.max(...decisions.map((row) => row.length));
  const off = Math.abs(all.filter(Boolean).length - figures.accuracy * all.length);
  assert.ok(
    off <= figures.close * most + 1e-3,
    `${figures.file}: accuracy ${mean(all.map(Number))} is not ${figures.accuracy}`,
  );
  const bound = lossBound(figures);
  assert.ok(
    Math.abs(mean(losses) - figures.loss) <= bound,
    `${figures.file}: loss ${mean(losses)} is not ${figures.loss} within ${bound}`,
  );
}
