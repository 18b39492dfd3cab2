/** The sizes that constructors take, and the shapes that `forward` takes. */
import { fail } from '../errors/errors.ts';
import { checkInteger } from '../errors/options.ts';
import type { Instance } from '../runtime/instance.ts';
import { readOperand } from '../tensor/operands.ts';
import { formatShape } from '../tensor/shapes.ts';

/** An integer from 1 that must be given, or has a default. */
export function readSize(fn: string, name: string, value: number | undefined, fallback?: number): number {
  const size = value ?? fallback;
  if (size === undefined) fail('option', fn, `the option ${name} must be given`);
  checkInteger(fn, name, size, 1, 2 ** 30);
  return size;
}

/** The shape of tokens of a sequence, or of a batch of them. */
export function sequenceShape(instance: Instance, fn: string, name: string, input: unknown): readonly number[] {
  const { shape } = readOperand(instance, fn, name, input);
  if (shape.length === 2 || shape.length === 3) return shape;
  return fail('shape', fn, `${name} must be [T, E] or [B, T, E], got ${formatShape(shape)}`);
}
