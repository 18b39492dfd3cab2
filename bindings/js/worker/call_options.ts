/** The options of every call to a worker. */
import { describe, fail } from '../errors/errors.ts';
import { isPlainObject, ownProperties } from '../errors/options.ts';
import type { HostSignal } from '../errors/host_types.ts';

/** How far a call has come: `done` of `total`, about its multiply-adds. */
export interface Progress {
  readonly done: number;
  readonly total: number;
}

export interface CallOptions {
  /**
   * Aborting removes the call from the queue or ends it after the slice under way; it rejects with the signal's reason, an
   * AbortError unless another was given. RemoteTensors that it was given live on; an `out` one may hold a part of the result.
   */
  readonly signal?: HostSignal | undefined;
  /** Called between slices and at the end. What it throws ends the call, which rejects with it. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /**
   * Moves the buffers of the typed arrays given in place of copying them: they are empty for the caller afterwards. Shared
   * buffers are copied all the same.
   */
  readonly transfer?: boolean | undefined;
}

export function readCallOptions(fn: string, call: CallOptions | undefined): CallOptions {
  if (call === undefined) return ownProperties({});
  if (!isPlainObject(call)) fail('option', fn, `options must be an object, got ${describe(call)}`);
  const { signal, onProgress, transfer } = ownProperties<CallOptions>(call);
  if (signal !== undefined && typeof signal?.addEventListener !== 'function')
    fail('value', fn, `signal must be an AbortSignal, got ${describe(signal)}`);
  if (onProgress !== undefined && typeof onProgress !== 'function')
    fail('value', fn, `onProgress must be a function, got ${describe(onProgress)}`);
  if (transfer !== undefined && typeof transfer !== 'boolean')
    fail('value', fn, `transfer must be true or false, got ${describe(transfer)}`);
  return ownProperties({ signal, onProgress, transfer });
}

export function reasonOf(signal: HostSignal): unknown {
  return signal.reason ?? new DOMException('This operation was aborted', 'AbortError');
}
