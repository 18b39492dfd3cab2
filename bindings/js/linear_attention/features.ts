/** Feature maps: reading which one, how many features it has, and drawing the random ones. */
import { FEATURE_MAP } from '../../../build/generated/enums/feature_map.ts';
import { FAVOR_PROJECTION_BLOCK } from '../../../build/generated/blocks/favor_projection.ts';
import { fail } from '../errors/errors.ts';
import type { CallArena } from '../call/call_arena.ts';
import { NULL_PTR, type Ptr } from '../call/ptr.ts';
import { readOperand, type Operand } from '../tensor/operands.ts';
import { checkChoice, checkInteger } from '../errors/options.ts';
import { checkSeed } from '../errors/seeds.ts';
import { formatShape, isContiguous } from '../tensor/shapes.ts';
import type { FeatureMap, FeatureOptions } from './types.ts';
import type { Instance } from '../runtime/instance.ts';
import { gather } from '../tensor/strided.ts';

const NAMES: readonly FeatureMap[] = [...FEATURE_MAP, 'precomputed'];

export const FEATURE_OPTIONS = ['featureMap', 'features', 'seed', 'redraw', 'projection'] as const;

export interface Features {
  readonly name: FeatureMap;
  /** The core's number of it. */
  readonly map: number;
  /** F. */
  readonly count: number;
  /** Whether sums are kept divided by e^m. */
  readonly stabilized: boolean;
  /** Whether `scale` is one of q·k, before φ. */
  readonly scalesInside: boolean;
  /** [F, D], given or to be drawn from a seed; null for other maps. */
  readonly projection: Operand | Draw | null;
}

interface Draw {
  readonly seed: number;
  readonly redraw: number;
}

export function readFeatures(
  instance: Instance,
  fn: string,
  options: FeatureOptions,
  fallback: FeatureMap,
  width: number,
): Features {
  checkChoice(fn, 'featureMap', options.featureMap, NAMES);
  const name = options.featureMap ?? fallback;
  const map = FEATURE_MAP.indexOf(name === 'precomputed' ? 'identity' : name);
  const stabilized = name === 'exp' || name === 'favor+';
  const common = { name, map, stabilized, scalesInside: stabilized || name === 'taylor' };
  if (name !== 'favor+') {
    for (const option of FEATURE_OPTIONS.slice(1))
      if (options[option] !== undefined)
        fail('option', fn, `${option} goes with featureMap 'favor+', got featureMap '${name}'`);
    return { ...common, count: name === 'taylor' ? 1 + width + width * width : width, projection: null };
  }
  const { projection } = options;
  if (projection === undefined) {
    const { features = defaultFeatures(width), ...draw } = readDraw(fn, options);
    return { ...common, count: features, projection: draw };
  }
  for (const option of ['features', 'seed', 'redraw'] as const)
    if (options[option] !== undefined) fail('option', fn, `${option} draws the projection that is given, got both`);
  const operand = readOperand(instance, fn, 'projection', projection);
  const [rows, columns] = operand.shape;
  if (operand.shape.length !== 2 || rows === 0 || columns !== width)
    fail('shape', fn, `projection must be [F, D] with F ≥ 1, D = ${width}, got ${formatShape(operand.shape)}`);
  return { ...common, count: rows!, projection: operand };
}

function isOperand(projection: Draw | Operand): projection is Operand {
  return Object.hasOwn(projection, 'strides');
}

/** Where the projection will be: NULL_PTR for maps without one. */
export function planProjection(
  arena: CallArena,
  { projection, count }: Pick<Features, 'projection' | 'count'>,
  width: number,
): Ptr {
  if (projection === null) return NULL_PTR;
  const given = isOperand(projection) ? { ...projection, ptr: arena.place(projection) } : null;
  if (given !== null && isContiguous(given.shape, given.strides)) return given.ptr;
  const ptr = arena.reserveFloats(count * width);
  const run = (): void => {
    const target = arena.heap.floats(ptr.address, count * width);
    if (given !== null) {
      gather(arena.heap, given.ptr.address, given.shape, given.strides, target);
      arena.recorder?.noteCopy(arena.fn, given.ptr.address, given.shape, given.strides, ptr.address);
    } else
      arena.run('favorProjection', FAVOR_PROJECTION_BLOCK, {
        ...(projection as Draw),
        features: count,
        width,
        projection: ptr.address,
      });
  };
  arena.steps.push({ operation: null, run });
  return ptr;
}

export function readDraw(fn: string, { features, seed = 0, redraw = 0 }: FeatureOptions): Draw & { features?: number } {
  checkSeed(fn, seed);
  checkInteger(fn, 'redraw', redraw, 0, 2047);
  if (features !== undefined) checkInteger(fn, 'features', features, 1, 2 ** 20);
  return { seed, redraw, ...(features === undefined ? {} : { features }) };
}

/** D·⌈ln D⌉, at least D. */
export function defaultFeatures(width: number): number {
  let times = 1;
  for (let power = 2.718281828459045; power < width; power *= 2.718281828459045) times++;
  return width * times;
}
