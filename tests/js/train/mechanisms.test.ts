/**
 * Every mechanism of the catalog: the gradients of its sample by all inputs and params that are floats against differences of its own forward
 * call, or an error that names what has no gradient.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Tensor } from 'fovea';
import { list, type CatalogEntry } from 'fovea/catalog';
import { add, matmul } from 'fovea/ops';
import { valueAndGrad, type TensorRecord } from 'fovea/train';
import { fails } from '../support/api.ts';
import { evaluate, type CodeArguments } from '../support/catalog_code.ts';
import { loadForTraining } from '../support/training.ts';
import { TestRandom } from '../support/truth_random.ts';

const fovea = await loadForTraining();
after(() => fovea.dispose());

/** Mechanisms without a gradient, and why. */
const REFUSED: Readonly<Record<string, RegExp>> = {
  // A choice of one key: the weights' derivative by the scores is 0 wherever there is one.
  hard: /the normalizer argmax has no gradient/,
  hard_sampled: /the normalizer sampled has no gradient/,
  resa: /selectionSamples has no gradient/,
  // The rules of fast weights, and weights of every dimension, have no backward kernel.
  delta_rule: /the rule delta has no gradient/,
  disan: /multiDimensionalAttention has no gradient/,
  distance_self_attention: /multiDimensionalAttention has no gradient/,
  // Centers of Gaussians are constants.
  luong_local: /weightCenter of attention has no gradient/,
  multi_source: /weightCenter of attention has no gradient/,
  // Rounds of buckets are merged by their lse.
  reformer: /this result of combine has no gradient/,
};

/** Arguments by mechanism on which its results do not depend. */
const INDEPENDENT: Readonly<Record<string, readonly string[]>> = {
  // Weights that know no keys.
  location: ['inputs.k'],
  // The query is one word, before which there is no state.
  attention_sum_reader: ['params.query.weight_hh_l0', 'params.query.weight_hh_l0_reverse'],
  // The first word of an answer has no word before.
  dynamic_memory: ['params.answer.weight_ih_l0', 'params.answer.weight_hh_l0', 'params.answer.bias_ih_l0'],
};

/** A mechanism without floats among its arguments. */
const WITHOUT_FLOATS = ['xformer_cost'];

type Group = keyof CodeArguments;
const GROUPS = ['inputs', 'params', 'options'] as const satisfies readonly Group[];

/** Numbers by their paths, as 'params.Wq', in place of what a sample has there. */
function withNumbers(sample: CodeArguments, numbers: ReadonlyMap<string, unknown>): CodeArguments {
  const put = (value: unknown, path: string): unknown => {
    if (numbers.has(path)) return numbers.get(path);
    if (!isGroup(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, put(one, `${path}.${name}`)]));
  };
  return Object.fromEntries(GROUPS.map((group) => [group, put(sample[group], group)])) as unknown as CodeArguments;
}

function isGroup(value: unknown): value is object {
  return Object.prototype.toString.call(value) === '[object Object]' && !('data' in (value as object));
}

/** The arrays of a value, by their paths. */
function arraysIn(value: unknown, path: string): [string, unknown][] {
  if (isGroup(value)) return Object.entries(value).flatMap(([name, one]) => arraysIn(one, `${path}.${name}`));
  return typeof value === 'object' && value !== null ? [[path, value]] : [];
}

interface Result {
  readonly name: string;
  readonly data: ArrayLike<number>;
  readonly tensor: Tensor | null;
}

/** The arrays of a result: Tensors, and plain ones. */
function resultsIn(value: unknown, name = 'result'): Result[] {
  if (typeof value !== 'object' || value === null || name.endsWith('.trace')) return [];
  if ('toArray' in value) {
    const tensor = value as Tensor;
    return [{ name, tensor, data: tensor.toArray().data }];
  }
  if (ArrayBuffer.isView(value)) return [{ name, tensor: null, data: value as unknown as ArrayLike<number> }];
  if ('data' in value) return [{ name, tensor: null, data: value.data as ArrayLike<number> }];
  return Object.entries(value).flatMap(([key, one]) => resultsIn(one, `${name}.${key}`));
}

/** The floats of a sample: all arrays that a call takes, moved by a little, as Tensors. */
function floatsOf(entry: CatalogEntry, random: TestRandom): Map<string, Tensor> {
  const { defaults } = entry;
  const found = new Map<string, Tensor>();
  for (const [path, value] of [...arraysIn(defaults.inputs, 'inputs'), ...arraysIn(defaults.params, 'params')]) {
    const tensor = tensorOf(value);
    if (tensor === null) continue;
    // A sample has ties and zeros, where functions have corners.
    const moved = tensor.data.map((x) => x + 2 ** -5 * random.normals([1]).data[0]! * Math.max(1, Math.abs(x)));
    tensor.data.set(moved);
    try {
      fovea.scope(() => void evaluate(fovea, entry, withNumbers(defaults, new Map([[path, tensor]]))));
      found.set(path, tensor);
    } catch (error) {
      // Ids, lengths and edges.
      assert.match(String(error), /integer|undefined|positions or tokens/, `${entry.id} ${path}`);
    }
  }
  return found;
}

