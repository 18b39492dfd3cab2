/** `functions` of a connection: those that the worker serves, by their names. */
import { emptyRecord, readOptions, unknownName } from '../errors/options.ts';
import type { ServedName } from './protocol.ts';
import type { FunctionOptions } from './served_types.ts';
import { MUST_SERVE } from './start.ts';

const OPTIONS: readonly (keyof FunctionOptions)[] = ['signal', 'onPost', 'transfer'];

type Ask = (name: ServedName, input: unknown, options: FunctionOptions) => Promise<unknown>;

/**
 * @param ask - calls one of `names`
 * @returns an object of functions; any other name gives one that rejects with an `option` error
 */
export function remoteFunctions(names: readonly string[], ask: Ask): object {
  const functionOf =
    (name: string) =>
    async (input: unknown, options?: FunctionOptions): Promise<unknown> => {
      const fn = `functions.${name}` as const;
      const known = names.length > 0 ? `this worker serves ${names.join(', ')}` : MUST_SERVE;
      if (!names.includes(name)) unknownName(fn, 'function', name, names, () => known);
      return ask(fn, input, readOptions(fn, options, OPTIONS));
    };
  const functions = emptyRecord<unknown>();
  for (const name of names) functions[name] = functionOf(name);
  return new Proxy(Object.freeze(functions), {
    // Consoles, test runners and `await` ask any object for these.
    get: (target, name) =>
      typeof name === 'symbol' || name in target || name === 'then' || name === 'toJSON' || name in Object.prototype
        ? target[name as string]
        : functionOf(name),
  });
}
