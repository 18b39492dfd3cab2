/** A worker as the calling side sees it, on whichever platform. */
import type { Request } from './protocol.ts';

export interface Channel {
  post(message: Request, transfer: readonly Transferable[]): void;
  /** Whether the process has to wait for it; means nothing in a page. */
  hold(held: boolean): void;
  terminate(): void;
}

/** The events of a worker besides its replies. */
export interface ChannelEvents {
  /** Any message: a worker of the caller's may post some of its own. */
  reply(message: unknown): void;
  /** It could not start, has crashed, or cannot be understood. */
  broken(why: string, cause: unknown): void;
}
