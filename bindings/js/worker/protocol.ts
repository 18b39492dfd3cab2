/**
 * The messages between a page and its worker. Both are of one build, so the messages carry no version.
 *
 * A message names Tensors by handles. Where one stands in the arguments or the result, there is an empty object, and the
 * message's `tensors` says which handle it means: structured cloning keeps the identity of objects within a message, and
 * nothing that a caller passes can look like a handle.
 */
import type { ErrorCode } from '../errors/errors.ts';
import { isList } from '../errors/options.ts';
import { MAX_RANK } from '../tensor/shapes.ts';
import type { Program } from '../attention/options/pattern_source.ts';
import type { FoveaInfo, LoadOptions } from '../runtime/instance_types.ts';

export type CallName =
  | 'attention'
  | 'scaledDotProductAttention'
  | 'selfAttention'
  | 'multiHeadAttention'
  | 'combine'
  | 'tensor'
  | 'tensor.toArray'
  | 'tensor.set'
  | 'tensor.reshape'
  | 'tensor.slice'
  | 'tensor.clone'
  | 'memory'
  | 'dispose'
  | ServedName;

/** A function that `serve` was given, as messages name it. */
export type ServedName = `functions.${string}`;

/** Numbers a Tensor of the worker; never used twice. */
export type Handle = number;

/** A builder of fovea/score with its arguments: the worker makes the object anew. */
export interface SentBuilder {
  readonly type: 'score' | 'bias' | 'normalizer';
  readonly kind: string;
  readonly args: readonly unknown[];
}

/** Arguments as they are sent: Tensors, `out` arrays, Patterns, Scores, Biases and normalizers stand in them as empty objects. */
export interface Packed {
  readonly args: readonly unknown[];
  readonly tensors: ReadonlyMap<object, Handle>;
  /** Arrays of `out` that the caller keeps: the worker writes to some of this length. */
  readonly targets: ReadonlyMap<object, number>;
  readonly patterns: ReadonlyMap<object, Program>;
  readonly builders: ReadonlyMap<object, SentBuilder>;
}

export type Request =
  | { readonly type: 'open'; readonly options: LoadOptions; readonly training: boolean; readonly sliceTime: number }
  /** `listens`: whether the caller wants to hear of progress, or of what a function posts. */
  | ({ readonly type: 'call'; readonly id: number; readonly name: CallName; readonly listens: boolean } & Packed)
  | { readonly type: 'abort'; readonly id: number }
  /** Frees the memory behind a handle, and with it every view of it. */
  | { readonly type: 'free'; readonly handle: Handle }
  /** Forgets a handle; its memory goes with the last handle that reaches it. */
  | { readonly type: 'drop'; readonly handle: Handle };

export interface SentError {
  /** null = an error of the caller's own function, which is none of fovea's. */
  readonly code: ErrorCode | null;
  readonly name: string;
  readonly message: string;
  /** The message of its cause, if it has one. */
  readonly cause: string | undefined;
  /** Where in the worker the caller's own function threw it. */
  readonly stack?: string | undefined;
}

/** A result: null stands for a Tensor that the caller gave as an `out` target. */
export interface SentValue {
  readonly value: unknown;
  readonly tensors: ReadonlyMap<object, { readonly handle: Handle; readonly shape: readonly number[] }>;
}

export type Reply =
  /** The script runs. `opening`: it has the request to open; one that came while no one listened has to be sent again. */
  | { readonly type: 'alive'; readonly opening: boolean }
  | { readonly type: 'ready'; readonly info: FoveaInfo; readonly functions: readonly string[] }
  /** The progress of a call, or what a served function posts. */
  | ({ readonly type: 'post'; readonly id: number } & SentValue)
  | ({ readonly type: 'done'; readonly id: number } & SentValue)
  | { readonly type: 'failed'; readonly id: number; readonly error: SentError }
  | { readonly type: 'aborted'; readonly id: number }
  /** Nothing can be computed any more, or, before 'ready', ever. */
  | { readonly type: 'dead'; readonly error: SentError };

/**
 * Whether a list holds objects, such as biases: those are looked into, lists of numbers are not. So is what is nested deeper than the
 * axes of any array. What stands behind a hole is not looked at: the hole is refused where it is read.
 */
export function holdsObjects(list: readonly unknown[], depth = 1): boolean {
  const { length } = list;
  for (let n = 0; n < length; n++) {
    const entry = list[n];
    if (entry === undefined && !(n in list)) return false;
    if (typeof entry !== 'object' || entry === null) continue;
    if (!isList(entry) || depth === MAX_RANK || holdsObjects(entry, depth + 1)) return true;
  }
  return false;
}

/** An object literal, of whichever realm, and not an instance of some class. */
export function isRecord(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
