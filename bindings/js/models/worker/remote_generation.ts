/** A generation that runs in the worker of a connection, token by token as they are posted. */
import { fail } from '../../errors/errors.ts';
import type { HostSignal } from '../../errors/host_types.ts';
import { isPlainObject } from '../../errors/options.ts';
import type { RemoteFunctions } from '../../worker/served_types.ts';
import type { Tokens } from '../decoder/generation.ts';
import type { GeneratedToken, GenerateOptions, Prompt } from '../types/index.ts';
import type { Ended, ModelMessage } from './requests.ts';
import type { ModelFunctions } from './served_models.ts';

/** Makes a request of the worker. */
export type Ask = RemoteFunctions<ModelFunctions>['foveaModels'];

/** Options without the signal, which goes with the request. */
export function splitSignal<O extends { readonly signal?: HostSignal | undefined }>(
  options: O | undefined,
): readonly [rest: Omit<O, 'signal'>, signal: HostSignal | undefined] {
  if (!isPlainObject(options)) return [(options ?? {}) as Omit<O, 'signal'>, undefined];
  const { signal, ...rest } = options as O;
  return [rest, signal];
}

/** Tokens as they are posted. The worker goes on meanwhile; leaving the loop aborts it. */
export async function* generateThere(
  ask: Ask,
  model: number | Promise<number>,
  prompt: Prompt,
  options: GenerateOptions | undefined,
  { onLength, note }: { readonly onLength: (length: number) => void; readonly note: (promptTokens: number) => void },
): Tokens {
  const [rest, signal] = splitSignal(options);
  for (const [name, value] of Object.entries(rest))
    if (typeof value === 'function') fail('option', 'Decoder.generate', `${name} cannot be sent to a worker; generate there`);
  const left = new AbortController();
  const abort = (): void => left.abort(signal?.reason);
  signal?.throwIfAborted();
  signal?.addEventListener('abort', abort);
  const queue: GeneratedToken[] = [];
  let wake = (): void => {};
  let ended: Ended | undefined;
  let failure: { readonly error: unknown } | undefined;
  const onPost = (message: ModelMessage): void => {
    if (!('token' in message)) return;
    queue.push(message.token);
    onLength(message.length);
    note(message.promptTokens);
    wake();
  };
  ask({ type: 'generate', model: await model, prompt, options: rest }, { signal: left.signal, onPost })
    .then((answer) => (ended = answer as Ended))
    .catch((error: unknown) => (failure = { error }))
    .finally(() => wake());
  try {
    for (;;) {
      const token = queue.shift();
      if (token !== undefined) yield token;
      else if (failure !== undefined) throw failure.error;
      else if (ended !== undefined) return ended.end;
      else await new Promise<void>((done) => (wake = done));
    }
  } finally {
    signal?.removeEventListener('abort', abort);
    left.abort();
  }
}
