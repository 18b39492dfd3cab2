/** The words after `fovea`, read by Node's own parser. */
import { parseArgs, type ParseArgsConfig } from 'node:util';
import type { LoadOptions } from 'fovea';
import { UsageError, wordsOf } from './failure.ts';

type Options = NonNullable<ParseArgsConfig['options']>;

/** Options of every command. */
const COMMON = {
  help: { type: 'boolean', short: 'h' },
  json: { type: 'boolean' },
  quiet: { type: 'boolean', short: 'q' },
} as const satisfies Options;

/** Options of the commands that compute: those of `load`. */
export const LOADING = {
  threads: { type: 'string' },
  variant: { type: 'string' },
  deterministic: { type: 'boolean' },
} as const satisfies Options;

/** Options that bring the arguments of a mechanism. */
export const ARGUMENTS = {
  input: { type: 'string', short: 'i', multiple: true },
  param: { type: 'string', short: 'p', multiple: true },
  option: { type: 'string', short: 'o', multiple: true },
  from: { type: 'string' },
} as const satisfies Options;

/** The values of a command's options, by name. */
export interface Given {
  readonly values: Readonly<Record<string, unknown>>;
  readonly words: readonly string[];
}

/** @throws UsageError for an option that the command does not have, and for more words than it takes. */
export function readCommandLine(args: readonly string[], options: Options, mostWords: number): Given {
  let parsed;
  try {
    parsed = parseArgs({ args: [...args], options: { ...COMMON, ...options }, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError(wordsOf(error).replace(/\. To specify a positional.*$/, ''));
  }
  const { values, positionals } = parsed;
  const extra = positionals[mostWords];
  if (extra !== undefined) throw new UsageError(`'${extra}' is one word too many`);
  return { values, words: positionals };
}

export function textOf({ values }: Given, name: string): string | undefined {
  return values[name] as string | undefined;
}

export function listOf({ values }: Given, name: string): readonly string[] {
  return (values[name] as string[] | undefined) ?? [];
}

export function isSet({ values }: Given, name: string): boolean {
  return values[name] === true;
}

/** A whole number from 1 on. */
export function countOf(given: Given, name: string, byDefault: number): number {
  const text = textOf(given, name);
  if (text === undefined) return byDefault;
  const count = Number(text);
  if (!Number.isSafeInteger(count) || count < 1)
    throw new UsageError(`--${name} must be a whole number from 1 on, got '${text}'`);
  return count;
}

/** The options of `load`; `load` itself checks which go together. */
export function loadOptionsOf(given: Given): LoadOptions {
  const threads = textOf(given, 'threads');
  const variant = textOf(given, 'variant');
  return {
    ...(threads === undefined ? {} : { threads: threads === 'auto' ? 'auto' : countOf(given, 'threads', 1) }),
    ...(variant === undefined ? {} : { variant: variant as NonNullable<LoadOptions['variant']> }),
    ...(isSet(given, 'deterministic') ? { deterministic: true } : {}),
  };
}

/** `NAME=REST`, or the rest alone. A drive of Windows, `C:\x.npy`, has no equals sign before its colon. */
export function splitNamed(text: string): { readonly name: string | undefined; readonly rest: string } {
  const found = /^(?<name>[\w.]+)=(?<rest>[^]*)$/.exec(text)?.groups;
  return found === undefined ? { name: undefined, rest: text } : { name: found['name'], rest: found['rest'] ?? '' };
}
