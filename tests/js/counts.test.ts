// Counts as the page writes them, beside what Intl.NumberFormat writes of the same numbers.

import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { compact, decimals, percent, short, significant, weight, whole } from '../../web/figures/format.ts';

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

test('what is no number is a dash', () => {
  assert.deepEqual([significant(NaN), compact(NaN, 'en'), compact(NaN, 'zh'), percent(NaN)], ['–', '–', '–', '–']);
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

test('no format loses zeros, writes a minus before 0 or a share of nothing', () => {
  assert.deepEqual(
    [10, 40, 100, 2000, 39.6, 99.5].map((x) => short(x, 0)),
    ['10', '40', '100', '2000', '40', '100'],
  );
  assert.deepEqual(
    [0.1, 0.4, 0.195, 0.996, 1].map((x) => percent(x)),
    ['10%', '40%', '20%', '100%', '100%'],
  );
  assert.deepEqual(
    [-0.001, -0, 0, -0.006, -12.345].map((x) => decimals(x, 2)),
    ['0.00', '0.00', '0.00', '−0.01', '−12.35'],
  );
  assert.deepEqual(
    [-0.001, -0, -0.25].map((x) => weight(x, 2)),
    ['0.00', '0', '−0.25'],
  );
  assert.deepEqual(
    [-0, NaN].map((x) => percent(x)),
    ['0%', '–'],
  );
  assert.deepEqual([-0, 100, 1000, 20].map(significant), ['0', '100', '1,000', '20']);
  for (const x of [-0, 1e-9, 10, 20, 100, 120000, 0.05, -300])
    for (const digits of [0, 1, 2, 3, 4]) {
      const read = Number(short(x, digits).replace('−', '-'));
      assert.ok(
        Math.abs(read - x) <= Math.max(0.5 * 10 ** -digits, 0.05 * Math.abs(x)) + 1e-12,
        `${x}, ${digits}: ${short(x, digits)}`,
      );
      assert.ok(!/^[-−]0*$/.test(short(x, digits)));
    }
});
