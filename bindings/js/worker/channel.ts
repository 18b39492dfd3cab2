/** A worker as the calling side sees it, on whichever platform. */
import type { Reply, Request } from './protocol.ts';

export interface Channel {
  post(message: Request, transfer: readonly Transferable[]): void;
  /** Whether the process has to wait for it; means nothing in a page. */
  hold(held: boolean): void;
  terminate(): void;
}

/** The events of a worker besides its replies. */
export interface ChannelEvents {
  reply(reply: Reply): void;
  /** It could not start, has crashed, or cannot be understood. */
  broken(why: string, cause: unknown): void;
}
