/** The options of `load`: every rule on its options that does not depend on the engine. */
import { describe, fail } from '../errors/errors.ts';
import { checkBoolean, checkChoice, checkInteger, readOptions } from '../errors/options.ts';
import { tagOf } from '../errors/objects.ts';
import type { LoadOptions, Variant } from '../runtime/instance_types.ts';

const VARIANTS = ['simd128', 'relaxed', 'simd128-threads', 'relaxed-threads'] as const satisfies readonly Variant[];
const SOURCES = ['wasmUrl', 'wasmBinary', 'wasmModule'] as const;
const CHOICES = ['variant', 'deterministic', 'threads'] as const;

/** @param takesSources - whether the entry takes modules from elsewhere */
export function readLoadOptions(options: LoadOptions | undefined, takesSources: boolean): LoadOptions {
  const known = readOptions('load', options, takesSources ? [...CHOICES, ...SOURCES] : CHOICES);
  checkChoices(known);
  const given = SOURCES.filter((name) => known[name] !== undefined);
  if (given.length > 1) fail('option', 'load', `${given.join(' and ')} each say where the module comes from: pass one of them`);
  checkSources(known);
  return known;
}

function checkChoices({ variant, deterministic, threads }: LoadOptions): void {
  checkChoice('load', 'variant', variant, VARIANTS);
  checkBoolean('load', 'deterministic', deterministic);
  if (threads !== undefined && threads !== 'auto') {
    if (typeof threads === 'string') fail('option', 'load', `threads must be a number or 'auto', got ${describe(threads)}`);
    checkInteger('load', 'threads', threads, 1, Infinity);
  }
  if (deterministic && variant?.startsWith('relaxed'))
    fail('option', 'load', `deterministic means the variant 'simd128', got variant '${variant}'`);
  if (variant !== undefined && !variant.endsWith('-threads') && threads !== undefined && threads !== 1) {
    const got = `got threads ${describe(threads)}`;
    fail(
      'option',
      'load',
      `the variant '${variant}' has one thread, ${got}; pin '${variant}-threads', or leave one of them out`,
    );
  }
}

function checkSources({ wasmUrl, wasmBinary, wasmModule }: LoadOptions): void {
  if (wasmUrl !== undefined && typeof wasmUrl !== 'string' && tagOf(wasmUrl) !== 'URL') {
    fail('value', 'load', `wasmUrl must be a string or a URL, got ${describe(wasmUrl)}`);
  }
  if (wasmBinary !== undefined && !ArrayBuffer.isView(wasmBinary) && !/^(Shared)?ArrayBuffer$/.test(tagOf(wasmBinary))) {
    fail('value', 'load', `wasmBinary must be an ArrayBuffer or a view of one, got ${describe(wasmBinary)}`);
  }
  if (wasmModule !== undefined && tagOf(wasmModule) !== 'WebAssembly.Module') {
    fail('value', 'load', `wasmModule must be a WebAssembly.Module, got ${describe(wasmModule)}`);
  }
}
