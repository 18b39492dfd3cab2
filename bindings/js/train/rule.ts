/** Rules: which arrays an operation reads and writes, and the operation of its gradient. */
import type { Block } from '../../../build/generated/abi.ts';
import type { TrainOperation } from '../runtime/core_module.ts';

/** The fields of a block by name. */
export type Fields = Readonly<Record<string, number>>;

/** Where gradients are, and matrices that are kept packed. */
export interface GradientPlaces {
  /** Where the gradient of the numbers at an address is added to; 0 where they depend on no variable. */
  at(address: number): number;
  /** The address of a packed matrix as rows [out, in]. */
  plainOf(panels: number, inner: number, columns: number): number;
}

/** The memory that a tape holds. */
export interface Memory {
  /** The fields of a block that another points to. */
  block(address: number): Fields | undefined;
  /** Whether the numbers at an address depend on variables. */
  dependsOnVariables(address: number): boolean;
  /** The address of memory for one array. */
  allocateArray(fn: string, bytes: number): number;
}

/** A block that a block points to: its fields that point to floats, as those of a rule. */
export interface Nested {
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly constants?: readonly string[];
  /** The block of their gradients; null: they stand in the block of the operation's gradient. */
  readonly backward: Block<never> | null;
}

export interface Rule {
  /** The fields that point to floats which are read, and those that point to floats which are written. */
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /** Fields that point to floats which are read and have no gradient. */
  readonly constants?: readonly string[];
  /** Fields that point to blocks. */
  readonly nested?: Readonly<Record<string, Nested>>;
  /** The gradient; null: the operation has none. */
  readonly backward: {
    readonly operation: TrainOperation;
    readonly block: Block<never>;
    /** Fields beside the block of the operation and the gradients of its arrays. */
    readonly more?: (fields: Fields, gradients: GradientPlaces) => Fields;
    /** Bytes of each of `inputs` whose gradient may be written instead of added to, where that is all of an array; 0: none. Of these the block says `fresh`. */
    readonly writes?: (fields: Fields) => readonly number[];
  } | null;
  /** Why a call has no gradient, where that depends on its fields. */
  readonly refuse?: (fields: Fields, memory: Memory) => string | null;
  /** The fields with what the gradient needs beside the results that were asked for. */
  readonly prepare?: (fields: Fields, memory: Memory, fn: string) => Fields;
}

/** The addresses of floats that an operation reads, or of those that it writes. */
export function addressesOf(which: 'inputs' | 'outputs', rule: Rule, fields: Fields, memory: Memory): number[] {
  const addresses = rule[which].map((name) => fields[name] ?? 0);
  for (const name in rule.nested) {
    const own = memory.block(fields[name] ?? 0);
    if (own !== undefined) for (const array of rule.nested[name]![which]) addresses.push(own[array] ?? 0);
  }
  return addresses;
}

/** The arrays without gradient that depend on variables. */
export function variableConstants(rule: Rule, fields: Fields, memory: Memory): string[] {
  const depend = (constants: readonly string[] = [], own: Fields = {}): string[] =>
    constants.filter((name) => memory.dependsOnVariables(own[name] ?? 0));
  const found = depend(rule.constants, fields);
  for (const name in rule.nested) found.push(...depend(rule.nested[name]!.constants, memory.block(fields[name] ?? 0)));
  return found;
}
