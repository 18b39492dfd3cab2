/**
 * The registry of the package: what an instance, a Tensor, a pattern, a score or a cache is to the functions that are given it. The
 * objects carry it themselves under a global symbol, so that two copies of the package work together, such as `fovea/inline` beside a
 * bundled `fovea/ops`.
 */
import { ABI_HASH } from '../../../build/generated/abi.ts';
import { fail } from '../errors/errors.ts';
import { isRevoked } from '../errors/options.ts';

export const INTERNALS: unique symbol = Symbol.for('fovea.internals');

type Kind = 'instance' | 'tensor' | 'pattern' | 'score' | 'bias' | 'normalizer' | 'cache' | 'masks' | 'weights';

/** The internals of one object. Nothing here is for callers. */
export interface Internals<K extends Kind = Kind> {
  /** The version of the copy of the package that made the object. */
  readonly version: string;
  readonly abi: number;
  readonly kind: K;
  readonly value: unknown;
}

/** An object that carries its internals: what it is to functions of this package. */
export interface Carrier<K extends Kind> {
  readonly [INTERNALS]: Internals<K>;
}

/** Says what the object is to functions, once. */
export function setInternals(object: object, kind: Kind, value: unknown): void {
  const internals: Internals = { version: FOVEA_VERSION, abi: ABI_HASH, kind, value };
  Object.defineProperty(object, INTERNALS, { value: internals });
}

/** Says what the objects of a class are to functions; `valueOf` gives undefined for what is none of them. */
export function setClassInternals(prototype: object, kind: Kind, valueOf: (object: object) => unknown): void {
  Object.defineProperty(prototype, INTERNALS, {
    get(this: object): Internals | undefined {
      const value = valueOf(this);
      return value === undefined ? undefined : { version: FOVEA_VERSION, abi: ABI_HASH, kind, value };
    },
  });
}

/** Whether the value is of this kind, in whichever copy of the package it was made. */
export function isKind(value: unknown, kind: Kind): boolean {
  return held(value)?.kind === kind;
}

/** The internals of `value`; undefined for anything of another kind. Throws a `load` error where another version made it. */
export function internalsOf<T>(fn: string, value: unknown, kind: Kind): T | undefined {
  const internals = held(value);
  if (internals?.kind !== kind) return undefined;
  if (internals.abi !== ABI_HASH || internals.version !== FOVEA_VERSION)
    fail(
      'load',
      fn,
      `the ${kind} was made by version ${internals.version} of fovea and is used by version ${FOVEA_VERSION}; install one version`,
    );
  return internals.value as T;
}

function held(value: unknown): Internals | undefined {
  if (typeof value !== 'object' || value === null || isRevoked(value)) return undefined;
  return (value as { [INTERNALS]?: Internals })[INTERNALS];
}
