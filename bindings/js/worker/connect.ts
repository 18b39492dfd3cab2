/** `connect`: starts a worker and has it load its module. The entries give it their platform. */
import { AttentionError, describe, fail, messageOf } from '../errors/errors.ts';
import { readOptions } from '../errors/options.ts';
import { addressOf } from './address.ts';
import type { Channel, ChannelEvents } from './channel.ts';
import { Connection } from './connection.ts';
import { pack, refuse } from './pack.ts';
import { createRemote } from './remote.ts';
import type { RemoteFovea } from './remote_fovea.ts';
import type { ConnectOptions } from './remote_types.ts';

/** The differences between the entries. */
export interface WorkerPlatform {
  /** @param source - where the worker comes from: the caller's own, its address, or by default the package's script */
  start(events: ChannelEvents, source: WorkerSource): Channel;
  /** The meaning of a wasmUrl here: the worker may lie elsewhere. */
  absolute(url: string): string;
  /** The address of a module of the caller's. */
  moduleUrl(url: string): string;
}

/** The caller's worker, or the address of its script; neither for the package's own. */
export type WorkerSource = { readonly worker?: object; readonly url?: string | URL };

/** All options: a name that is missing here does not compile. */
const OPTIONS: Record<keyof ConnectOptions, true> = {
  variant: true,
  deterministic: true,
  threads: true,
  wasmUrl: true,
  wasmBinary: true,
  wasmModule: true,
  sliceTime: true,
  workerUrl: true,
  createWorker: true,
  signal: true,
};

const SLICE_TIME = 30;

export async function connectWith(platform: WorkerPlatform, options?: ConnectOptions): Promise<RemoteFovea> {
  const fn = 'connect';
  const known = readOptions(fn, options, Object.keys(OPTIONS) as (keyof ConnectOptions)[]);
  const { sliceTime = SLICE_TIME, signal, workerUrl, createWorker, ...load } = known;
  if (typeof sliceTime !== 'number' || !(sliceTime >= 0 && sliceTime < Infinity))
    fail('value', fn, `sliceTime must be a number of milliseconds from 0 on, got ${describe(sliceTime)}`);
  if (signal !== undefined && typeof signal?.addEventListener !== 'function')
    fail('value', fn, `signal must be an AbortSignal, got ${describe(signal)}`);
  if (workerUrl !== undefined && addressOf(workerUrl) === undefined)
    fail('value', fn, `workerUrl must be a string or a URL, got ${describe(workerUrl)}`);
  if (createWorker !== undefined && typeof createWorker !== 'function')
    fail('value', fn, `createWorker must be a function, got ${describe(createWorker)}`);
  if (workerUrl !== undefined && createWorker !== undefined)
    fail('option', fn, 'workerUrl and createWorker each say where the worker comes from: pass one of them');
  signal?.throwIfAborted();
  const { wasmUrl } = load;
  const located = wasmUrl === undefined ? load : { ...load, wasmUrl: locate(platform, wasmUrl) };

  const connection = start(platform, workerUrl, createWorker);
  const abort = (): void => connection.end('disposed', 'it has been aborted');
  const named = [['options', located]] as const;
  try {
    const packing = pack(connection, fn, named, false);
    const request = { type: 'open', options: packing.args[0] as ConnectOptions, sliceTime } as const;
    signal?.addEventListener('abort', abort);
    await connection.open(request, packing.transfer).catch((error: unknown) => {
      if (error instanceof DOMException) refuse(fn, named, packing, error);
      throw error;
    });
    return createRemote(connection, (url) => platform.moduleUrl(url));
  } catch (error) {
    connection.end('disposed', 'it could not be opened');
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}

function start(platform: WorkerPlatform, url?: string | URL, createWorker?: () => object): Connection {
  try {
    const worker = createWorker?.();
    if (createWorker !== undefined && typeof (worker as Partial<Worker> | undefined)?.postMessage !== 'function')
      fail('value', 'connect', `createWorker must return a Worker, got ${describe(worker)}`);
    const source = { ...(worker && { worker }), ...(url !== undefined && { url }) };
    return new Connection((events) => platform.start(events, source));
  } catch (error) {
    if (error instanceof AttentionError) throw error;
    return fail(
      'load',
      'connect',
      `the worker could not start: ${messageOf(error)}; workerUrl and createWorker bring another`,
      error,
    );
  }
}

/** A URL cannot be cloned, a relative one means another file in the worker; what is neither is refused there. */
function locate({ absolute }: WorkerPlatform, url: unknown): string {
  const address = addressOf(url);
  return address === undefined ? (url as string) : absolute(address);
}
