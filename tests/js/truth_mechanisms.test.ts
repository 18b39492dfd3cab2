/** Every case of tests/golden/mech through the functions of fovea/mechanisms, at FORMAT.md's bound; integers are exact. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import * as mechanisms from 'fovea/mechanisms';
import { assertWithin, formatBound, type FloatArray } from './support/truth_bounds.ts';
import { allTruthCases, floats, type TruthCase, type TruthTensor } from './support/truth_files.ts';
import { loadForTests } from './support/truth_instance.ts';

const fovea = await loadForTests();
after(() => fovea.dispose());

type Run = (fovea: unknown, inputs: object, params: object, options: object) => Record<string, unknown>;

/** All but the class of errors, and what makes params. */
const functions = new Map(
  Object.entries(mechanisms).filter(
    ([name, value]) => typeof value === 'function' && !['AttentionError', 'randomParams'].includes(name),
  ) as unknown as [string, Run][],
);
const cases = allTruthCases('mech');
/** 'mech.bahdanau' as the function's name. */
const functionOf = ({ kind }: TruthCase): string =>
  kind.replace('mech.', '').replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

test('every function has cases, and every case has its function', () => {
  assert.deepEqual([...new Set(cases.map(functionOf))].sort(), [...functions.keys()].sort());
});

function array(tensor: TruthTensor): { data: Float32Array | Int32Array; shape: number[] } {
  return tensor.dtype.startsWith('float') ? floats(tensor) : { data: Int32Array.from(tensor.data), shape: [...tensor.shape] };
}

/** Dotted names as nested objects. */
function nest(tensors: Readonly<Record<string, TruthTensor>>): Record<string, unknown> {
  const nested: Record<string, unknown> = {};
  for (const [name, tensor] of Object.entries(tensors)) {
    const path = name.split('.');
    let at = nested;
    for (const part of path.slice(0, -1)) at = (at[part] ??= {}) as Record<string, unknown>;
    at[path[path.length - 1]!] = array(tensor);
  }
  return nested;
}

function runCase(run: Run, one: TruthCase): Record<string, unknown> {
  const { initialState, ...inputs } = nest(one.inputs);
  const params = Object.fromEntries(Object.entries(one.params ?? {}).map(([name, tensor]) => [name, array(tensor)]));
  const options = { ...one.attributes, ...(initialState !== undefined && { initialState }) };
  return run(fovea, inputs, params, options);
}

function resultOf(results: Record<string, unknown>, name: string): FloatArray {
  const found = name.split('.').reduce<unknown>((at, part) => (at as Record<string, unknown> | undefined)?.[part], results);
  assert.ok(found !== undefined, `${name} is among the results`);
  if (typeof found === 'number') return { data: [found] as never, shape: [] };
  return found as FloatArray;
}

for (const one of cases) {
  test(one.name, () => {
    const results = runCase(functions.get(functionOf(one))!, one);
    for (const [output, want] of Object.entries(one.outputs)) {
      const got = resultOf(results, output);
      if (!want.dtype.startsWith('float')) {
        assert.deepEqual(
          { data: [...got.data], shape: [...got.shape] },
          { data: [...want.data], shape: [...want.shape] },
          output,
        );
        continue;
      }
      // Weights of padding and of what is forbidden are exactly 0.
      const isZero = (n: number): boolean => want.data[n] === 0 && output.toLowerCase().includes('weights');
      assertWithin(got, want, formatBound(want, one.baseline_f32?.[output]), output, isZero);
    }
  });
}
