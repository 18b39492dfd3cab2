/** `run`: a function of the caller's own, called in the worker with its instance. */
import { describe, fail, messageOf } from '../errors/errors.ts';
import { isList } from '../errors/options.ts';
import type { Fovea } from '../fovea/fovea.ts';
import type { Heap } from '../runtime/heap.ts';
import { isKind } from '../runtime/internals.ts';
import { isTensor } from '../tensor/tensor.ts';
import { typedArrayKind } from '../tensor/typed_arrays.ts';
import type { Handles } from './handles.ts';
import { isRecord, type Handle, type SentValue } from './protocol.ts';

export interface ModulePlatform {
  importModule(url: string): Promise<{ readonly default?: unknown }>;
}

/** Calls the default export of the module at the first argument, a URL, with the others. */
export async function callModule(platform: ModulePlatform, fovea: Fovea, args: readonly unknown[]): Promise<unknown> {
  const fn = 'run';
  const [url, ...others] = args as [string, ...unknown[]];
  const module = await platform
    .importModule(url)
    .catch((error: unknown) => fail('load', fn, `the module ${url} cannot be loaded: ${messageOf(error)}`, error));
  const { default: call } = module;
  if (typeof call !== 'function') fail('value', fn, `the default export of ${url} must be a function, got ${describe(call)}`);
  return call(fovea, ...others) as unknown;
}

/**
 * The result of a function of `run`, as it is sent: Tensors in lists and in plain objects as handles, typed arrays
 * moved, or copied where they share their buffer. What else there is, structured cloning copies or refuses.
 */
export function sendableResult(
  value: unknown,
  handles: Handles,
  heap: Heap,
): SentValue & { readonly transfer: readonly Transferable[] } {
  const tensors = new Map<object, { handle: Handle; shape: readonly number[] }>();
  const transfer = new Set<ArrayBuffer>();
  const converted = new Map<object, unknown>();
  const convert = (entry: unknown): unknown => {
    if (typeof entry !== 'object' || entry === null) return entry;
    if (converted.has(entry)) return converted.get(entry);
    const keep = <T>(made: T): T => (converted.set(entry, made), made);
    if (isTensor(entry)) {
      const place = keep({});
      tensors.set(place, { handle: handles.add(entry), shape: entry.shape });
      return place;
    }
    for (const kind of ['instance', 'pattern', 'score', 'bias', 'cache'] as const)
      if (isKind(entry, kind))
        fail('value', 'run', `the result cannot be sent: it holds an object of the worker's own (${kind})`);
    if (typedArrayKind(entry) !== undefined) {
      const array = keep(hasOwnBuffer(entry as Uint8Array, heap) ? (entry as Uint8Array) : (entry as Uint8Array).slice());
      transfer.add(array.buffer as ArrayBuffer);
      return array;
    }
    if (isList(entry)) {
      const list: unknown[] = keep([]);
      for (const inner of entry) list.push(convert(inner));
      return list;
    }
    if (!isRecord(entry)) return entry;
    const record: Record<string, unknown> = keep({});
    for (const [key, inner] of Object.entries(entry)) record[key] = convert(inner);
    return record;
  };
  return { value: convert(value), tensors, transfer: [...transfer] };
}

/** Whether the array may be moved away: nothing else lies in its buffer, which is not wasm memory. */
function hasOwnBuffer({ buffer, byteLength }: Uint8Array, heap: Heap): boolean {
  const isPlain = Object.prototype.toString.call(buffer) === '[object ArrayBuffer]';
  return isPlain && byteLength === buffer.byteLength && !heap.owns(buffer);
}
