/** Every case of tests/golden/mech through the functions of fovea/mechanisms, at FORMAT.md's bound; integers are exact. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import * as mechanisms from 'fovea/mechanisms';
import { assertWithin, formatBound, type FloatArray } from './support/truth_bounds.ts';
import { floats, truthCases, type TruthCase, type TruthTensor } from './support/truth_files.ts';
import { loadForTests } from './support/truth_instance.ts';

const fovea = await loadForTests();
after(() => fovea.dispose());

type Run = (fovea: unknown, inputs: object, params: object, options: object) => Record<string, unknown>;

/** How many cases each function has: none may be lost. */
const counts: Record<string, number> = {
  attentionOverAttention: 3,
  attentionSumReader: 3,
  bahdanau: 5,
  convS2s: 4,
  convolutionAttention: 3,
  copyNet: 3,
  decomposableAttention: 4,
  disan: 4,
  distanceSelfAttention: 4,
  dynamicMemory: 3,
  emAttention: 4,
  fullyConnected: 4,
  graphAttention: 5,
  hierarchicalAttention: 4,
  imageSelfAttention: 4,
  keyValueMemory: 3,
  keyValuePredict: 5,
  luong: 4,
  luongLocal: 5,
  memoryNetwork: 4,
  multiSource: 3,
  ngramRnn: 3,
  pointerGenerator: 4,
  pointerNetwork: 4,
  reformer: 5,
  resa: 4,
  saliency: 5,
  sentenceEmbedding: 4,
  speechSelfAttention: 4,
  structuredSelfAttention: 4,
  taskSpecific: 3,
  transformer: 5,
  transformerGenerate: 3,
  xformerCost: 3,
};

const stemOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
/** All but the class of errors, and what makes params. */
const functions = Object.entries(mechanisms).filter(
  ([name, value]) => typeof value === 'function' && !['AttentionError', 'randomParams'].includes(name),
);

test('every function has its cases', () => {
  for (const [name] of functions) assert.ok(name in counts, name);
  for (const [name, count] of Object.entries(counts))
    assert.equal(truthCases('mech', `mech.${stemOf(name)}`).length, count, name);
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

for (const [name, run] of functions) {
  for (const one of truthCases('mech', `mech.${stemOf(name)}`)) {
    test(one.name, () => {
      const results = runCase(run as unknown as Run, one);
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
}
