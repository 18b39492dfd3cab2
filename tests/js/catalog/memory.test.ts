/** Memories of the catalog: hops against their definition in double, and what fails without their design. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { score } from 'fovea/score';
import { fovea, near } from '../support/api.ts';
import { countWeights, entryOf, stagesOf } from '../support/catalog_stages.ts';
import { dot, mix, plus, softmax, type Matrix, type Row } from '../reference/equations/rows.ts';

interface MemoryStages {
  readonly weights: Matrix;
  readonly probability: Row;
}

/** Hops over bags of words, adjacent tables: Sukhbaatar et al. 2015, eq. 1 to 3. */
function hops(tables: readonly Matrix[], ages: readonly Matrix[]): Matrix {
  const { story, question } = entryOf('memory_network').defaults.inputs as { story: Matrix; question: Row };
  const bag = (words: Row, table: Matrix): Row => plus(...words.map((word) => table[word]!));
  const rows = (k: number): Matrix => story.map((words, i) => plus(bag(words, tables[k]!), ages[k]![story.length - 1 - i]!));
  let u = bag(question, tables[0]!);
  return [0, 1].map((k) => {
    const p = softmax(rows(k).map((m) => dot(u, m)));
    u = plus(u, mix(p, rows(k + 1), u.length));
    return p;
  });
}

test('memory_network: the hops are those of the definition, 0.9995 and then 0.987 for the bedroom', () => {
  const { A, C, TA, TC } = entryOf('memory_network').defaults.params as { A: Matrix; C: Matrix[]; TA: Matrix; TC: Matrix[] };
  const want = hops([A, ...C], [TA, ...TC]);
  assert.deepEqual([want[0]![0]!.toFixed(4), want[1]![3]!.toFixed(3)], ['0.9995', '0.987']);
  near({ data: new Float32Array((stagesOf('memory_network') as MemoryStages).weights.flat()), shape: [2, 5] }, want, 1e-5);
});

test('memory_network: with one table for all, the second hop reads the sentence of the first again', () => {
  const { A, TA, TC } = entryOf('memory_network').defaults.params as Record<string, Matrix>;
  const { weights, probability } = stagesOf('memory_network', { params: { A, C: [A, A], TA, TC } }) as MemoryStages;
  assert.ok(weights[1]![0]! > 0.99);
  const words = entryOf('memory_network').defaults.labels['A']![0]!;
  assert.notEqual(words[probability.indexOf(Math.max(...probability))], 'bedroom');
});

test('key_value_memory: a hop is attention with keys and values of their own, scored by dot products', () => {
  const { inputs, params } = entryOf('key_value_memory').defaults;
  const { keys, values, question } = inputs as { keys: Matrix; values: Matrix; question: Row };
  const gain = (params['A'] as Matrix)[0]![0]!;
  const [q, k, v] = [[question], keys, values].map((rows) => rows.map((row) => row.map((x) => gain * x)));
  const { weights, output } = fovea.attention(q!, k!, v!, { score: score.dot(), returnWeights: true });
  const stages = stagesOf('key_value_memory') as { weights: Matrix; o: Matrix };
  near(weights, stages.weights[0], 1e-7);
  near(output, stages.o[0], 1e-6);
});

test('key_value_memory: values that are the keys give back the film that was asked for', () => {
  const { inputs } = entryOf('key_value_memory').defaults;
  const { o } = stagesOf('key_value_memory', { inputs: { ...inputs, values: inputs['keys'] } }) as { o: Matrix };
  const axes = entryOf('key_value_memory').defaults.labels['A']![0]!;
  assert.deepEqual(
    axes.filter((_, n) => o[0]![n]! > 2.9),
    ['Inception', 'director'],
  );
});

test('dynamic_memory: after the first pass the memory is about john, and about no place', () => {
  const { memories } = stagesOf('dynamic_memory') as { memories: Matrix };
  const axes = entryOf('dynamic_memory').defaults.labels['embedding']![1]!;
  const named = memories.map((memory) => axes.filter((_, n) => memory[n]! > 0.5));
  assert.deepEqual(named, [['football', 'going'], ['john'], ['john', 'bedroom']]);
});

test('dynamic_memory: gates are no distribution, and a third pass finds what the second found', () => {
  const { gates } = stagesOf('dynamic_memory', { options: { passes: 3 } }) as { gates: Matrix };
  assert.ok(gates[1]!.reduce((sum, gate) => sum + gate, 0) > 1.9);
  near({ data: Float32Array.from(gates[2]!), shape: [5] }, gates[1]!, 1e-3);
});

test('as many pairs are counted as there are weights', () => {
  for (const [id, name] of [
    ['memory_network', 'weights'],
    ['key_value_memory', 'weights'],
    ['dynamic_memory', 'gates'],
  ] as const) {
    const { pairs, sizes } = entryOf(id).complexity;
    assert.equal(pairs(sizes), countWeights((stagesOf(id) as Record<string, Matrix>)[name]), id);
  }
});
