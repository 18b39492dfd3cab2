import { readProperty, shapeProperty, tagOf } from './objects.ts';

/** The kind of a fault: a wrong shape, a wrong value, an unknown or contradictory option, use after dispose, too little memory, ... */
export type ErrorCode = 'shape' | 'value' | 'option' | 'disposed' | 'memory' | 'load' | 'internal';

/**
 * The one error class of fovea. The message names the function, the rule and what was got:
 * `attention: q and k must share their width, got q [8, 128, 64], k [8, 128, 32], v [8, 128, 32]`. It has at most 4000 characters: of a
 * longer one, the middle is left out.
 *
 * @example
 * try {
 *   fovea.attention([[1, 2]], [[1]], [[1]]);
 * } catch (error) {
 *   if (error instanceof AttentionError && error.code === 'shape') console.log(error.message);
 * }
 */
export class AttentionError extends Error {
  static {
    // Minified, the class would have another name, which uncaught errors and consoles print.
    Object.defineProperty(this, 'name', { value: 'AttentionError' });
  }

  readonly code: ErrorCode;

  /** An error of this code. `options.cause` is what led to it. */
  constructor(code: ErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(shorten(message, 3000, 999), options);
    this.name = 'AttentionError';
    this.code = code;
  }
}

/**
 * Throws an AttentionError whose message is `fn: message`.
 * @internal
 */
export function fail(code: ErrorCode, fn: string, message: string, cause?: unknown): never {
  throw new AttentionError(code, `${fn}: ${message}`, cause === undefined ? undefined : { cause });
}

/**
 * The words of whatever was thrown.
 * @internal
 */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * A text of the caller's as messages show it: no more than its beginning and its end.
 * @internal
 */
export function shorten(text: string, first = 40, last = 0): string {
  return text.length > first + last + 1 ? `${text.slice(0, first)}…${text.slice(text.length - last)}` : text;
}

/**
 * How a value is named in a message: short, and telling its type where the value alone would not, and what to pass in its place where
 * that is known. Whatever the caller's own code does when the value is looked at, this returns.
 * @internal
 */
export function describe(value: unknown): string {
  if (typeof value === 'string') return `'${shorten(value)}'`;
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'symbol') return 'a symbol';
  if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? '-0' : String(value);
  try {
    return describeObject(value);
  } catch {
    return 'an object';
  }
}

function describeObject(value: object): string {
  if (ArrayBuffer.isView(value)) {
    const length = 'length' in value ? ` of length ${String(value.length)}` : '';
    const own = shapeProperty(value);
    const shape = own === undefined ? '' : ` with a ${own} of its own (pass { data: x, shape: x.${own} })`;
    return `a ${value.constructor.name}${length}${shape}`;
  }
  if (Array.isArray(value)) {
    const flat = value.length <= 8 && value.every((entry) => typeof entry !== 'object' || entry === null);
    return flat ? `[${Array.from(value, describe).join(', ')}]` : `an array of length ${value.length}`;
  }
  if (typeof readProperty(value, 'dataSync') === 'function')
    return 'a tensor of TensorFlow.js (pass { data: x.dataSync(), shape: x.shape })';
  const tag = tagOf(value);
  // Minified, a class has another name than its tag.
  const name = tag === 'Object' ? (Object.getPrototypeOf(value)?.constructor?.name as string | undefined) : tag;
  if (name === undefined || name === 'Object') return 'an object';
  return tag === 'Promise' ? 'a Promise (await it)' : `a ${name}`;
}
