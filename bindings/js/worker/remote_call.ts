/** The requests of methods, and the connection that takes them. */
import type { NamedArguments } from '../attention/options/pattern_source.ts';
import type { CallName, Handle, Request, SentValue } from './protocol.ts';
import type { AllCallOptions } from './call_options.ts';

export interface RemoteCall<R> {
  /** The function, as messages name it. */
  readonly name: CallName;
  readonly args: NamedArguments;
  readonly call?: AllCallOptions | undefined;
  readonly receive: (sent: SentValue) => R;
}

/** The connection of a RemoteTensor. */
export interface RemoteConnection {
  readonly ended: boolean;
  /** Throws where no more calls are taken. */
  check(fn: string): void;
  /** Sends a call; the arguments are read, and copied or moved, before this returns. */
  request<R>(call: RemoteCall<R>): Promise<R>;
  /** Sends what has no answer. */
  send(request: Request): void;
  /** A handle is dropped when `owner` has been collected. */
  watch(owner: object, handle: Handle): void;
  unwatch(owner: object): void;
}
