/**
 * Arrays of another realm (an iframe's, a test runner's context) are what they are here: no class of this realm is asked for. Every
 * mechanism of the catalog gives the same bytes for them.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createContext, runInContext } from 'node:vm';
import { load, type Tensor } from 'fovea';
import { list, run } from 'fovea/catalog';
import { Linear } from 'fovea/nn';
import { fovea, works } from '../support/api.ts';

const realm = createContext({});
const there = runInContext(
  `({
    typed: (kind, numbers) => globalThis[kind].from(numbers),
    array: (entries) => Array.from(entries),
    object: (entries) => Object.assign({}, ...entries.map(([name, value]) => ({ [name]: value }))),
    map: (entries) => new Map(entries),
    set: (entries) => new Set(entries),
  })`,
  realm,
) as {
  typed(kind: string, numbers: ArrayLike<number>): Float32Array;
  array<T>(entries: readonly T[]): T[];
  object(entries: [string, unknown][]): object;
  map<V>(entries: [string, V][]): Map<string, V>;
  set<T>(entries: T[]): Set<T>;
};

/** Equal arrays and objects, made in the other realm. */
function foreign<T>(value: T): T {
  const make = (given: unknown): unknown => {
    if (ArrayBuffer.isView(given)) return there.typed(given.constructor.name, given as Float32Array);
    if (Array.isArray(given)) return there.array(given.map(make));
    if (typeof given !== 'object' || given === null || Object.getPrototypeOf(given) !== Object.prototype) return given;
    return there.object(Object.entries(given).map(([name, one]) => [name, make(one)]));
  };
  return make(value) as T;
}

test('what is made there is of no class of this realm', () => {
  const { data, shape } = foreign({ data: new Float32Array([1]), shape: [1] });
  assert.ok(!(data instanceof Float32Array) && !(shape instanceof Array));
});

test('masks, lengths, rows and nested arrays of another realm give the same bytes', () => {
  const rows = [new Float32Array([1, 2]), new Float32Array([3, 4])];
  const options = {
    mask: { data: new Uint8Array([1, 0, 1, 1]), shape: [2, 2] },
    keyLengths: new Int32Array([2]),
    sinks: [0.5],
  };
  const expected = fovea.attention(rows, [[1, 0], [0, 1]], { data: new Float64Array([5, 6, 7, 8]), shape: [2, 2] }, options); // prettier-ignore
  const got = fovea.attention(
    foreign(rows),
    foreign([
      [1, 0],
      [0, 1],
    ]),
    foreign({ data: new Float64Array([5, 6, 7, 8]), shape: [2, 2] }),
    foreign(options),
  );
  assert.deepEqual(got, expected);
  assert.ok(got.output.data instanceof Float32Array);
});

test('results go into arrays of another realm', () => {
  const output = there.typed('Float32Array', [0, 0]);
  fovea.attention([[1, 2]], [[1, 2]], [[3, 4]], { out: { output: { data: output, shape: [1, 2] } } });
  assert.deepEqual([...output], [3, 4]);
});

test('a scope keeps the Tensors in collections of another realm', () => {
  const kept = fovea.scope(() => {
    const [a, b, c] = [fovea.tensor([1]), fovea.tensor([2]), fovea.tensor([3])];
    return there.array([there.map([['a', a]]), there.set([b]), there.array([c])]);
  });
  const [map, set, array] = kept as unknown as [Map<string, Tensor>, Set<Tensor>, Tensor[]];
  for (const one of [...map.values(), ...set, ...array]) {
    assert.equal(one.toArray().data.length, 1);
    one.dispose();
  }
});

test('a state dict may be a Map of another realm, and names are changed by its RegExp', () => {
  const layer = new Linear(fovea, { inFeatures: 2, outFeatures: 1 });
  const rename = there.array([there.array([runInContext('/^old\\./', realm), ''])]) as [RegExp, string][];
  const weights = there.map<unknown>([
    ['old.weight', foreign([[1, 2]])],
    ['old.bias', foreign([3])],
  ]);
  layer.loadStateDict(weights as never, { rename });
  assert.deepEqual([...layer.forward([[1, 1]]).data], [6]);
  layer.dispose();
});

test('wasmUrl may be a URL of another realm', async () => {
  const href = 'file:///no/such/file.wasm';
  const url = { href, toString: () => href, [Symbol.toStringTag]: 'URL' } as unknown as URL;
  await assert.rejects(load({ wasmUrl: url }), { code: 'load', message: /no\/such\/file\.wasm/ });
});

for (const { id } of list()) {
  test(`${id} with arrays of another realm`, () => {
    const { inputs, params } = list().find((entry) => entry.id === id)!.defaults;
    const bytes = (result: unknown): unknown => JSON.stringify(result);
    const expected = bytes(run(fovea, id, inputs, params));
    assert.equal(bytes(run(fovea, id, foreign(inputs), foreign(params))), expected);
    works();
  });
}
