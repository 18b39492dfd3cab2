/** Random attention problems for the property tests: ragged shapes, all options together, logits up to 1e4. */
import fc from 'fast-check';
import { bias } from 'fovea/score';
import type { DenseOptions } from './dense_options.ts';
import type { Mask, Plain, Problem } from './truth_forms.ts';
import { TestRandom } from './truth_random.ts';
import type { ReferenceOptions } from './truth_reference.ts';

export const LENGTHS = [1, 3, 5, 63, 65, 130];
export const WIDTHS = [1, 7, 64, 80, 256];

/** A problem in numbers, small enough to print: the arrays follow from the seed. */
export interface Recipe {
  readonly seed: number;
  readonly B: number;
  readonly kvHeads: number;
  readonly group: number;
  readonly Tq: number;
  readonly Tk: number;
  readonly D: number;
  readonly Dv: number;
  /** Integers for q and k and a power of two as scale: logits that float32 holds exactly. */
  readonly exact: boolean;
  /** About the largest |logit|. */
  readonly logits: number;
  readonly causal: boolean;
  readonly position: 'none' | 'top-left' | 'bottom-right' | 'offset' | 'offsets';
  readonly window: readonly [number, number] | null;
  readonly mask: 'none' | 'boolean' | 'float' | 'forbidding';
  readonly maskAxes: readonly [boolean, boolean, boolean, boolean];
  readonly lengths: boolean;
  readonly softcap: number;
  readonly alibi: boolean;
  readonly sinks: 'none' | 'one' | 'each';
  readonly weightScale: 'none' | 'heads' | 'array' | 'gaussian';
}

const shapes = {
  seed: fc.nat(2 ** 31 - 1),
  B: fc.constantFrom(1, 2, 3),
  kvHeads: fc.constantFrom(1, 2),
  group: fc.constantFrom(1, 2, 3),
  Tq: fc.constantFrom(...LENGTHS),
  Tk: fc.constantFrom(...LENGTHS),
  D: fc.constantFrom(...WIDTHS),
  Dv: fc.constantFrom(...WIDTHS),
  exact: fc.boolean(),
  logits: fc.constantFrom(1, 4, 30, 1e3, 1e4),
};

const plainRules = {
  causal: fc.constant(false),
  position: fc.constant<Recipe['position']>('none'),
  window: fc.constant<Recipe['window']>(null),
  mask: fc.constant<Recipe['mask']>('none'),
  maskAxes: fc.tuple(fc.boolean(), fc.boolean(), fc.boolean(), fc.boolean()),
  lengths: fc.constant(false),
  softcap: fc.constant(0),
  alibi: fc.constant(false),
  sinks: fc.constant<Recipe['sinks']>('none'),
  weightScale: fc.constant<Recipe['weightScale']>('none'),
};

const allRules = {
  causal: fc.boolean(),
  position: fc.constantFrom<Recipe['position']>('none', 'top-left', 'bottom-right', 'offset', 'offsets'),
  window: fc.option(fc.tuple(fc.constantFrom(-1, 0, 2, 66), fc.constantFrom(-1, 0, 1, 70)), { nil: null }),
  mask: fc.constantFrom<Recipe['mask']>('none', 'boolean', 'float', 'forbidding'),
  maskAxes: fc.tuple(fc.boolean(), fc.boolean(), fc.boolean(), fc.boolean()),
  lengths: fc.boolean(),
  softcap: fc.constantFrom(0, 0, 3, 30),
  alibi: fc.boolean(),
  sinks: fc.constantFrom<Recipe['sinks']>('none', 'one', 'each'),
  weightScale: fc.constantFrom<Recipe['weightScale']>('none', 'none', 'none', 'heads', 'array', 'gaussian'),
};

/** Products that the plain loops of the reference can take: about 10 ms each. */
const WORK = 2e6;
const bounded = (recipe: Recipe): boolean =>
  recipe.B * recipe.kvHeads * recipe.group * recipe.Tq * recipe.Tk * (recipe.D + recipe.Dv) <= WORK;

export const problemsOfShape: fc.Arbitrary<Recipe> = fc.record({ ...shapes, ...plainRules }).filter(bounded);
export const problemsOfAllOptions: fc.Arbitrary<Recipe> = fc.record({ ...shapes, ...allRules }).filter(bounded);

/** The problem, and its options as the reference takes them. */
export interface Built {
  readonly problem: Problem;
  readonly reference: ReferenceOptions;
  readonly exactLogits: boolean;
}

