/** The worker's side of packing: handles exchanged for Tensors, and Tensors for handles. */
import { fail } from '../errors/errors.ts';
import { bias, normalizer, score } from '../score/index.ts';
import { isTensor } from '../tensor/tensor.ts';
import type { Handles } from './handles.ts';
import { receivedPattern } from './received_pattern.ts';
import { holdsObjects, type CallName, type Handle, type Packed, type SentBuilder, type SentValue } from './protocol.ts';

/** The arguments, with Tensors and fresh `out` arrays where the message has empty objects. */
export function unpack(
  { name, args, tensors, targets, patterns, builders }: Packed & { readonly name: CallName },
  handles: Handles,
): readonly unknown[] {
  const seen = new Set<object>();
  const resolve = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    const handle = tensors.get(value);
    if (handle !== undefined) return handles.get(handle) ?? fail('disposed', name, 'a RemoteTensor has been disposed');
    const length = targets.get(value);
    if (length !== undefined) return new Float32Array(length);
    const program = patterns.get(value);
    if (program !== undefined) return receivedPattern(program);
    const builder = builders.get(value);
    if (builder !== undefined) return builtAnew(builder, resolve);
    const isList = Array.isArray(value);
    if (ArrayBuffer.isView(value) || (isList && !holdsObjects(value)) || seen.has(value)) return value;
    seen.add(value);
    const entries = value as Record<string, unknown>;
    for (const key of Object.keys(entries)) entries[key] = resolve(entries[key]);
    return value;
  };
  return args.map(resolve);
}

const BUILDERS = { score, bias, normalizer };

/** Calls the builder with its arguments. */
function builtAnew({ type, kind, args }: SentBuilder, resolve: (value: unknown) => unknown): unknown {
  const builders = BUILDERS[type] as unknown as Record<string, (...args: unknown[]) => unknown>;
  return builders[kind]!(...args.map(resolve));
}

/** A result as it is sent: arrays moved, Tensors as handles. */
export function sendable(value: unknown, handles: Handles): SentValue & { readonly transfer: readonly Transferable[] } {
  const tensors = new Map<object, { handle: Handle; shape: readonly number[] }>();
  const transfer = new Set<ArrayBuffer>();
  const convert = (entry: unknown): unknown => {
    if (typeof entry !== 'object' || entry === null) return entry;
    if (isTensor(entry)) {
      if (handles.knows(entry)) return null;
      const place = {};
      tensors.set(place, { handle: handles.add(entry), shape: entry.shape });
      return place;
    }
    if (ArrayBuffer.isView(entry)) {
      transfer.add(entry.buffer as ArrayBuffer);
      return entry;
    }
    if (Array.isArray(entry)) return entry.map(convert);
    return Object.fromEntries(Object.entries(entry).map(([key, inner]) => [key, convert(inner)]));
  };
  return { value: convert(value), tensors, transfer: [...transfer] };
}
