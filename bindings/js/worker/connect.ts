/** `connect`: starts a worker, or takes the caller's own, and has it load its module. The entries give it their platform. */
import { AttentionError, describe, fail, messageOf } from '../errors/errors.ts';
import { checkBoolean, ownProperty, readOptions } from '../errors/options.ts';
import { addressOf } from './address.ts';
import type { Channel, ChannelEvents } from './channel.ts';
import { Connection } from './connection.ts';
import { pack, refuse } from './pack.ts';
import { createRemote } from './remote.ts';
import type { RemoteFovea } from './remote_fovea.ts';
import type { LoadOptions } from '../runtime/instance_types.ts';
import type { ConnectOptions } from './remote_types.ts';
import { TRAINING_NEEDS_WORKER } from './start.ts';

/** The differences between the entries. */
export interface WorkerPlatform {
  /** @param worker - the caller's own; by default one that runs the package's script */
  start(events: ChannelEvents, worker: ConnectOptions['worker']): Channel;
  /** Whether it is a worker of the kind that `start` takes. */
  isWorker(value: unknown): value is { terminate(): unknown };
  /** The kind, for messages. */
  readonly workerKind: string;
  /** The meaning of a wasmUrl here: the worker may lie elsewhere. */
  absolute(url: string): string;
}

/** All options: a name that is missing here does not compile. */
const OPTIONS: Record<keyof ConnectOptions, true> = {
  variant: true,
  deterministic: true,
  threads: true,
  wasmUrl: true,
  wasmBinary: true,
  wasmModule: true,
  training: true,
  sliceTime: true,
  worker: true,
  timeout: true,
  signal: true,
};

const SLICE_TIME = 30;
const TIMEOUT = 30_000;

/** The workers that connections have been given. */
const taken = new WeakSet<object>();

export async function connectWith(platform: WorkerPlatform, options?: ConnectOptions): Promise<RemoteFovea> {
  const worker = ownProperty(options, 'worker');
  if (!platform.isWorker(worker)) return open(platform, options);
  if (taken.has(worker)) fail('value', 'connect', 'worker has a connection already');
  taken.add(worker);
  try {
    return await open(platform, options);
  } catch (error) {
    // Nobody else would end it.
    worker.terminate();
    throw error;
  }
}

async function open(platform: WorkerPlatform, options?: ConnectOptions): Promise<RemoteFovea> {
  const fn = 'connect';
  const known = readOptions(fn, options, Object.keys(OPTIONS) as (keyof ConnectOptions)[]);
  const { training = false, sliceTime = SLICE_TIME, timeout = TIMEOUT, signal, worker, ...load } = known;
  checkBoolean(fn, 'training', training);
  for (const [name, given] of Object.entries({ sliceTime, timeout }))
    if (typeof given !== 'number' || !(given >= 0 && given < Infinity))
      fail('value', fn, `${name} must be a number of milliseconds from 0 on, got ${describe(given)}`);
  if (signal !== undefined && typeof signal?.addEventListener !== 'function')
    fail('value', fn, `signal must be an AbortSignal, got ${describe(signal)}`);
  if (worker !== undefined && !platform.isWorker(worker))
    fail('value', fn, `worker must be ${platform.workerKind}, got ${describe(worker)}`);
  if (training && worker === undefined) fail('option', fn, TRAINING_NEEDS_WORKER);
  signal?.throwIfAborted();
  const { wasmUrl } = load;
  const located = wasmUrl === undefined ? load : { ...load, wasmUrl: locate(platform, wasmUrl) };

  const connection = start(platform, worker);
  const abort = (): void => connection.end('disposed', 'it has been aborted');
  const named = [['options', located]] as const;
  try {
    const packing = pack(connection, fn, named, false);
    const request = { type: 'open', options: packing.args[0] as LoadOptions, training, sliceTime } as const;
    signal?.addEventListener('abort', abort);
    await connection.open(request, timeout).catch((error: unknown) => {
      if (error instanceof DOMException) refuse(fn, named, packing, error);
      throw error;
    });
    return createRemote(connection);
  } catch (error) {
    connection.end('disposed', 'it could not be opened');
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}

function start(platform: WorkerPlatform, worker: ConnectOptions['worker']): Connection {
  try {
    return new Connection((events) => platform.start(events, worker));
  } catch (error) {
    if (error instanceof AttentionError) throw error;
    return fail('load', 'connect', `the worker could not start: ${messageOf(error)}; the option worker brings another`, error);
  }
}

/** A URL cannot be cloned, a relative one means another file in the worker; what is neither is refused there. */
function locate({ absolute }: WorkerPlatform, url: unknown): string {
  const address = addressOf(url);
  return address === undefined ? (url as string) : absolute(address);
}
