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
function read<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch (error) {
    assert.ok(error instanceof Refusal, String(error));
    assert.ok(error.text.en.length > 0 && error.text.zh.length > 0);
    return undefined;
  } finally {
    assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
  }
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
      (text) => void read(() => readMatrixText(text)),
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

test('a damaged CSV is refused, or read to its last number', () => {
  const change = fc.record({
    at: fc.nat(400),
    cut: fc.nat(4),
    put: fc.stringMatching(/^[0-9,;\t\n\r "eE+.x-]{0,4}$/),
  });
  const separators = fc.constantFrom(',', ';', '\t', ' ');
  let taken = 0;
  fc.assert(
    fc.property(
      rows,
      separators,
      fc.boolean(),
      fc.array(change, { minLength: 1, maxLength: 3 }),
      (matrix, between, named, changes) => {
        const lines = matrix.map((row, r) => [
          ...(named ? [`row ${r}`.replace(' ', between === ' ' ? '_' : ' ')] : []),
          ...row,
        ]);
        const head = named ? [lines[0]!.map((_, c) => `n${c}`)] : [];
        const whole = [...head, ...lines].map((line) => line.join(between)).join('\n');
        const text = changes.reduce((all, { at, cut, put }) => {
          const from = at % (all.length + 1);
          return all.slice(0, from) + put + all.slice(from + cut);
        }, whole);
        const made = read(() => readMatrixText(text));
        const table = made?.get('');
        if (!table) return;
        taken++;
        // All cells are numbers of the table, but for a line and a column of names.
        const separator = /[,;\t]/.exec(text.trim())?.[0] ?? /\s+/;
        const cells = text
          .trim()
          .split(/[\r\n]+/)
          .filter((line) => line.trim() !== '')
          .map((line) => line.trim().split(separator));
        const lost = [cells.length - table.length, cells.at(-1)!.length - table[0]!.length];
        assert.ok(
          lost.every((count) => count === 0 || count === 1),
          JSON.stringify(text),
        );
        table.forEach((row, r) =>
          row.forEach((x, c) => {
            assert.equal(x, Number(cells[r + lost[0]!]![c + lost[1]!]!.trim().replace(/^"(.*)"$/, '$1')), JSON.stringify(text));
          }),
        );
      },
    ),
    { numRuns: 2000 },
  );
  assert.ok(taken > 100, `only ${taken} were read`);
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
  assert.match(await said(() => readMatrixText('1,2\n3')), /Row 2 has 1 number; .* 2/);
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
