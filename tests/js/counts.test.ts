// Counts as the page writes them, beside what Intl.NumberFormat writes of the same numbers.

import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { compact, percent, short, significant, whole } from '../../web/figures/format.ts';

const counts = [0, 1, 12, 999, 1000, 1234, 9999, 10000, 12345, 65536, 999499, 999500, 1e6, 123456789, 2 ** 40, 9.995e11];

test('whole parts thousands in both languages', () => {
  const formats = ['en', 'zh'].map((language) => new Intl.NumberFormat(language));
  fc.assert(
    fc.property(fc.oneof(fc.constantFrom(...counts), fc.nat({ max: 2 ** 31 - 1 })), (n) => {
      for (const format of formats) assert.equal(whole(n), format.format(n));
    }),
  );
});

test('significant keeps three digits', () => {
  const format = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });
  fc.assert(
    fc.property(fc.double({ min: 1e-3, max: 1e9, noNaN: true }), (x) => {
      assert.equal(significant(x), format.format(Number(x.toPrecision(3))));
    }),
  );
});

test('compact takes thousands in English and ten thousands in Chinese', () => {
  for (const language of ['en', 'zh'] as const) {
    const format = new Intl.NumberFormat(language, {
      ...{ notation: 'compact', maximumSignificantDigits: 3, useGrouping: false },
    } as const);
    for (const count of counts) assert.equal(compact(count, language), format.format(count), `${language} ${count}`);
  }
});

test('a share that rounds to a multiple of 10 keeps its zeros, as Intl.NumberFormat writes it', () => {
  const format = new Intl.NumberFormat('en', { style: 'percent' });
  for (const part of [0.4, 0.195, 0.996, 0.098, 0.5, 1, 0, 0.07, 0.29, 1.204]) {
    assert.equal(percent(part), format.format(part), String(part));
  }
  assert.equal(percent(0.9996, 1), '100%');
  assert.equal(percent(0.003), '0.3%');
  assert.equal(percent(4e-9), '4e−7%');
});

test('short without decimals keeps the zeros of a whole number', () => {
  assert.deepEqual(
    [short(57.4, 0), short(99.7, 0), short(-119.6, 0), short(1.204, 1), short(1.98, 1)],
    ['57', '100', '−120', '1.2', '2'],
  );
});
