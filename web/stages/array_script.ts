/** Scripts for Node of the pages that compute on arrays of their own: images, sounds, long texts, heads of a model, the laboratory. */
import { fileName } from '../figures/export.ts';
import { shortestFloat32 } from '../figures/format.ts';
import { MOST_NUMBERS, type Script } from './script.ts';

interface Numbers {
  readonly data: ArrayLike<number>;
  readonly shape: readonly number[];
}

export interface Calls {
  /** Of the file beside the script. */
  readonly id: string;
  /** What the calls are given, by the names that they use. */
  readonly arrays: Readonly<Record<string, Numbers>>;
  /** Lines of code. */
  readonly imports: readonly string[];
  readonly calls: readonly string[];
}

const written = (x: number): string => (Object.is(x, -0) ? '-0' : shortestFloat32(x));
const listed = ({ data }: Numbers): string => `[${Array.from(data, written).join(', ')}]`;

/** A module that makes the arrays and the calls. Many numbers are read from the file beside it. */
export function scriptOfCalls({ id, arrays, imports, calls }: Calls): Script {
  const entries = Object.entries(arrays);
  const name = `${id}.json`;
  const isLarge = entries.reduce((sum, [, { data }]) => sum + data.length, 0) > MOST_NUMBERS;
  const lines = isLarge
    ? [
        `const file = JSON.parse(await readFile(new URL('./${fileName(name)}', import.meta.url), 'utf8'));`,
        'const array = ({ data, shape }) => ({ data: Float32Array.from(data), shape });',
        ...entries.map(([array]) => `const ${array} = array(file.${array});`),
      ]
    : entries.map(
        ([array, numbers]) =>
          `const ${array} = { data: new Float32Array(${listed(numbers)}), shape: ${JSON.stringify(numbers.shape)} };`,
      );
  const text = [
    ...(isLarge ? ["import { readFile } from 'node:fs/promises';"] : []),
    "import { load, toNested } from 'fovea';",
    ...imports,
    '',
    'const fovea = await load({ deterministic: true });',
    ...lines,
    '',
    ...calls,
    '',
  ].join('\n');
  if (!isLarge) return { text, file: null };
  const parts = entries.map(
    ([array, numbers]) => `"${array}": { "shape": ${JSON.stringify(numbers.shape)}, "data": ${listed(numbers)} }`,
  );
  return { text, file: { name, text: `{\n${parts.join(',\n')}\n}\n` } };
}