export function build(recipe: Recipe): Built {
  const { B, kvHeads, group, Tq, Tk, D, Dv, exact, logits, causal, window, softcap } = recipe;
  const H = kvHeads * group;
  const random = new TestRandom(recipe.seed);
  const [qShape, kShape, vShape] = [
    [B, H, Tq, D],
    [B, kvHeads, Tk, D],
    [B, kvHeads, Tk, Dv],
  ];
  const q = exact ? random.integers(qShape, -3, 3) : random.normals(qShape);
  const k = exact ? random.integers(kShape, -3, 3) : random.normals(kShape);
  const v = random.normals(vShape);
  // The largest of many products is about 4 standard deviations of one.
  const spread = (exact ? 16 : 4) * Math.sqrt(D);
  const scale = exact ? 2 ** Math.floor(Math.log2(logits / spread)) : Math.fround(logits / spread);
  const mask = maskOf(recipe, random, [B, H, Tq, Tk]);
  const keyLengths = recipe.lengths ? Array.from({ length: B }, () => random.integer(0, Tk)) : undefined;
  const slopes = recipe.alibi ? Array.from({ length: H }, () => 2 ** -random.integer(1, 6)) : undefined;
  const sinks =
    recipe.sinks === 'none'
      ? undefined
      : recipe.sinks === 'one'
        ? random.integer(-8, 8) / 4
        : Array.from({ length: H }, () => (random.integer(-4, 4) * logits) / 8);
  const places = positionOf(recipe, random);
  const common = { scale, causal, window: window ?? undefined, keyLengths, softcap, sinks, ...places };
  const { weightScale, factor } = weightScaleOf(recipe);
  return {
    problem: { q, k, v, mask, options: { ...common, bias: slopes && bias.alibi(slopes), weightScale } },
    reference: { ...common, mask, alibi: slopes, factor },
    exactLogits: exact && softcap === 0,
  };
}

/** A weight scale that knows of no query and no batch entry, and its factors. */
function weightScaleOf({
  weightScale,
  seed,
  kvHeads,
  group,
  Tk,
}: Recipe): Pick<ReferenceOptions, 'factor'> & Pick<DenseOptions, 'weightScale'> {
  const random = new TestRandom(seed + 9);
  const each = Array.from({ length: kvHeads * group }, () => random.integer(-16, 16) / 8);
  const [center, sigmas] = [random.integer(-8, 4 * Tk) / 4, each.map((x) => 2 * Math.abs(x) + 0.5)];
  switch (weightScale) {
    case 'none':
      return {};
    case 'heads':
      return { weightScale: { heads: each }, factor: (h) => each[h]! };
    case 'array':
      return { weightScale: { data: each, shape: [each.length, 1, 1] }, factor: (h) => each[h]! };
    case 'gaussian':
      return {
        weightScale: { gaussian: { center, sigma: { data: sigmas, shape: [each.length, 1] } } },
        factor: (h, j, round) => round(Math.exp(round(-0.5 * round(round((j - center) / sigmas[h]!) ** 2)))),
      };
  }
}

function positionOf(
  { position, B, Tq, Tk }: Recipe,
  random: TestRandom,
): Pick<ReferenceOptions, 'causalAlign'> & { causalOffset?: number | number[] } {
  const offset = () => random.integer(-3, Math.max(Tk - Tq, 0) + 3);
  if (position === 'none') return {};
  if (position === 'offset') return { causalOffset: offset() };
  if (position === 'offsets') return { causalOffset: Array.from({ length: B }, offset) };
  return { causalAlign: position };
}

/** A mask of any shape that broadcasts to `full`; its leading axes of one are left out at times. */
function maskOf({ mask, maskAxes }: Recipe, random: TestRandom, full: readonly number[]): Mask | undefined {
  if (mask === 'none') return undefined;
  let shape = full.map((n, axis) => (maskAxes[axis] === true ? n : 1));
  if (random.uniform() < 0.5) while (shape.length > 1 && shape[0] === 1) shape = shape.slice(1);
  if (mask === 'boolean') return random.booleans(shape, 0.7);
  // Multiples of 1/8: sums with exact logits stay exact.
  const added: Plain = random.integers(shape, -64, 64);
  for (let n = 0; n < added.data.length; n++)
    added.data[n] = mask === 'forbidding' && random.uniform() < 0.3 ? -Infinity : (added.data[n] as number) / 8;
  return added;
}

export const SEED = Number(process.env['FOVEA_SEED'] ?? 20260101);
/** Multiplies the number of tries. */
export const RUNS = Number(process.env['FOVEA_RUNS'] ?? 1);

/** Tries `check` on `runs` of the problems: the same ones each time, unless FOVEA_SEED says otherwise. */
export function forAll(problems: fc.Arbitrary<Recipe>, runs: number, check: (recipe: Recipe) => void): void {
  fc.assert(fc.property(problems, check), { seed: SEED, numRuns: Math.ceil(runs * RUNS) });
}
