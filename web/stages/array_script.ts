/** Scripts for Node of the pages that compute on arrays of their own: images, sounds, long texts, heads of a model, the laboratory. */
import { shortestFloat32 } from '../figures/format.ts';
import { MOST_NUMBERS, readingOf, scriptWith, type Script } from './script.ts';

interface Numbers {
  readonly data: ArrayLike<number>;
  readonly shape: readonly number[];
}

export interface Calls {
  /** The name of the file beside the script. */
  readonly id: string;
  /** Arguments of the calls, by the names that these use. */
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
        readingOf('file', name),
        'const array = ({ data, shape }) => ({ data: Float32Array.from(data), shape });',
        ...entries.map(([array]) => `const ${array} = array(file.${array});`),
      ]
    : entries.map(
        ([array, numbers]) =>
          `const ${array} = { data: new Float32Array(${listed(numbers)}), shape: ${JSON.stringify(numbers.shape)} };`,
      );
  const body = [...lines, '', ...calls];
  if (!isLarge) return scriptWith(null, imports, body);
  const parts = entries.map(
    ([array, numbers]) => `"${array}": { "shape": ${JSON.stringify(numbers.shape)}, "data": ${listed(numbers)} }`,
  );
  return scriptWith({ name, text: `{\n${parts.join(',\n')}\n}\n` }, imports, body);
}
