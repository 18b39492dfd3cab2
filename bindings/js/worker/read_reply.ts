/**
 * The replies of a worker as the calling side reads them. A worker of the caller's may post messages of its own: those are passed over,
 * and a reply that cannot be read fails what it answers.
 */
import { isList, isPlainObject } from '../errors/options.ts';
import { isMap } from '../tensor/collections.ts';
import type { Reply, SentError } from './protocol.ts';

/** Null for what is no reply; one whose id is that of no call is passed over later. */
export function readReply(message: unknown): Reply | null {
  if (!isPlainObject(message)) return null;
  const { type, error } = message;
  const reply = message as Reply;
  if (type === 'ready')
    return isPlainObject(message['info']) && isList(message['functions']) ? reply : { type: 'dead', error: UNREADABLE };
  if (type === 'done') return isMap(message['tensors']) ? reply : ({ ...reply, type: 'failed', error: UNREADABLE } as Reply);
  if (type === 'failed' || type === 'dead') return isError(error) ? reply : ({ ...reply, error: UNREADABLE } as Reply);
  const isPost = type === 'post' && isMap(message['tensors']);
  return isPost || type === 'aborted' || type === 'alive' ? reply : null;
}

function isError(error: unknown): boolean {
  const { code, name, message } = isPlainObject(error) ? error : {};
  return (code === null || typeof code === 'string') && typeof name === 'string' && typeof message === 'string';
}

const UNREADABLE: SentError = {
  code: 'internal',
  name: 'AttentionError',
  message: 'worker: its answer cannot be read: the option worker must bring one of this version of fovea',
  cause: undefined,
};
