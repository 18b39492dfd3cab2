/** The page's arithmetic of a cell: how many stages of the catalog it can tell, and that it tells nothing that the numbers do not bear out. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { list, run, type CatalogEntry } from 'fovea/catalog';
import { derive, reproduces, type Run } from '../../../web/stages/arithmetic/derive.ts';
import { cellsBehind, explain } from '../../../web/stages/arithmetic/explain.ts';
import { flatOf, indexOf } from '../../../web/stages/arithmetic/expr.ts';
import { factorsOf } from '../../../web/stages/arithmetic/factors.ts';
import { withOtherNumbers } from '../../../web/stages/arithmetic/other_numbers.ts';
import { fovea } from '../support/api.ts';

/** Stages of all entries whose arithmetic is told. It may rise; a change that makes it fall has lost a reading. */
const TOLD = 389;

function runOf({ id, defaults: { inputs, params, options } }: CatalogEntry): Run {
  return { trace: run(fovea, id).trace, inputs, params, options };
}
const otherOf = (entry: CatalogEntry, own: Run): Run | null =>
  withOtherNumbers(own, (inputs, params) => run(fovea, entry.id, inputs, params).trace);

test('the arithmetic of most stages is told, and each reading gives all numbers of two runs', () => {
  let told = 0;
  for (const entry of list()) {
    const own = runOf(entry);
    const other = otherOf(entry, own);
    own.trace.forEach((stage, position) => {
      const expr = derive(own, position, other);
      if (!expr) return;
      told++;
      const last = stage.data.length - 1;
      const index = indexOf(stage.shape, last);
      const value = stage.data[flatOf(stage.shape, index)]!;
      const [first] = explain(expr, index);
      const known = first?.value ?? expr.at(index);
      assert.ok(known === value || Math.abs(known - value) <= 1e-4 * Math.max(1, Math.abs(value)), `${entry.id} ${stage.name}`);
      for (const { source, index: cell } of cellsBehind(expr, index))
        assert.ok(flatOf(source.shape, cell) < source.data.length, `${entry.id} ${stage.name}: ${source.name}`);
    });
  }
  assert.ok(told >= TOLD, `${told} of the ${TOLD} stages that were told`);
});

/** "query · key⊤ =" */
const lineOf = (run: Run, name: string, columns = false): string | undefined =>
  factorsOf(
    run,
    run.trace.findIndex((stage) => stage.name === name),
    columns,
  )
    ?.map((factor) => ('sign' in factor ? factor.sign : factor.source.name + (factor.turned ? '⊤' : '')))
    .join(' ');

test('what a formula makes a matrix of stands before it; a line has the sizes of its product', () => {
  const self = runOf(list().find(({ id }) => id === 'self_attention')!);
  assert.equal(lineOf(self, 'query'), 'input · Wq =');
  assert.equal(lineOf(self, 'scores'), 'query · key⊤ =');
  assert.equal(lineOf(self, 'scores', true), 'key⊤ · query =');
  assert.equal(lineOf(self, 'scaled'), 'scores × 1 =');
  assert.equal(lineOf(self, 'weights'), 'softmax scaled =');
  assert.equal(lineOf(self, 'output'), 'weights · value =');
  const linear = runOf(list().find(({ id }) => id === 'linear')!);
  assert.equal(lineOf(linear, 'similarity'), 'queryFeatures · keyFeatures⊤ =');
  let lines = 0;
  for (const entry of list()) {
    const own = runOf(entry);
    for (const { name, shape } of own.trace) {
      const factors =
        lineOf(own, name) &&
        factorsOf(
          own,
          own.trace.findIndex((stage) => stage.name === name),
          false,
        );
      if (!factors) continue;
      lines++;
      assert.equal(shape.length, 2);
      for (const factor of factors) if ('source' in factor) assert.equal(factor.source.shape.length, 2, `${entry.id} ${name}`);
    }
  }
  assert.ok(lines > 60, `${lines} lines`);
});

const scaledDot = list().find(({ id }) => id === 'scaled_dot')!;

test('a stage with one wrong number has no arithmetic', () => {
  const own = runOf(scaledDot);
  for (const name of ['scores', 'scaled', 'weights', 'output']) {
    const position = own.trace.findIndex((stage) => stage.name === name);
    const stage = own.trace[position]!;
    assert.ok(derive(own, position));
    const data = stage.data.slice();
    data[data.length - 1]! += 0.01;
    const trace = own.trace.map((one) => (one === stage ? { ...stage, data } : one));
    assert.equal(derive({ ...own, trace }, position), null, name);
  }
});

test('a reading that holds by chance is refused by the second run', () => {
  // The identity matrix as keys: the scores are the queries themselves, as K Q would be.
  const ones = [
    [1, 0],
    [0, 1],
  ];
  const inputs = { q: ones, k: ones, v: ones };
  const own: Run = { trace: run(fovea, 'dot', inputs).trace, inputs, params: {}, options: {} };
  const position = own.trace.findIndex(({ name }) => name === 'scores');
  const stage = { ...own.trace[position]!, formula: 'S = Q V' };
  const wrong = (of: Run): Run => ({
    ...of,
    trace: of.trace.map((one, n) => (n === position ? { ...one, formula: stage.formula } : one)),
  });
  assert.ok(derive(wrong(own), position));
  const other = withOtherNumbers(own, (inputs) => run(fovea, 'dot', inputs).trace)!;
  assert.equal(derive(wrong(own), position, wrong(other)), null);
  assert.ok(reproduces(derive(own, position, other)!, own.trace[position]!));
});
