/**
 * Transformer modules against their equations in double: random layers with random masks, before and behind the norm, and six
 * layers of MiniLM's sizes whose weights went through a safetensors file. The bound is that of FORMAT.md: 4 times the error of
 * float32 loops (the larger of two orders of summing) plus 8·2^-24 times the largest number.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import type { ArrayInput, MaskInput, NDArray } from 'fovea';
import { readSafetensors, writeSafetensors } from 'fovea/files';
import { TransformerDecoder, TransformerEncoder, type DecoderForwardOptions, type TransformerStackOptions } from 'fovea/nn';
import {
  DOUBLE,
  rowsOf,
  SINGLE,
  SINGLE_DOWN,
  TransformerReference,
  type Added,
  type Arithmetic,
  type Settings,
  type Weights,
} from './support/transformer_reference.ts';
import { assertSameBits, EPS } from './support/truth_bounds.ts';
import { loadForTests } from './support/truth_instance.ts';
import { RUNS, SEED } from './support/truth_problems.ts';
import { TestRandom } from './support/truth_random.ts';

const fovea = await loadForTests();
after(() => fovea.dispose());

interface Recipe {
  readonly seed: number;
  readonly B: number;
  readonly T: number;
  readonly M: number;
  readonly H: number;
  readonly D: number;
  readonly F: number;
  readonly layers: number;
  readonly activation: Settings['activation'];
  readonly normFirst: boolean;
  readonly finalNorm: boolean;
  readonly bias: boolean;
  readonly batchFirst: boolean;
  readonly decoder: boolean;
  readonly causal: boolean;
  readonly pairs: MaskKind;
  readonly padding: MaskKind;
}
type MaskKind = 'none' | 'ends' | 'boolean' | 'boolean per head' | 'float' | 'float per head';

const kinds: readonly MaskKind[] = ['none', 'none', 'boolean', 'boolean per head', 'float', 'float per head'];
const recipes: fc.Arbitrary<Recipe> = fc.record({
  seed: fc.integer({ min: 1, max: 2 ** 30 }),
  B: fc.constantFrom(1, 2, 3),
  T: fc.constantFrom(1, 2, 3, 5, 9),
  M: fc.constantFrom(1, 3, 7),
  H: fc.constantFrom(1, 2, 3),
  D: fc.constantFrom(4, 5, 8),
  F: fc.constantFrom(1, 7, 16),
  layers: fc.constantFrom(1, 1, 2, 3),
  activation: fc.constantFrom('relu', 'gelu', 'geluTanh'),
  normFirst: fc.boolean(),
  finalNorm: fc.boolean(),
  bias: fc.boolean(),
  batchFirst: fc.boolean(),
  decoder: fc.boolean(),
  causal: fc.boolean(),
  pairs: fc.constantFrom(...kinds),
  padding: fc.constantFrom<MaskKind>('none', 'ends', 'boolean', 'float'),
});

/** A mask as a module takes it, and what it adds to the logit of a pair. */
interface Mask {
  readonly input: MaskInput | undefined;
  readonly added: Added;
}

/** true = not allowed, at random; -Infinity among the floats too. */
function maskOf(random: TestRandom, kind: MaskKind, { B, H }: Recipe, queries: number, keys: number, isPadding: boolean): Mask {
  if (kind === 'none') return { input: undefined, added: () => 0 };
  const shape = isPadding ? [B, keys] : kind.endsWith('per head') ? [B * H, queries, keys] : [queries, keys];
  const size = shape.reduce((product, n) => product * n, 1);
  const drawn = random.normals([size]).data;
  const at: (b: number, h: number, i: number, j: number) => number = isPadding
    ? (b, _, __, j) => b * keys + j
    : (b, h, i, j) => ((shape.length === 3 ? (b * H + h) * queries : 0) + i) * keys + j;
  if (kind.startsWith('float')) {
    const data = drawn.map((x) => (x > 1 ? -Infinity : x));
    return { input: { data, shape }, added: (b, h, i, j) => data[at(b, h, i, j)]! };
  }
  const forbidden = Uint8Array.from(drawn, (x, n) => {
    if (kind === 'ends') return Number(n % keys >= Math.abs(Math.round(drawn[Math.floor(n / keys)]! * keys)));
    return Number(x > 0.7);
  });
  return { input: { data: forbidden, shape }, added: (b, h, i, j) => (forbidden[at(b, h, i, j)] === 1 ? -Infinity : 0) };
}

/** Weights near what a trained network has: norms around 1, sums of variance 1. */
function weightsOf(random: TestRandom, shapes: ReadonlyMap<string, readonly number[]>): Map<string, NDArray> {
  return new Map(
    [...shapes].map(([name, shape]) => {
      if (shape.length > 1) return [name, random.normals(shape, 1 / Math.sqrt(shape[1]!))];
      const array = random.normals(shape, 0.2);
      if (name.includes('norm') && name.endsWith('weight')) array.data.forEach((x, n) => (array.data[n] = 1 + x));
      return [name, array];
    }),
  );
}

const shapesOf = (dict: ReadonlyMap<string, NDArray>): Map<string, number[]> =>
  new Map([...dict].map(([name, { shape }]) => [name, shape]));

function check(got: ArrayLike<number>, reference: (arithmetic: Arithmetic) => ArrayLike<number>, singles: Arithmetic[]): void {
  const want = reference(DOUBLE);
  const errorOf = (values: ArrayLike<number>): number =>
    Array.from(want).reduce((most, x, n) => Math.max(most, Math.abs(x - (values[n] as number))), 0);
  const largest = Array.from(want).reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  const bound = 4 * Math.max(...singles.map((single) => errorOf(reference(single)))) + 8 * EPS * largest;
  const error = errorOf(got);
  assert.equal(got.length, want.length);
  assert.ok(error <= bound, `off by ${error}, allowed ${bound}`);
}

