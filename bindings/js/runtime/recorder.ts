/** The hook by which fovea/train follows what is computed: while an instance has a recorder, all memory that calls take lasts until its end. */
import type { Block } from '../../../build/generated/abi.ts';
import type { AnyOperation } from './engine.ts';
import type { Storage } from './storage.ts';

/** A part of the memory of a call. */
export interface Piece {
  /** Bytes from the start of the call's memory. */
  readonly offset: number;
  readonly bytes: number;
}

/** Where numbers are; null: in JavaScript. */
export interface Place {
  readonly address: number | null;
}

export interface Recorder {
  /** The address of memory that is the recorder's. */
  allocate(fn: string, bytes: number): number;
  createStorage(fn: string, floats: number): Storage;
  /** The address of the memory of a call. */
  allocateCall(fn: string, bytes: number, pieces: readonly Piece[]): number;
  /** Runs an operation, and remembers it. */
  run<Fields>(fn: string, operation: AnyOperation, block: Block<Fields>, fields: Fields): void;
  /** Remembers a block that others point to. */
  keepBlock(address: number, fields: object): void;
  /** Remembers a copy that JavaScript has made, to contiguous floats. */
  noteCopy(fn: string, from: number, shape: readonly number[], strides: readonly number[], to: number): void;
  /** Notes results of a call: those that no operation has written are made of the inputs in a way that has no gradient. */
  noteResults(fn: string, results: readonly Place[], inputs: readonly Partial<Place>[]): void;
  /** Runs `release` when the recording ends. */
  atEnd(release: () => void): void;
}
