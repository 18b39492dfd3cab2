/** The results of functions that `serve` was given, and what they post. */
import { fail } from '../errors/errors.ts';
import { isList } from '../errors/options.ts';
import { isKind } from '../runtime/internals.ts';
import { reachable } from '../tensor/reachable.ts';
import { isTensor } from '../tensor/tensor.ts';
import { typedArrayKind } from '../tensor/typed_arrays.ts';
import type { Handles } from './handles.ts';
import { isRecord, type Handle, type SentValue } from './protocol.ts';

/**
 * A value as it is sent: Tensors in lists and in plain objects as handles, typed arrays copied, as the function may keep
 * them. Structured cloning copies or refuses everything else. Where it fails, the handles are dropped.
 *
 * @param what - 'the result' or 'the message', for errors
 */
export function sendableResult(
  fn: string,
  what: string,
  value: unknown,
  handles: Handles,
): SentValue & { readonly transfer: readonly Transferable[] } {
  const tensors = new Map<object, { handle: Handle; shape: readonly number[] }>();
  const transfer: ArrayBuffer[] = [];
  const converted = new Map<object, unknown>();
  const refuse = (why: string): never => fail('value', fn, `${what} cannot be sent: it holds ${why}`);
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
      if (isKind(entry, kind)) refuse(`an object of the worker's own (${kind})`);
    if (typedArrayKind(entry) !== undefined) {
      const copy = keep((entry as Uint8Array).slice());
      transfer.push(copy.buffer as ArrayBuffer);
      return copy;
    }
    if (isList(entry)) {
      const list: unknown[] = keep([]);
      for (const inner of entry) list.push(convert(inner));
      return list;
    }
    if (!isRecord(entry)) {
      // Cloned, a Tensor would arrive as an empty object.
      if (reachable(entry, isTensor).size > 0) refuse('a Tensor where no plain object or list has it');
      return entry;
    }
    const record: Record<string, unknown> = keep({});
    for (const [key, inner] of Object.entries(entry))
      Object.defineProperty(record, key, { value: convert(inner), enumerable: true, configurable: true, writable: true });
    return record;
  };
  try {
    return { value: convert(value), tensors, transfer };
  } catch (error) {
    for (const { handle } of tensors.values()) handles.drop(handle);
    throw error;
  }
}
