/** Runs scripts of the page where they find the package by its name, and collects their printed values. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { after } from 'node:test';
import { pathToFileURL } from 'node:url';
import { toNested } from 'fovea';
import type { Script } from '../../../web/stages/script.ts';
import { root } from './repository.ts';

let count = 0;

/** Runs scripts in a folder of their own, which goes after the tests. Gives what was printed, by the words before it. */
export function scriptRunner(name: string): (script: Script) => Promise<Map<string, unknown>> {
  const folder = `${root}/build/tests/scripts/${name}`;
  mkdirSync(folder, { recursive: true });
  after(() => rmSync(folder, { recursive: true, force: true }));
  return async ({ text, file }) => {
    const path = `${folder}/${count++}.mjs`;
    writeFileSync(path, text);
    if (file) writeFileSync(`${folder}/fovea-${file.name}`, file.text);
    const printed = new Map<string, unknown>();
    const { log } = console;
    console.log = (...said: unknown[]) => void printed.set(said.slice(0, -1).join(' '), said.at(-1));
    try {
      await import(pathToFileURL(path).href);
    } finally {
      console.log = log;
    }
    return printed;
  };
}

interface SparseRows {
  readonly indptr: ArrayLike<number>;
  readonly indices: ArrayLike<number>;
}

/** A stage as the script prints it: the weights of a pattern as the entries that it keeps, packed heads side by side. */
export function shown({ data, shape }: { data: Float32Array; shape: number[] }, printed: unknown): unknown {
  if (printed !== null && typeof printed === 'object' && 'indptr' in printed) {
    const { indptr, indices } = printed as SparseRows;
    const columns = shape.at(-1)!;
    const kept = Array.from({ length: indptr.length - 1 }, (_, row) =>
      Array.from(indices)
        .slice(indptr[row]!, indptr[row + 1]!)
        .map((column) => data[row * columns + column]!),
    );
    return { ...printed, values: Float32Array.from(kept.flat()) };
  }
  const [tokens, heads] = [shape.at(-2)!, shape[0]!];
  const packed = Array.isArray(printed) && shape.length === 3 && typeof (printed as number[][])[0]?.[0] === 'number';
  if (!packed) return toNested({ data, shape });
  const nested = toNested({ data, shape }) as number[][][];
  return Array.from({ length: tokens }, (_, t) => Array.from({ length: heads }, (_, h) => nested[h]![t]!).flat());
}
