/** `format` and `print`: arrays for people to read. */
import { readPlain } from './arrays.ts';
import { checkInteger, readOptions } from '../errors/options.ts';
import { fail } from '../errors/errors.ts';
import { formatNumbers, type FormattedNumbers } from './format.ts';
import { formatShape, rowMajor } from './shapes.ts';
import { anyStateOf, isTensor } from './tensor.ts';
import { formatState, isDisposed } from './tensor_state.ts';
import type { ArrayInput } from './array_input.ts';

export interface FormatOptions {
  /** Digits after the point, from 0 to 16; default 4. */
  readonly digits?: number | undefined;
}

/**
 * The numbers of an array as text: rounded, one row a line. Of more than 1000 numbers the ends of each axis are shown, and the shape.
 *
 * @param array any array argument: what a call returned, `{ data, shape }`, nested numbers or a Tensor.
 * @throws AttentionError `shape`, `value`, `option`; `disposed` for a disposed Tensor.
 * @example
 * import { format } from 'fovea';
 * const text = format([[1.6604769, 2], [0, 1e-6]], { digits: 2 });
 * console.assert(text === '[[ 1.66, 2.00],\n [    0, 1e-6]]');
 */
export function format(array: ArrayInput, options?: FormatOptions): string {
  const fn = 'format';
  const { digits = 4 } = readOptions(fn, options, ['digits']);
  checkInteger(fn, 'digits', digits, 0, 16);
  return formatArray(fn, array, digits);
}

/**
 * Writes arrays to the console, as `format` has them; texts as they are.
 *
 * @param values arrays, and texts that say what they are.
 * @throws AttentionError as `format`.
 * @example
 * import { print } from 'fovea';
 * print('weights', [[0.25, 0.75]]); // weights [[0.2500, 0.7500]]
 */
export function print(...values: readonly (ArrayInput | string)[]): void {
  const texts = values.map((value) => (typeof value === 'string' ? value : formatArray('print', value, 4)));
  console.log(texts.join(texts.some((text) => text.includes('\n')) ? '\n' : ' '));
}

function formatArray(fn: string, array: ArrayInput, digits: number): string {
  if (isTensor(array)) {
    const state = anyStateOf(fn, array);
    if (isDisposed(state)) fail('disposed', fn, `the tensor of shape ${formatShape(state.shape)} has been disposed`);
    return withShape(formatState(state, digits), state.shape);
  }
  const { shape, data } = readPlain(fn, 'the array', array, 'mask');
  return withShape(
    formatNumbers(shape, rowMajor(shape), (at) => data[at]!, digits),
    shape,
  );
}

function withShape({ text, isShortened }: FormattedNumbers, shape: readonly number[]): string {
  return isShortened ? `${text}\nshape ${formatShape(shape)}` : text;
}
