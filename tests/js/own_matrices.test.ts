/** Matrices from visitors: the numbers that stand there, or a sentence; never another exception. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { writeNpy, writeSafetensors } from 'fovea/files';
import { readMatrixFile, readMatrixText } from '../../web/inputs/matrices/read.ts';
import { Refusal } from '../../web/inputs/refusal.ts';

const file = (content: string | Uint8Array, name: string): File => new File([content as never], name);
const rows = fc.tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 2, max: 6 })).chain(([r, c]) =>
  fc.array(fc.array(fc.float({ noNaN: true, noDefaultInfinity: true }), { minLength: c, maxLength: c }), {
    minLength: r,
    maxLength: r,
  }),
);

/** Reads, or is refused in both languages. */
function read(action: () => unknown): void {
  try {
    action();
  } catch (error) {
    assert.ok(error instanceof Refusal, String(error));
    assert.ok(error.text.en.length > 0 && error.text.zh.length > 0);
  }
  assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
}

test('pasted numbers, CSV with names, JSON, npy and safetensors give the same matrix', async () => {
  await fc.assert(
    fc.asyncProperty(rows, fc.constantFrom(',', ';', '\t', ' '), async (matrix, separator) => {
      const table = matrix.map((row) => row.map((x) => (Object.is(x, -0) ? '-0' : String(x))).join(separator)).join('\r\n');
      assert.deepEqual(readMatrixText(table).get(''), matrix);
      const labelled = [
        ['', ...matrix[0]!.map((_, c) => `axis ${c}`)],
        ...matrix.map((row, r) => [`word ${r}`, ...row.map((x) => (Object.is(x, -0) ? '-0' : String(x)))]),
      ];
      assert.deepEqual(readMatrixText(`\uFEFF${labelled.map((row) => row.join(',')).join('\n')}`).get(''), matrix);
      const plain = matrix.map((row) => row.map((x) => (x === 0 ? 0 : x)));
      assert.deepEqual(readMatrixText(JSON.stringify(plain)).get(''), plain);
      assert.deepEqual(readMatrixText(JSON.stringify({ Wq: plain })).get('Wq'), plain);
      assert.deepEqual((await readMatrixFile(file(writeNpy(matrix), 'x.npy'))).get(''), matrix);
      const many = await readMatrixFile(file(writeSafetensors({ q: matrix, k: [[1, 2]] }), 'x.safetensors'));
      assert.deepEqual([...many.keys()].sort(), ['k', 'q']);
      assert.deepEqual(many.get('q'), matrix);
    }),
    { numRuns: 60 },
  );
});

test('any text and any file is read or refused', async () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.json(),
        fc.stringMatching(/^[0-9,;.\n\t e-]{0,80}$/),
        fc.constant('{"__proto__":{"polluted":[[1]]}}'),
      ),
      (text) => read(() => readMatrixText(text)),
    ),
    { numRuns: 500 },
  );
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 200 }),
      fc.constantFrom('a.npy', 'a.safetensors', 'a.csv', 'a'),
      async (bytes, name) => {
        await readMatrixFile(file(bytes, name)).catch((error: unknown) =>
          read(() => {
            throw error;
          }),
        );
      },
    ),
    { numRuns: 200 },
  );
});

test('a refusal names what was expected and what came', async () => {
  const said = async (action: () => unknown): Promise<string> => {
    try {
      await action();
    } catch (error) {
      if (error instanceof Refusal) return error.text.en;
      throw error;
    }
    return '';
  };
  assert.match(await said(() => readMatrixText('1,2\n3')), /Row 2 has 1 numbers; .* 2/);
  assert.match(await said(() => readMatrixText('1,2\n3,x')), /row 2, column 2, got “x”/);
  assert.match(await said(() => readMatrixText('[[1,2],[3]')), /not valid JSON/);
  assert.match(await said(() => readMatrixText('[[[1]]]')), /row 1, column 1|rows of numbers/);
  assert.match(await said(() => readMatrixText('9'.repeat(2 ** 20 + 1))), /1048577 characters/);
  assert.match(await said(() => readMatrixText('1\n'.repeat(200))), /200 rows/);
  assert.match(
    await said(() => readMatrixFile(file(writeNpy({ data: new Float32Array(8), shape: [2, 2, 2] }), 'a.npy'))),
    /got \[2, 2, 2\]/,
  );
  assert.match(await said(() => readMatrixFile(file('not npy', 'a.npy'))), /cannot be read/);
  assert.match(
    await said(() => readMatrixFile({ size: 2 ** 28, name: 'a.csv', text: () => assert.fail('read') } as never)),
    /256 MB/,
  );
});
