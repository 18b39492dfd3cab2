/**
 * Decoders of GPT-2's and Llama's kind against their equations in double, whole and step by step with caches. The bound is that of
 * FORMAT.md: 4 times the error of float32 loops (the larger of two orders of summing, and of what the equations in double move when every
 * weight moves by 2^-24: of a model of width 1 both orders are one) plus 8·2^-24 times the largest number.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { kvCache, type KvCache } from 'fovea/cache';
import { CausalDecoder, CausalDecoderLayer, type CausalDecoderOptions } from 'fovea/nn';
import { DecoderReference, type DecoderSettings } from './support/decoder_reference.ts';
import { DOUBLE, SINGLE, SINGLE_DOWN, type Arithmetic, type Weights } from './support/transformer_reference.ts';
import { assertSameBits, EPS } from './support/truth_bounds.ts';
import { loadForTests } from './support/truth_instance.ts';
import { RUNS, SEED } from './support/truth_problems.ts';
import { TestRandom } from './support/truth_random.ts';

const fovea = await loadForTests();
after(() => fovea.dispose());

interface Recipe {
  readonly seed: number;
  readonly llama: boolean;
  readonly T: number;
  readonly H: number;
  readonly group: number;
  readonly D: number;
  readonly E: number;
  readonly F: number;
  readonly V: number;
  readonly layers: number;
  readonly bias: boolean;
  readonly inOut: boolean;
  readonly tied: boolean;
}

const recipes: fc.Arbitrary<Recipe> = fc.record({
  seed: fc.integer({ min: 1, max: 2 ** 30 }),
  llama: fc.boolean(),
  T: fc.constantFrom(1, 2, 3, 8, 9, 13, 70),
  H: fc.constantFrom(1, 2, 3),
  group: fc.constantFrom(1, 2, 3),
  D: fc.constantFrom(2, 6, 8, 10),
  E: fc.constantFrom(1, 5, 16, 33),
  F: fc.constantFrom(1, 7, 43),
  V: fc.constantFrom(1, 11, 65),
  layers: fc.constantFrom(1, 1, 2, 3),
  bias: fc.boolean(),
  inOut: fc.boolean(),
  tied: fc.boolean(),
});

function optionsOf({ llama, T, H, group, D, E, F, V, layers, bias, inOut, tied }: Recipe): CausalDecoderOptions {
  return {
    ...{ vocabSize: V, numLayers: layers, dModel: E, nHead: H * group, kvHeads: H, headDim: D, dimFeedforward: F, bias },
    ...{ weightLayout: inOut ? 'inOut' : 'outIn', tieWeights: tied },
    ...(llama ? { norm: 'rms', gated: true, rope: { base: 500 } } : { maxPositions: T + 2 }),
  };
}

/** `moves`: every weight up or down by 2^-24 of it, as drawn. */
type Reference = (arithmetic: Arithmetic, moves?: TestRandom) => DecoderReference;

/** A model with random weights, its norms and biases too, and the reference in one arithmetic. */
function makeModel(recipe: Recipe): { model: CausalDecoder; reference: Reference } {
  const random = new TestRandom(recipe.seed);
  const model = new CausalDecoder(fovea, { ...optionsOf(recipe), seed: recipe.seed });
  const weights: Weights = new Map(
    [...model.stateDict()].map(([name, { shape }]) => [
      name,
      random.normals(shape, shape.length === 1 ? 1 : shape[0]! ** -0.5),
    ]),
  );
  model.loadStateDict(weights as ReadonlyMap<string, { data: Float32Array; shape: number[] }>);
  const { llama, layers, E, H, group, D, inOut } = recipe;
  const settings: DecoderSettings = {
    ...{ numLayers: layers, dModel: E, nHead: H * group, kvHeads: H, headDim: D, gated: llama, inOut },
    ...{ norm: llama ? 'rms' : 'layer', normEps: 1e-5, ropeBase: llama ? 500 : null },
  };
  const moved = (moves: TestRandom): Weights =>
    new Map(
      [...weights].map(([name, { data, shape }]) => [
        name,
        { data: Float64Array.from(data, (x) => x * (1 + (moves.uniform() < 0.5 ? -EPS : EPS))), shape },
      ]),
    );
  return {
    model,
    reference: (arithmetic, moves) => new DecoderReference(moves ? moved(moves) : weights, settings, arithmetic),
  };
}

