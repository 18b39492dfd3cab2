/** The options of `serve`. */
import { describe, fail } from '../errors/errors.ts';
import { isPlainObject, ownProperties, readOptions } from '../errors/options.ts';
import type { ServedFunction } from '../worker/served_types.ts';

export interface ServeOptions {
  /** Functions by the names that the caller uses: an object, or a module, `import * as functions from './model.js'`. */
  readonly functions: Readonly<Record<string, ServedFunction>>;
}

let served = false;

/** The functions, in an object that inherits nothing. A worker serves once. */
export function readServeOptions(options: ServeOptions): Readonly<Record<string, ServedFunction>> {
  const fn = 'serve';
  const { functions } = readOptions(fn, options, ['functions']);
  if (!isPlainObject(functions)) fail('value', fn, `functions must be an object of functions, got ${describe(functions)}`);
  const own = ownProperties<Readonly<Record<string, ServedFunction>>>(functions);
  for (const [name, value] of Object.entries<unknown>(own))
    if (typeof value !== 'function') fail('value', fn, `functions.${name} must be a function, got ${describe(value)}`);
  if (served) fail('value', fn, 'this worker serves already: pass all functions in one call');
  served = true;
  return own;
}
