/** The files of a trained model: four checkpoints in float16, and a JSON with figures and held-out examples. */
import type { Fovea } from 'fovea';
import { readSafetensors, writeSafetensors } from 'fovea/files';
import { draw, SEED, type Keyed } from './examples.ts';
import { figuresOf } from './figures.ts';
import type { Arrays, Task } from './task.ts';

/** Contents by their names. */
export type Files = Map<string, Uint8Array>;

/** Trains a model; `count` checkpoints of it, and their figures. */
export async function trainedFiles<E extends Keyed>(fovea: Fovea, task: Task<E>, count = 4): Promise<Files> {
  const { name, facts, make, counts, shown, comparisons } = task;
  const heldOut = draw(make, counts[1], true);
  const files: Files = new Map();
  const checkpoints: object[] = [];
  let parameters = 0;
  for (const { steps, weights } of task.checkpoints(fovea)) {
    const file = `${name}.${checkpoints.length}.safetensors`;
    const bytes = writeSafetensors(weights, { dtype: 'F16' });
    files.set(file, bytes);
    checkpoints.push({ file, steps, ...figuresOf(fovea, task, await asRead(bytes), heldOut) });
    parameters = Object.values(weights).reduce((sum, { data }) => sum + data.length, 0);
    if (checkpoints.length === count) break;
  }
  const about = {
    name,
    ...facts,
    ...(comparisons && { comparisons: await compared(fovea, task, heldOut) }),
    seed: SEED,
    parameters,
  };
  files.set(`${name}.json`, new TextEncoder().encode(json(about, { checkpoints, examples: heldOut.map(shown) })));
  return files;
}

async function compared<E extends Keyed>(fovea: Fovea, task: Task<E>, heldOut: readonly E[]): Promise<object> {
  const entries = Object.entries(task.comparisons!(fovea)).map(async ([name, { steps, weights }]) => {
    const read = await asRead(writeSafetensors(weights, { dtype: 'F16' }));
    return [name, { steps, ...figuresOf(fovea, task, read, heldOut) }];
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** The weights as a file gives them back. */
async function asRead(file: Uint8Array): Promise<Arrays> {
  return Object.fromEntries((await readSafetensors(file)).tensors) as Arrays;
}

/** An entry a line, and a line for each entry of the lists. */
function json(about: object, lists: Readonly<Record<string, readonly object[]>>): string {
  const lines = Object.entries(about).map(([key, value]) => ` ${JSON.stringify(key)}: ${JSON.stringify(value)}`);
  for (const [key, rows] of Object.entries(lists))
    lines.push(` ${JSON.stringify(key)}: [\n${rows.map((row) => `  ${JSON.stringify(row)}`).join(',\n')}\n ]`);
  return `{\n${lines.join(',\n')}\n}\n`;
}
