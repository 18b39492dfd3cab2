/** Claims that hold for every mechanism of the catalog. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { list, run, type CatalogEntry, type Defaults } from 'fovea/catalog';
import { fails, fovea, leavesNothing } from '../support/api.ts';
import { evaluate } from '../support/catalog_code.ts';
import { root } from '../support/repository.ts';

const entries = list();
const rowsOf = (path: string) =>
  [...readFileSync(`${root}/${path}`, 'utf8').matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name!);

test('every entry has its row in docs/catalog.md, and none has two', () => {
  const ids = entries.map(({ id }) => id);
  assert.deepEqual([...new Set(ids)], ids);
  assert.deepEqual(rowsOf('docs/catalog.md'), ids);
});

test('every entry tells what it is in both languages', () => {
  for (const { id, title, aliases, equation, paper, year, defaults } of entries) {
    for (const { en, zh } of [title, defaults.claim.text]) {
      assert.ok(en.length > 2 && !/\p{Script=Han}/u.test(en.replace(/[“‘][^”’]*[”’]/gu, '')), `${id}: ${en}`);
      assert.match(zh, /\p{Script=Han}|^softmax|^[A-Z]/u, id);
    }
    assert.ok(
      aliases.some((alias) => /\p{Script=Han}/u.test(alias)),
      `${id}: an alias in Chinese`,
    );
    assert.equal(new Set(aliases).size, aliases.length, id);
    assert.ok(equation.length > 5, id);
    assert.equal(paper?.year ?? year, year, id);
  }
});

test('every mechanism descends from one that is there', () => {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  for (const entry of entries) {
    const line = new Set<string>();
    for (
      let one: CatalogEntry | undefined = entry;
      one !== undefined;
      one = one.parent === null ? undefined : byId.get(one.parent)
    ) {
      assert.ok(!line.has(one.id), `${one.id} descends from itself`);
      line.add(one.id);
      assert.ok(one.parent === null || byId.has(one.parent), `${one.id}: no parent ${one.parent}`);
    }
  }
});

const partsOf = ({ inputs, params, options }: Partial<Defaults>) => [inputs, params, options] as const;

for (const entry of entries) {
  const { id, defaults, samples, ranges, complexity } = entry;
  test(`${id}: each stage of its run has numbers, and the defaults are the English sample`, () => {
    const { trace } = leavesNothing(() => run(fovea, id));
    for (const { name, formula, shape, axes, data } of trace) {
      assert.ok(name.length > 0 && formula.length > 0, `${id} ${name}`);
      assert.equal(shape.length, axes.length, `${id} ${name}`);
      assert.equal(
        data.length,
        shape.reduce((a, b) => a * b, 1),
        `${id} ${name}`,
      );
    }
    assert.ok(trace.length > 0);
    assert.equal(samples.en, defaults);
  });

  for (const [language, sample] of Object.entries(samples))
    test(`${id}: the sample in ${language} shows what is claimed, and its contrast does not`, () => {
      const { claim, contrast } = sample;
      assert.ok(claim.tolerance >= 0);
      assert.ok(claim.holds(run(fovea, id, ...partsOf(sample)).trace), `${id}: ${claim.text.en}`);
      const { inputs = sample.inputs, params = sample.params, options } = contrast;
      assert.ok(!claim.holds(run(fovea, id, inputs, params, { ...sample.options, ...options }).trace), `${id}: its contrast`);
    });

  test(`${id}: its params, where it has any, are no random ones`, () => {
    assert.ok(['none', 'designed', 'trained'].includes(defaults.provenance));
    assert.equal(defaults.provenance === 'none', Object.keys(defaults.params).length === 0, 'provenance');
  });

  test(`${id}: sizes, ranges and labels fit the defaults`, () => {
    assert.deepEqual(Object.keys(complexity.sizes), [...complexity.letters]);
    for (const count of [complexity.pairs(complexity.sizes), complexity.multiplyAdds(complexity.sizes)])
      assert.ok(Number.isSafeInteger(count) && count >= 0, `${count}`);
    for (const [path, { from, to, step }] of Object.entries(ranges)) {
      const [group, name] = path.split('.') as ['inputs' | 'params' | 'options', string];
      const start = defaults[group][name] as number;
      assert.ok(from <= start && start <= to && step > 0, path);
      for (const value of [from, to]) {
        const changed = { ...defaults[group], [name]: value };
        run(fovea, id, ...(['inputs', 'params', 'options'] as const).map((one) => (one === group ? changed : undefined)));
      }
    }
    for (const sample of [samples.en, samples.zh]) {
      for (const [name, labels] of Object.entries(sample.labels)) {
        const shape = fovea.scope(() => fovea.tensor((sample.inputs[name] ?? sample.params[name]) as never).shape.slice());
        assert.deepEqual(
          labels.map((names, axis) => names?.length ?? shape[axis]),
          shape,
          `${id} ${name}`,
        );
      }
      assert.deepEqual(Object.keys(sample.sizes ?? complexity.sizes), [...complexity.letters]);
    }
  });
}

/** The arrays and numbers of a result, those of nested objects by their dotted names. */
function arraysOf(result: object, prefix = ''): Map<string, ArrayLike<number>> {
  return new Map(
    Object.entries(result).flatMap(([name, value]): (readonly [string, ArrayLike<number>])[] => {
      if (typeof value === 'number') return [[prefix + name, [value]]];
      if (name === 'trace' || typeof value !== 'object' || value === null) return [];
      if ('data' in value) return [[prefix + name, value.data as ArrayLike<number>]];
      if (ArrayBuffer.isView(value)) return [[prefix + name, value as unknown as ArrayLike<number>]];
      return [...arraysOf(value, `${prefix}${name}.`)];
    }),
  );
}

for (const entry of entries)
  test(`${entry.id}: its code computes what run computes`, () => {
    const computed = arraysOf(run(fovea, entry.id));
    const coded = arraysOf(evaluate(fovea, entry, entry.defaults));
    assert.ok(coded.size > 0);
    for (const [name, data] of coded) assert.deepEqual(data, computed.get(name), name);
  });

test('trace: true, the default, is taken by every mechanism; a part of it where its function takes one', () => {
  for (const { id } of entries)
    assert.deepEqual(
      run(fovea, id, undefined, undefined, { trace: true }).trace.map(({ name }) => name),
      run(fovea, id).trace.map(({ name }) => name),
      id,
    );
  const first = run(fovea, 'scaled_dot', undefined, undefined, { trace: { rows: [0, 1] } }).trace;
  assert.equal(first.at(-1)!.shape[0], 1);
  for (const id of ['scaled_dot', 'gru'])
    fails('value', /^run: trace must be true or false, got 'all'$/, () =>
      run(fovea, id, undefined, undefined, { trace: 'all' }),
    );
});

test('an id that is not there, and arguments that are no objects, are errors', () => {
  fails('option', /^run: unknown id 'scaled_dots'; did you mean 'scaled_dot'\?$/, () => run(fovea, 'scaled_dots'));
  fails('option', /^run: params must be an object, got 3$/, () => run(fovea, 'scaled_dot', undefined, 3 as never));
  fails('value', /^run: fovea must be/, () => run({} as never, 'scaled_dot'));
});