function tensorOf(value: unknown): Tensor | null {
  try {
    return fovea.tensor(value as number[]);
  } catch {
    return null;
  }
}

/** The most directions of a mechanism: arguments beyond share them. */
const MOST_DIRECTIONS = 3;
interface Difference {
  readonly slope: number;
  /** The most that it is apart from the derivative. */
  readonly error: number;
}

/**
 * A difference of four points. It is nearer to the derivative than that of the two inner ones, so their distance bounds its error of truncation; a loss
 * in float32 is apart from the exact one by some roundings of its terms, whose sizes add up to `size`.
 */
function differenceOf(at: (distance: number) => number, step: number, size: number): Difference {
  const [near, far] = [step, 2 * step].map((h) => (at(h) - at(-h)) / (2 * h)) as [number, number];
  const slope = (4 * near - far) / 3;
  return { slope, error: Math.abs(slope - near) + (4 * 2 ** -24 * size) / step };
}

/** The best of three steps about the one whose roundings come to a small part of the usual slope. */
function slopeOf(at: (distance: number) => number, size: number, usual: number): Difference {
  const first = Math.min(Math.max((2 ** -14 * size) / usual, 2 ** -18), 2 ** -6);
  let best = differenceOf(at, first, size);
  for (const step of [first / 8, 8 * first]) {
    if (best.error <= 2 ** -6 * usual) break;
    const one = differenceOf(at, step, size);
    if (one.error < best.error) best = one;
  }
  return best;
}

/** A loss of random weights over all results that are Tensors, and its value in double with the sum of its terms' sizes. */
class Loss {
  readonly #weights = new Map<string, Float32Array>();
  readonly #run: () => Result[];

  constructor(run: () => Result[]) {
    this.#run = run;
  }

  compute(): Tensor {
    const parts = this.#run().flatMap(({ name, tensor, data: { length } }) => {
      if (tensor === null || length === 0) return [];
      const data = new TestRandom(this.#weights.size + 6).normals([length]).data;
      this.#weights.set(name, data);
      return [matmul(fovea, tensor.clone().reshape([length]), { data, shape: [length] })];
    });
    return parts.reduce((sum, part) => add(fovea, sum, part));
  }

  value(): { sum: number; size: number } {
    return fovea.scope(() => {
      let [sum, size] = [0, 0];
      for (const { name, data } of this.#run()) {
        this.#weights.get(name)?.forEach((weight, n) => {
          sum += weight * data[n]!;
          size += Math.abs(weight * data[n]!);
        });
      }
      return { sum, size };
    });
  }
}

/** The loss along one random direction of some arguments: its slope by their gradients, and by differences. */
function checkDirection(
  loss: Loss,
  size: number,
  random: TestRandom,
  moved: readonly { tensor: Tensor; gradient: Tensor }[],
  what: string,
): void {
  const moves = moved.map(({ tensor, gradient }) => {
    const own = tensor.toArray().data;
    const by = random.normals([own.length]).data.map(Math.sign);
    return { tensor, own, by, slopes: gradient.toArray().data.map((slope, n) => slope * by[n]!) };
  });
  const at = (distance: number): number => {
    for (const { tensor, own, by } of moves) tensor.data.set(own.map((x, n) => x + distance * by[n]!));
    const { sum } = loss.value();
    for (const { tensor, own } of moves) tensor.data.set(own);
    return sum;
  };
  const slopes = moves.flatMap((move) => [...move.slopes]);
  const usual = Math.hypot(...slopes);
  const want = slopeOf(at, size, usual);
  assert.ok(want.error <= usual / 2 + 2 ** -14 * size, `${what}: a difference is known within ${want.error} alone`);
  const got = slopes.reduce((sum, slope) => sum + slope, 0);
  assert.ok(Math.abs(got - want.slope) <= want.error, `${what}: ${got}, by a difference ${want.slope} ± ${want.error}`);
}

for (const entry of list()) {
  const { id, defaults } = entry;
  test(id, () => {
    fovea.scope(() => {
      const random = new TestRandom(5);
      const floats = floatsOf(entry, random);
      if (floats.size === 0) return assert.ok(WITHOUT_FLOATS.includes(id), 'has no floats');
      const record: TensorRecord = Object.fromEntries(floats);
      const loss = new Loss(() => resultsIn(evaluate(fovea, entry, withNumbers(defaults, floats))));
      const differentiate = () => valueAndGrad(fovea, record, () => loss.compute());
      const refused = REFUSED[id];
      if (refused !== undefined) return fails('option', refused, differentiate, fovea);
      const { gradients } = differentiate();
      const paths = [...floats.keys()];
      const independent = paths.filter((path) => gradients[path]!.data.every((slope) => slope === 0));
      assert.deepEqual(independent, INDEPENDENT[id] ?? []);
      const { size } = loss.value();
      for (let first = 0; first < Math.min(paths.length, MOST_DIRECTIONS); first++) {
        const group = paths.filter((path, n) => n % MOST_DIRECTIONS === first && !independent.includes(path));
        const moved = group.map((path) => ({ tensor: floats.get(path)!, gradient: gradients[path]! }));
        if (group.length > 0) checkDirection(loss, size, random, moved, group.join(', '));
      }
    });
  });
}