function cachesFor(model: CausalDecoder, capacity: number): KvCache[] {
  return model.layers.map(() => kvCache(fovea, { ...model.cacheOptions, capacity }));
}

function assertClose(got: Float32Array, recipe: Recipe, reference: Reference, ids: number[]): void {
  const want = reference(DOUBLE).logits(ids);
  const errorOf = (other: Float64Array): number => other.reduce((most, x, n) => Math.max(most, Math.abs(x - want[n]!)), 0);
  const moves = new TestRandom(recipe.seed);
  const others = [reference(SINGLE), reference(SINGLE_DOWN), ...[1, 2, 3].map(() => reference(DOUBLE, moves))];
  const plain = Math.max(...others.map((other) => errorOf(other.logits(ids))));
  const largest = want.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  const bound = 4 * plain + 8 * EPS * largest;
  const error = errorOf(Float64Array.from(got));
  assert.ok(error <= bound, `${JSON.stringify(recipe)}: error ${error}, bound ${bound}`);
}

test('whole, in steps of several tokens and token by token: each within the bound of the definition', () => {
  fc.assert(
    fc.property(recipes, fc.constantFrom(1, 2, 5, 64), (recipe, step) => {
      const { model, reference } = makeModel(recipe);
      const ids = Array.from({ length: recipe.T }, (_, n) => (n * 7 + recipe.seed) % recipe.V);
      assertClose(model.forward(ids).data, recipe, reference, ids);
      const caches = cachesFor(model, recipe.T);
      const parts: number[] = [];
      for (let at = 0; at < ids.length; at += step) parts.push(...model.forward(ids.slice(at, at + step), { caches }).data);
      assertClose(Float32Array.from(parts), recipe, reference, ids);
      for (const cache of caches) {
        assert.equal(cache.length, recipe.T);
        cache.dispose();
      }
      model.dispose();
    }),
    { numRuns: Math.ceil(60 * RUNS), seed: SEED, includeErrorInReport: true },
  );
});

test('next has the bits of the last row of forward, a batch those of its sequences, a layer those of the stack', () => {
  fc.assert(
    fc.property(recipes, (recipe) => {
      const { model } = makeModel(recipe);
      const rows = [1, 2, 3].map((n) => Array.from({ length: recipe.T }, (_, t) => (t * n + n) % recipe.V));
      const whole = model.forward(rows);
      rows.forEach((ids, b) => {
        const one = model.forward(ids);
        assertSameBits(whole.data.subarray(b * one.data.length, (b + 1) * one.data.length), one.data, 'of a batch');
      });
      assert.deepEqual(model.next(rows).shape, [3, recipe.V]);
      assertSameBits(model.next(rows[0]!).data, model.forward(rows[0]!).data.subarray(-recipe.V), 'of the last token');
      model.dispose();
    }),
    { numRuns: Math.ceil(20 * RUNS), seed: SEED },
  );
});

test('a layer takes plain arrays and Tensors, and its cache in steps', () => {
  const random = new TestRandom(5);
  const options = { dModel: 12, nHead: 4, kvHeads: 2, headDim: 6, norm: 'rms', gated: true, rope: {}, seed: 3 } as const;
  const layer = new CausalDecoderLayer(fovea, options);
  const x = random.normals([2, 5, 12]);
  const whole = layer.forward(x);
  assert.deepEqual(whole.shape, [2, 5, 12]);
  const tensor = fovea.tensor(x);
  const result = layer.forward(tensor);
  assertSameBits(result.toArray().data, whole.data, 'of a Tensor');
  const cache = kvCache(fovea, { batch: 2, kvHeads: 2, width: 6, capacity: 5 });
  assertSameBits(layer.forward(x, { cache }).data, whole.data, 'of a first call with a cache');
  cache.truncate(2);
  const slice = tensor.slice(1, 2, 5); // a view whose rows of the batch lie apart
  const rest = layer.forward(slice, { cache });
  const want = fovea.tensor(whole).slice(1, 2, 5);
  const most = rest.toArray().data.reduce((max, value, n) => Math.max(max, Math.abs(value - want.toArray().data[n]!)), 0);
  assert.ok(most <= 64 * EPS * 8, `differs by ${most}`);
  for (const one of [tensor, result, rest, cache, layer]) one.dispose();
});
