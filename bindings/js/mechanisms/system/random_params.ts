/** `randomParams`: params to begin with, or to look at. */
import { compute } from '../../call/call.ts';
import { fillNormals } from '../../call/normals.ts';
import { freshOutput } from '../../call/outputs.ts';
import { fail } from '../../errors/errors.ts';
import { isList, readOptions } from '../../errors/options.ts';
import { checkSeed } from '../../errors/seeds.ts';
import type { Fovea } from '../../fovea/fovea.ts';
import type { Instance } from '../../runtime/instance.ts';
import { instanceOf } from '../../runtime/instances.ts';
import type { NDArray } from '../../tensor/array_types.ts';
import { readPlain, readShape } from '../../tensor/arrays.ts';
import { sizeOf, type Shape } from '../../tensor/shapes.ts';
import { isTensor, tensorState } from '../../tensor/tensor.ts';
import { zeros } from '../../tensor/typed_arrays.ts';
import { flattenParams, type ParamInput } from './params.ts';

export interface RandomParamsOptions {
  /** 0 to 2^53 - 1; default 0. */
  readonly seed?: number | undefined;
}

/**
 * Random params of given shapes, by their names: normals of variance 1 / fan-in, and biases of 0.
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param shapes by name, nested or with dotted names, in an object or a Map: a list of integers is a shape; of an array
 *   (`{ data, shape }`, nested numbers in two axes or more, a Tensor) its shape is taken, and of a number the shape [].
 * @param options `seed`.
 * @returns `{ data, shape }` by the dotted names, in the order of `shapes`: params of a mechanism as they are.
 * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`; `value` for an array of integers;
 *   `memory` for an array of random numbers larger than 1 GiB.
 *
 * The last part of a name says what the array is:
 * - a bias, which begins with b or has 'bias' in it (b, bf, bias_ih_l0, beta): 0;
 * - a normalization's scale, which is gamma, or a vector with 'weight' in its name: 1;
 * - a matrix with 'weight' in its name, [out, in, ...] as in PyTorch: fan-in is the product of all axes but the first;
 * - any other matrix, [..., in, out] as a paper writes it: the product of all axes but the last;
 * - any other vector: its length; of a number: 1.
 *
 * Numbers depend on seed and dotted name alone, and are alike in all engines; the modules of fovea/nn draw the same.
 * @example
 * import { randomParams } from 'fovea/mechanisms';
 * const params = randomParams(fovea, { Wa: [4, 3], ba: [3], 'encoder.weight_ih_l0': [6, 2] }, { seed: 1 });
 * params['Wa'].shape; // [4, 3]
 */
export function randomParams(fovea: Fovea, shapes: ParamInput, options?: RandomParamsOptions): Record<string, NDArray> {
  const fn = 'randomParams';
  const instance = instanceOf(fn, fovea);
  const { seed = 0 } = readOptions(fn, options, ['seed']);
  checkSeed(fn, seed);
  if (shapes === undefined) fail('value', fn, 'shapes must be an object of arrays by name, got undefined');
  const read = [...flattenParams(fn, shapes, 'shapes')].map(
    ([name, value]) => [name, shapeOf(instance, fn, name, value)] as const,
  );
  return Object.fromEntries(read.map(([name, shape]) => [name, draw(instance, fn, name, shape, seed)]));
}

/** Integer arrays hold ids, which no normals stand for. */
const INTEGERS = /^Ui?nt|^Int/;

function shapeOf(instance: Instance, fn: string, name: string, value: unknown): Shape {
  if (typeof value === 'number') return [];
  if (isTensor(value)) return tensorState(instance, fn, name, value).shape;
  // A list of numbers is a shape; the first entry says which of the two it is, as no array is ragged.
  if (isList(value) && (value.length === 0 || typeof value[0] === 'number'))
    return readShape(fn, `the shape of ${name}`, value);
  const { shape, kind } = readPlain(fn, name, value);
  if (INTEGERS.test(kind)) fail('value', fn, `${name} must hold floats, as integers cannot be drawn, got a ${kind}`);
  return shape;
}

function draw(instance: Instance, fn: string, name: string, shape: Shape, seed: number): NDArray {
  const deviation = deviationOf(name.slice(name.lastIndexOf('.') + 1), shape);
  const count = sizeOf(shape);
  if (typeof deviation !== 'number') {
    const data = zeros(fn, 'Float32Array', count);
    return { data: deviation === 'ones' ? data.fill(1) : data, shape: [...shape] };
  }
  return compute(instance, fn, (arena) => {
    const y = freshOutput(arena, shape, false);
    fillNormals(arena, y.ptr, { name, seed, count, scale: deviation });
    return () => y.finish() as NDArray;
  });
}

/** The standard deviation of a param of this name and shape, or what all its entries are. */
function deviationOf(name: string, shape: Shape): number | 'zeros' | 'ones' {
  if (name.startsWith('b') || name.includes('bias')) return 'zeros';
  const isWeight = name.includes('weight');
  if (name === 'gamma' || (isWeight && shape.length < 2)) return 'ones';
  const inputs = shape.length < 2 ? shape : isWeight ? shape.slice(1) : shape.slice(0, -1);
  return 1 / Math.sqrt(Math.max(1, sizeOf(inputs)));
}
