// `npm run test:numerics`: the error of every operation under hard inputs (numerics_cases.mjs), on a build of the core with one, two and four threads.
//   node tests/stress/numerics.mjs [--write]
// No error may exceed the figure of numerics.json, and results have the same bytes for each number of threads. --write keeps the figures of this run
// instead, and prints the table of docs/reliability.md. FOVEA_VARIANT=relaxed, by tests/runtimes/on.mjs, measures that build.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { load } from 'fovea';
import { linearAttention } from 'fovea/linear-attention';
import * as ops from 'fovea/ops';
import { normalizer } from 'fovea/score';
import { measure } from './numerics_cases.mjs';

/** The bytes of relaxed SIMD follow the processor: another one's multiply-add may round once more. */
const RELAXED_ROOM = 2;

const file = new URL('numerics.json', import.meta.url);
const name = (process.env.FOVEA_VARIANT || 'simd128').replace('-threads', '');
const figures = {};
let first = null;
for (const threads of [1, 2, 4]) {
  const fovea = await load({ variant: threads === 1 ? name : `${name}-threads`, threads });
  assert.equal(fovea.info.threads, threads);
  const seen = measure(fovea, { ops, linearAttention, normalizer }, { isLong: true });
  fovea.dispose();
  first ??= seen;
  for (const [n, { operation, condition, bytes }] of seen.entries())
    assert.equal(bytes, first[n].bytes, `${operation}, ${condition}: other bytes with ${threads} threads`);
}
for (const { operation, condition, error } of first) {
  assert.ok(Number.isFinite(error), `${operation}, ${condition}: not the number, or not finite`);
  (figures[operation] ??= {})[condition] = Number(error.toPrecision(3));
}

const kept = JSON.parse(readFileSync(file, 'utf8'));
if (process.argv.includes('--write')) {
  writeFileSync(file, `${JSON.stringify({ ...kept, [name]: figures }, null, 1)}\n`);
  console.log(table({ ...kept, [name]: figures }));
} else {
  const room = name === 'relaxed' ? RELAXED_ROOM : 1;
  for (const [operation, conditions] of Object.entries(figures))
    for (const [condition, error] of Object.entries(conditions))
      assert.ok(
        error <= room * kept[name][operation][condition],
        `${operation}, ${condition}: error ${error}, at most ${room * kept[name][operation][condition]} was kept`,
      );
}
console.log(
  `numerics: ${first.length} cases on ${name}: no error above its figure, and the same bytes with 1, 2 and 4 threads`,
);

function table({ simd128, relaxed = {} }) {
  const conditions = [...new Set(Object.values(simd128).flatMap(Object.keys))];
  const cell = (operation, condition) => {
    const [one, other] = [simd128[operation][condition], relaxed[operation]?.[condition]];
    if (one === undefined) return '';
    return other === undefined || other === one ? String(one) : `${one} / ${other}`;
  };
  return [
    `| operation | ${conditions.join(' | ')} |`,
    `|---|${conditions.map(() => '--:|').join('')}`,
    ...Object.keys(simd128).map((operation) => `| ${operation} | ${conditions.map((c) => cell(operation, c)).join(' | ')} |`),
  ].join('\n');
}
