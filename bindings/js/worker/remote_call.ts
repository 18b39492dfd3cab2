/** A method's request to its worker. */
import { describe, fail } from '../errors/errors.ts';
import { isPlainObject } from '../errors/options.ts';
import type { NamedArguments } from '../attention/sources.ts';
import type { CallName, SentValue } from './protocol.ts';
import type { CallOptions } from './remote_types.ts';

export interface RemoteCall<R> {
  /** The function, as messages name it. */
  readonly name: CallName;
  readonly args: NamedArguments;
  readonly call?: CallOptions | undefined;
  readonly receive: (sent: SentValue) => R;
}

export function readCallOptions(fn: string, call: CallOptions | undefined): CallOptions {
  if (call === undefined) return {};
  if (!isPlainObject(call)) fail('option', fn, `options must be an object, got ${describe(call)}`);
  const { signal, onProgress, transfer } = call as CallOptions;
  if (signal !== undefined && typeof signal?.addEventListener !== 'function')
    fail('value', fn, `signal must be an AbortSignal, got ${describe(signal)}`);
  if (onProgress !== undefined && typeof onProgress !== 'function')
    fail('value', fn, `onProgress must be a function, got ${describe(onProgress)}`);
  if (transfer !== undefined && typeof transfer !== 'boolean')
    fail('value', fn, `transfer must be true or false, got ${describe(transfer)}`);
  return { signal, onProgress, transfer };
}

export function reasonOf(signal: AbortSignal): unknown {
  return signal.reason ?? new DOMException('This operation was aborted', 'AbortError');
}
