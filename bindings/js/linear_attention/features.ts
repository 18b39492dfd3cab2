/** Feature maps: reading which one, how many features it has, and drawing the random ones. */
import { FAVOR_FIELDS } from './abi.ts';
import { fail } from '../errors.ts';
import type { Frame, Span } from '../frame.ts';
import type { Operand } from '../operands.ts';
import { checkChoice, checkInteger, readOptions } from '../options.ts';
import { checkSeed, seedWords } from '../seeds.ts';
import { formatShape, isContiguous } from '../shapes.ts';
import { NOWHERE } from './places.ts';
import { compute, toolsFor, type Tools } from './tools.ts';
import type { Fovea } from '../fovea.ts';
import type { NDArray } from '../types.ts';
import type { FeatureMap, FeatureOptions } from './types.ts';

/** In the order of the core's FeatureMap; 'precomputed' is 'identity' there. */
const MAPS = ['identity', 'elu1', 'relu', 'squaredRelu', 'exp', 'taylor', 'favor+', 'softmax'] as const;
const NAMES = ['elu1', 'relu', 'squaredRelu', 'identity', 'exp', 'softmax', 'favor+', 'taylor', 'precomputed'] as const;

export const FEATURE_OPTIONS = ['featureMap', 'features', 'seed', 'redraw', 'projection'] as const;

export interface Features {
  readonly name: FeatureMap;
  /** The core's number of it. */
  readonly map: number;
  /** F. */
  readonly count: number;
  /** Whether sums are kept divided by e^m. */
  readonly stabilised: boolean;
  /** Whether `scale` is one of q·k, before φ. */
  readonly scalesInside: boolean;
  /** [F, D], given or to be drawn from a seed; null for other maps. */
  readonly projection: Operand | Draw | null;
}

interface Draw {
  readonly seedLow: number;
  readonly seedHigh: number;
}

export function readFeatures(tools: Tools, fn: string, options: FeatureOptions, fallback: FeatureMap, width: number): Features {
  checkChoice(fn, 'featureMap', options.featureMap, NAMES);
  const name = options.featureMap ?? fallback;
  const map = name === 'precomputed' ? 0 : MAPS.indexOf(name);
  const stabilised = name === 'exp' || name === 'favor+';
  const common = { name, map, stabilised, scalesInside: stabilised || name === 'taylor' };
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
  const operand = tools.readOperand(tools.instance, fn, 'projection', projection);
  const [rows, columns] = operand.shape;
  if (operand.shape.length !== 2 || rows === 0 || columns !== width)
    fail('shape', fn, `projection must be [F, D] with F ≥ 1, D = ${width}, got ${formatShape(operand.shape)}`);
  return { ...common, count: rows!, projection: operand };
}

/** Where the projection will be: NOWHERE for maps without one. */
export function planProjection(frame: Frame, tools: Tools, { projection, count }: Features, width: number): Span {
  if (projection === null) return NOWHERE;
  const given = 'shape' in projection ? { ...projection, span: frame.place(projection) } : null;
  if (given !== null && isContiguous(given.shape, given.strides)) return given.span;
  const span = frame.reserveFloats(count * width);
  const run = (): void => {
    const target = frame.heap.floats(span.address, count * width);
    if (given !== null) tools.gather(frame.heap, given.span.address, given.shape, given.strides, target);
    else
      frame.run('favorProjection', FAVOR_FIELDS, {
        ...(projection as Draw),
        features: count,
        width,
        projection: span.address,
      });
  };
  frame.steps.push({ operation: null, run });
  return span;
}

/**
 * The projection of FAVOR+: rows w, orthogonal within each block of D, each as long as a Gaussian vector; w of `linearAttention`
 * with the same numbers.
 *
 * @param fovea an instance of this thread.
 * @param options `width` D; `features` F, default D·⌈ln D⌉, at least D; `seed`; `redraw` makes other features of a seed.
 * @returns [F, D].
 * @throws AttentionError `value` | `option` | `disposed` | `memory`.
 *
 * Source: Choromanski et al. 2021, arXiv:2009.14794 §2.4.
 * @example
 * import { favorProjection } from 'fovea/linear';
 * const { shape } = favorProjection(fovea, { width: 4, features: 8, seed: 1 }); // [8, 4]
 */
export function favorProjection(
  fovea: Fovea,
  options: { readonly width: number } & Pick<FeatureOptions, 'features' | 'seed' | 'redraw'>,
): NDArray {
  const fn = 'favorProjection';
  const tools = toolsFor(fn, fovea);
  const known = readOptions(fn, options, ['width', 'features', 'seed', 'redraw']);
  const { width } = known;
  checkInteger(fn, 'width', width, 1, 2 ** 16);
  const { features: count = defaultFeatures(width), ...projection } = readDraw(fn, known);
  return compute(tools, fn, (frame) => {
    const span = planProjection(frame, tools, { count, projection } as Features, width);
    return () => ({ data: tools.copyOut(frame, frame.heap.floats(span.address, count * width)), shape: [count, width] });
  });
}

/** The seed's upper word has 21 bits; `redraw` takes the other 11. */
function readDraw(fn: string, { features, seed = 0, redraw = 0 }: FeatureOptions): Draw & { features?: number } {
  checkSeed(fn, seed);
  checkInteger(fn, 'redraw', redraw, 0, 2047);
  if (features !== undefined) checkInteger(fn, 'features', features, 1, 2 ** 20);
  const [seedLow, high] = seedWords(seed);
  return { seedLow, seedHigh: (high + redraw * 2 ** 21) | 0, ...(features === undefined ? {} : { features }) };
}

/** D·⌈ln D⌉, at least D. */
function defaultFeatures(width: number): number {
  let times = 1;
  for (let power = 2.718281828459045; power < width; power *= 2.718281828459045) times++;
  return width * times;
}
