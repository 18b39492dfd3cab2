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

/** The options of every call, served functions included. */
export interface AllCallOptions extends CallOptions {
  readonly onPost?: ((message: never) => void) | undefined;
}

export function readCallOptions(fn: string, call: AllCallOptions | undefined): AllCallOptions {
  if (call === undefined) return ownProperties({});
  if (!isPlainObject(call)) fail('option', fn, `options must be an object, got ${describe(call)}`);
  const { signal, onProgress, onPost, transfer } = ownProperties<AllCallOptions>(call);
  if (signal !== undefined && typeof signal?.addEventListener !== 'function')
    fail('value', fn, `signal must be an AbortSignal, got ${describe(signal)}`);
  for (const [name, given] of Object.entries({ onProgress, onPost }))
    if (given !== undefined && typeof given !== 'function')
      fail('value', fn, `${name} must be a function, got ${describe(given)}`);
  if (transfer !== undefined && typeof transfer !== 'boolean')
    fail('value', fn, `transfer must be true or false, got ${describe(transfer)}`);
  return ownProperties({ signal, onProgress, onPost, transfer });
}

export function reasonOf(signal: HostSignal): unknown {
  return signal.reason ?? new DOMException('This operation was aborted', 'AbortError');
}
