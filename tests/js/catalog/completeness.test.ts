/** The catalog has every system that is built, documented and checked against its paper, and random params for each. */
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { list, random, run } from 'fovea/catalog';
import * as mechanisms from 'fovea/mechanisms';
import { fails, fovea, leavesNothing } from '../support/api.ts';
import { root } from '../support/repository.ts';

const entries = list();
const idsOf = (kind: 'option' | 'system') => entries.filter((entry) => entry.kind === kind).map(({ id }) => id);
const stems = (folder: string) =>
  readdirSync(`${root}/${folder}`)
    .filter((name) => name.includes('.'))
    .map((name) => name.slice(0, name.indexOf('.')))
    .sort();
const camelCase = (id: string) => id.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
const camelCaseOfDocs = [...readFileSync(`${root}/docs/mechanisms.md`, 'utf8').matchAll(/^\| `(\w+)` \|/gm)].map(
  ([, name]) => name!,
);

test('systems of the catalog, functions, references, tests, golden cases and rows of docs/mechanisms.md are the same set', () => {
  const ids = idsOf('system');
  assert.deepEqual(ids, [...ids].sort());
  assert.deepEqual(
    ids,
    stems('bindings/js/mechanisms').filter((stem) => stem !== 'index'),
  );
  for (const folder of ['tests/js/reference', 'tests/js/mechanisms']) assert.deepEqual(stems(folder), ids, folder);
  assert.ok(ids.every((id) => typeof (mechanisms as Record<string, unknown>)[camelCase(id)] === 'function'));
  const longestFirst = [...ids].sort((a, b) => b.length - a.length);
  const golden = stems('tests/golden/mech').map((name) => longestFirst.find((id) => name.startsWith(`${id}_`)) ?? name);
  assert.deepEqual([...new Set(golden)].sort(), ids);
  const systems = camelCaseOfDocs.filter((name) => name !== 'randomParams');
  assert.deepEqual(systems.sort(), ids.map(camelCase).sort());
});

test('each mechanism stands in the file of its id, choices of a call first, in the order of their ids', () => {
  const [options, systems] = [idsOf('option'), idsOf('system')];
  assert.deepEqual(
    entries.map(({ id }) => id),
    [...options.sort(), ...systems.sort()],
  );
  const files = stems('bindings/js/catalog').filter((stem) => stem !== 'index');
  assert.deepEqual([...options, ...systems].sort(), files);
});

for (const { id, defaults } of entries) {
  if (Object.keys(defaults.params).length === 0) continue;
  test(`${id}: random params run, for contrast, and give other results`, () => {
    const params = leavesNothing(() => random(fovea, id, { seed: 1 }));
    const [drawn, own] = [run(fovea, id, undefined, params), run(fovea, id)];
    assert.deepEqual(
      drawn.trace.map(({ name }) => name),
      own.trace.map(({ name }) => name),
    );
    assert.ok(drawn.trace.some(({ data }, n) => data.some((value, i) => value !== own.trace[n]!.data[i])));
  });
}

test('random params follow the seed, and an id that is not there is an error', () => {
  const drawn = [1, 1, 2].map((seed) => random(fovea, 'bahdanau', { seed })['Wa'] as { data: Float32Array });
  assert.deepEqual(drawn[0], drawn[1]);
  assert.notDeepEqual(drawn[0], drawn[2]);
  assert.deepEqual(random(fovea, 'scaled_dot'), {});
  fails('option', /^random: unknown id 'bahdanou'; did you mean 'bahdanau'\?$/, () => random(fovea, 'bahdanou'));
});