/** [B, T, E] <-> [T, B, E] */
function swapped({ data, shape }: NDArray): NDArray {
  const [a, b, c] = shape as [number, number, number];
  const result = new Float32Array(data.length);
  for (let i = 0; i < a; i++)
    for (let j = 0; j < b; j++) result.set(data.subarray((i * b + j) * c, (i * b + j + 1) * c), (j * a + i) * c);
  return { data: result, shape: [b, a, c] };
}

test('encoders and decoders are their equations, whatever the masks, the norms and the order of axes', () => {
  fc.assert(
    fc.property(recipes, (recipe) => {
      const { seed, B, T, M, H, D, F, layers, decoder, causal, batchFirst } = recipe;
      const random = new TestRandom(seed);
      const E = H * D;
      const settings: Settings = {
        nHead: H,
        activation: recipe.activation,
        normFirst: recipe.normFirst,
        layerNormEps: 1e-5,
      };
      const options: TransformerStackOptions = {
        ...settings,
        numLayers: layers,
        dModel: E,
        dimFeedforward: F,
        finalNorm: recipe.finalNorm,
        bias: recipe.bias,
        batchFirst,
        seed: 1,
      };
      const before = fovea.memory().live;
      const module = decoder ? new TransformerDecoder(fovea, options) : new TransformerEncoder(fovea, options);
      const weights = weightsOf(random, shapesOf(module.stateDict()));
      module.loadStateDict(weights);
      assert.equal(
        module.parameters,
        [...weights.values()].reduce((sum, { data }) => sum + data.length, 0),
      );
      const x = random.normals([B, T, E]);
      const memory = random.normals([B, M, E]);
      const masks = [
        maskOf(random, recipe.pairs, recipe, T, T, false),
        maskOf(random, recipe.padding, recipe, T, T, true),
        maskOf(random, recipe.pairs, recipe, T, M, false),
        maskOf(random, recipe.padding, recipe, T, M, true),
      ] as const;
      const rules: DecoderForwardOptions = {
        attnMask: masks[0].input,
        keyPaddingMask: masks[1].input,
        ...(causal ? { causal } : {}),
        ...(decoder ? { memoryMask: masks[2].input, memoryKeyPaddingMask: masks[3].input } : {}),
      };
      const turn = (array: NDArray): NDArray => (batchFirst ? array : swapped(array));
      const run = <X extends ArrayInput>(input: X) =>
        module instanceof TransformerDecoder ? module.forward(input, turn(memory), rules) : module.forward(input, rules);
      const got = run(turn(x));
      fovea.scope(() => assertSameBits(run(fovea.tensor(turn(x))).toArray().data, got.data, 'of a Tensor'));
      module.dispose();
      assert.equal(fovea.memory().live, before);

      const both = (a: Mask, b: Mask, isCausal: boolean): Added => {
        return (n, h, i, j) => (isCausal && j > i ? -Infinity : a.added(n, h, i, j) + b.added(n, h, i, j));
      };
      const reference = (arithmetic: Arithmetic): Float64Array => {
        const layer = new TransformerReference(weights, settings, arithmetic);
        let rows = rowsOf(x);
        for (let n = 0; n < layers; n++) {
          const own = both(masks[0], masks[1], causal);
          rows = decoder
            ? layer.decoderLayer(`layers.${n}.`, rows, rowsOf(memory), own, both(masks[2], masks[3], false))
            : layer.encoderLayer(`layers.${n}.`, rows, own);
        }
        return (recipe.finalNorm ? layer.norm('norm', rows) : rows).data;
      };
      check(turn(got).data, reference, [SINGLE, SINGLE_DOWN]);
    }),
    { numRuns: Math.ceil(80 * RUNS), seed: SEED },
  );
});

test('two layers of the sizes of MiniLM, 72 tokens, out of a safetensors file', async () => {
  const options: TransformerStackOptions = {
    numLayers: 2,
    dModel: 384,
    nHead: 12,
    dimFeedforward: 1536,
    activation: 'gelu',
    layerNormEps: 1e-12,
  };
  const random = new TestRandom(6);
  const drawn = new TransformerEncoder(fovea, { ...options, seed: 0 });
  const weights = weightsOf(random, shapesOf(drawn.stateDict()));
  drawn.dispose();
  const file = writeSafetensors(new Map([...weights].map(([name, array]) => [`encoder.${name}`, array])));
  const { tensors } = await readSafetensors(new Blob([file]));
  assert.equal(tensors.size, 2 * 12);

  const before = fovea.memory().live;
  const encoder = new TransformerEncoder(fovea, options);
  encoder.loadStateDict(tensors, { prefix: 'encoder.' });
  assert.equal(encoder.parameters, 2 * (4 * 384 * 384 + 2 * 384 * 1536 + 9 * 384 + 1536));
  assert.equal(fovea.memory().live - before, 4 * encoder.parameters);
  const x = random.normals([1, 72, 384]);
  const got = encoder.forward(x);
  assert.equal(fovea.memory().live - before, 4 * encoder.parameters, 'a forward pass leaves nothing');
  encoder.dispose();

  const settings: Settings = { nHead: 12, activation: 'gelu', normFirst: false, layerNormEps: 1e-12 };
  const reference = (arithmetic: Arithmetic): Float64Array => {
    const layer = new TransformerReference(weights as Weights, settings, arithmetic);
    let rows = rowsOf(x);
    for (let n = 0; n < 2; n++) rows = layer.encoderLayer(`layers.${n}.`, rows, () => 0);
    return rows.data;
  };
  check(got.data, reference, [SINGLE]);
});
