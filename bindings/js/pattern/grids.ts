/** Patterns of tokens that stand in a grid, in row-major order. Documented in builders.ts. */
import { describe, fail } from '../errors/errors.ts';
import { checkInteger } from '../errors/options.ts';
import { sizeOf } from '../tensor/shapes.ts';
import { readIntegers } from '../tensor/number_lists.ts';
import { MAX_DIM } from './limits.ts';
import { leaf, OP, type Node } from './nodes.ts';
import type { AxialOptions, NeighborsOptions } from './types.ts';

export function axial(fn: string, { shape: given, axis }: AxialOptions): Node {
  const shape = readGrid(fn, given);
  checkInteger(fn, 'axis', axis, -shape.length, shape.length - 1);
  const place = axis < 0 ? axis + shape.length : axis;
  const size = sizeOf(shape);
  const operands = [size, shape[place]!, sizeOf(shape.slice(place + 1))];
  const text = `axial({ shape: [${shape.join(', ')}], axis: ${place} })`;
  const constraint = { part: 'pattern.axial', rows: size, keys: size };
  return leaf(OP.axial, operands, text, ['axial', { shape, axis: place }], { constraint });
}

export function neighbors2d(fn: string, { shape: given, radius, prefixTokens = 0 }: NeighborsOptions): Node {
  const shape = readGrid(fn, given);
  if (shape.length !== 2) fail('shape', fn, `shape must be [height, width], got ${describe(given)}`);
  const isPair = typeof radius !== 'number';
  const radii = readIntegers(fn, 'radius', isPair ? radius : [radius, radius], 0, MAX_DIM);
  if (radii.length !== 2) fail('value', fn, `radius must be a number or [down, across], got ${describe(radius)}`);
  checkInteger(fn, 'prefixTokens', prefixTokens, 0, MAX_DIM);
  const size = prefixTokens + sizeOf(shape);
  checkInteger(fn, 'prefixTokens plus the number of positions in shape', size, 1, MAX_DIM);
  const options = { shape, radius: isPair ? radii : radius, ...(prefixTokens > 0 && { prefixTokens }) };
  const prefix = prefixTokens > 0 ? `, prefixTokens: ${prefixTokens}` : '';
  const text = `neighbors2d({ shape: [${shape.join(', ')}], radius: ${isPair ? `[${radii.join(', ')}]` : radius}${prefix} })`;
  const constraint = { part: 'pattern.neighbors2d', rows: size, keys: size };
  return leaf(OP.neighbors, [...shape, ...radii, prefixTokens], text, ['neighbors2d', options], { constraint });
}

function readGrid(fn: string, given: unknown): number[] {
  const shape = [...readIntegers(fn, 'shape', given, 1, MAX_DIM)];
  if (shape.length === 0) fail('shape', fn, 'shape must have at least one axis, got []');
  checkInteger(fn, 'the number of positions in shape', sizeOf(shape), 1, MAX_DIM);
  return shape;
}
