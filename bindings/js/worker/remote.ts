/** The methods of a RemoteFovea: each sends its arguments, and hands over what comes back. */
import { describe, fail } from '../errors/errors.ts';
import { readProperty } from '../errors/objects.ts';
import { isFunction, isList, isPlainObject, ownProperties, ownProperty, readEntries } from '../errors/options.ts';
import type { Connection } from './connection.ts';
import type { RemoteCall } from './remote_call.ts';
import type { NamedArguments } from '../attention/options/pattern_source.ts';
import { isRecord, type CallName, type SentValue } from './protocol.ts';
import type { RemoteFovea } from './remote_fovea.ts';
import { outside, RemoteScope } from './remote_scope.ts';
import { isRemoteTensor, receiveTensor, type Home } from './remote_tensor.ts';
import type { AllCallOptions, CallOptions } from './call_options.ts';
import { remoteFunctions } from './remote_functions.ts';

/** The methods of a connection whose RemoteTensors belong to `home`. */
export function createRemote(connection: Connection, home: Home = outside): RemoteFovea {
  /** Async throughout, so that nothing is thrown; the arguments are packed before it returns all the same. */
  const ask = async <R>(
    name: CallName,
    args: NamedArguments,
    call: AllCallOptions | undefined,
    receive: RemoteCall<R>['receive'],
  ): Promise<R> => home.during(() => connection.request({ name, args, call, receive }));

  /** `options` hold those of the call beside the function's own. */
  const withOptions = (name: CallName, args: NamedArguments, options: unknown) => {
    const [own, call] = splitOptions(options);
    return ask(name, [...args, ['options', own]], call, (sent) => receiveResult(connection, home, sent, targetsOf(own)));
  };

  const remote = {
    get info() {
      return connection.info!;
    },
    attention: (q, k, v, options) =>
      withOptions(
        'attention',
        [
          ['q', q],
          ['k', k],
          ['v', v],
        ],
        options,
      ),
    scaledDotProductAttention: (q, k, v, options) =>
      withOptions(
        'scaledDotProductAttention',
        [
          ['q', q],
          ['k', k],
          ['v', v],
        ],
        options,
      ),
    selfAttention: (X, params, options) =>
      withOptions(
        'selfAttention',
        [
          ['X', X],
          ['params', params],
        ],
        options,
      ),
    multiHeadAttention: (query, key, value, params, options) =>
      withOptions(
        'multiHeadAttention',
        [
          ['query', query],
          ['key', key],
          ['value', value],
          ['params', params],
        ],
        options,
      ),
    combine: (parts, options) => withOptions('combine', [['parts', partsOf(parts)]], options),
    functions: remoteFunctions(connection.functions, (name, input, call) =>
      ask(name, [['input', input]], call, (sent) => receiveAll(connection, home, sent, sent.value)),
    ),
    tensor: (x, call) => ask('tensor', [['x', x]], call, (sent) => receiveTensor(connection, home, sent, sent.value)),
    scope: (fn) => scope(connection, home, fn),
    memory: async () => (connection.ended ? { live: 0, total: 0 } : ask('memory', [], undefined, ({ value }) => value)),
    dispose: () => connection.dispose(),
    terminate: () => connection.end('disposed', 'this connection has been terminated; make a new one with connect()'),
  } as Untyped<RemoteFovea>;
  return Object.freeze(remote) as RemoteFovea;
}

async function scope(connection: Connection, outer: Home, body: (scoped: RemoteFovea) => unknown): Promise<unknown> {
  connection.check('scope');
  if (!isFunction(body)) fail('value', 'scope', `fn must be a function, got ${describe(body)}`);
  const home = new RemoteScope(outer);
  let result: unknown;
  try {
    result = await body(createRemote(connection, home));
    return result;
  } finally {
    await home.end(result);
  }
}

/** The function's own options, and those of the call. What is no object is left for the function to refuse. */
function splitOptions(options: unknown): [own: unknown, call: CallOptions | undefined] {
  if (!isPlainObject(options)) return [options, undefined];
  const { signal, onProgress, transfer, ...own } = ownProperties(options);
  return [own, { signal, onProgress, transfer } as CallOptions];
}

/** The properties that combine reads of its parts: weights or a trace beside it would be copied for nothing. */
function partsOf(parts: unknown): unknown {
  if (!isList(parts)) return parts;
  return readEntries('combine', 'parts', parts, (part) =>
    isPlainObject(part) ? { output: readProperty(part, 'output'), lse: readProperty(part, 'lse') } : part,
  );
}

/** The targets that `out` names, as the caller gave them. */
function targetsOf(options: unknown): Record<string, unknown> {
  const out = ownProperty(options, 'out');
  return ownProperties(isPlainObject(out) ? out : {});
}

/** The result of a served function: lists and plain objects, with RemoteTensors where the message has places. */
function receiveAll(connection: Connection, home: Home, sent: SentValue, value: unknown): unknown {
  if (sent.tensors.size === 0 || typeof value !== 'object' || value === null) return value;
  if (sent.tensors.has(value)) return receiveTensor(connection, home, sent, value);
  if (Array.isArray(value)) return value.map((entry) => receiveAll(connection, home, sent, entry));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, receiveAll(connection, home, sent, entry)]));
}

function receiveArray(connection: Connection, home: Home, sent: SentValue, value: unknown): unknown {
  return typeof value === 'object' && value !== null && sent.tensors.has(value)
    ? receiveTensor(connection, home, sent, value)
    : value;
}

/** The arrays of an AttentionResult; those of `out` are the caller's own again. */
function receiveResult(connection: Connection, home: Home, sent: SentValue, targets: Record<string, unknown>): unknown {
  const entries = Object.entries(sent.value as Record<string, { data: Float32Array } | null>);
  return Object.fromEntries(
    entries.map(([name, value]) => {
      const target = targets[name];
      if (target === undefined) return [name, receiveArray(connection, home, sent, value)];
      if (!isRemoteTensor(target)) (target as { data: Float32Array }).data.set(value!.data);
      return [name, target];
    }),
  );
}

/** The methods with results that do not depend on the type of the first argument: all that the code can promise the compiler. */
type Untyped<T> = {
  [Name in keyof T]: T[Name] extends (...args: infer Args) => unknown ? (...args: Args) => Promise<unknown> | void : T[Name];
};
