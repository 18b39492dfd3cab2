/** fovea/files and files that are damaged, or made to do harm: each is refused by the rule that it breaks. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { AttentionError, readNpy, readSafetensors, writeNpy, writeSafetensors, type FileSource } from 'fovea/files';
import { amid, concat, encodeText, rawNpy, rawSafetensors, refuses, watched } from '../support/files.ts';
import { RUNS, SEED } from '../support/truth_problems.ts';

const fill = (length: number): number[] => new Array<number>(length).fill(1);
const tensor = (shape: unknown, data_offsets: unknown, dtype: unknown = 'U8'): object => ({ dtype, shape, data_offsets });

describe('a safetensors file is refused', () => {
  const cases: [string, RegExp, Uint8Array][] = [
    ['that is empty', /8 bytes of its header's length, got 0/, new Uint8Array()],
    ['that ends within the length', /8 bytes of its header's length, got 7/, fill(7) as unknown as Uint8Array],
    ['whose header is longer than the file', /header must end within the file .* got 3 of 2/, rawSafetensors('{}', [], 3n)],
    ['whose header has 2^64 - 1 bytes', /got 18446744073709552000 of 2/, rawSafetensors('{}', [], 2n ** 64n - 1n)],
    ['whose header has 2^63 bytes', /got 9223372036854776000 of 2/, rawSafetensors('{}', [], 2n ** 63n)],
    ['whose header is empty', /must begin with '\{', got ""/, rawSafetensors('')],
    ['whose header is a list', /must begin with '\{', got "\[\]"/, rawSafetensors('[]')],
    ['whose header begins with a space', /must begin with '\{', got " \{\}"/, rawSafetensors(' {}')],
    ['whose header begins with a byte order mark', /must begin with '\{', got "\ufeff/, rawSafetensors('\ufeff{}')],
    ['whose header is no UTF-8', /must be UTF-8/, rawSafetensors(concat(encodeText('{"'), [0xff], encodeText('":1}')))],
    [
      'whose header has an overlong form',
      /must be UTF-8/,
      rawSafetensors(concat(encodeText('{"'), [0xc0, 0x80], encodeText('"'))),
    ],
    ['whose header is cut off', /must have '\}' at character \d+, got its end/, rawSafetensors('{"a":{"dtype":"U8"')],
    ['whose header ends within a text', /ends within a string/, rawSafetensors('{"a')],
    ['whose header ends with a backslash', /ends within a string/, rawSafetensors('{"a\\')],
    ['with something behind its header', /must have only spaces at character 3, got "x"/, rawSafetensors('{} x')],
    ['with a zero behind its header', /must have only spaces/, rawSafetensors('{}\0')],
    ['with a comma at the end', /must have a string at character/, rawSafetensors('{"__metadata__":{},}')],
    ['with a wrong escape', /must have a string/, rawSafetensors('{"\\x":1}')],
    ['with a line break in a text', /must have a string/, rawSafetensors('{"a\nb":1}')],
    ['with half of a pair in a name', /half of a surrogate pair/, rawSafetensors('{"\\ud800":1}')],
    [
      'with a name twice',
      /has the key "a" twice/,
      rawSafetensors('{"a":{"dtype":"U8","shape":[0],"data_offsets":[0,0]},"a":{}}'),
    ],
    [
      'with a name twice, once escaped',
      /has the key "a" twice/,
      rawSafetensors('{"a":{"dtype":"U8","shape":[0],"data_offsets":[0,0]},"\\u0061":{}}'),
    ],
    ['with a field twice', /has the key "shape" twice/, rawSafetensors('{"a":{"shape":[1],"shape":[1]}}')],
    ['with metadata twice', /has the key "__metadata__" twice/, rawSafetensors('{"__metadata__":{},"__metadata__":{}}')],
    ['with a key of metadata twice', /has the key "x" twice/, rawSafetensors('{"__metadata__":{"x":"1","x":"2"}}')],
    ['with numbers as metadata', /must have a string at character \d+, got "1/, rawSafetensors('{"__metadata__":{"x":1}}')],
    ['with nested metadata', /must have a string/, rawSafetensors('{"__metadata__":{"x":{}}}')],
    ['with metadata that is null', /must have '\{'/, rawSafetensors('{"__metadata__":null}')],
    ['with a tensor that is a list', /must have '\{'/, rawSafetensors('{"a":[1]}')],
    ['without a dtype', /a known dtype, got ''/, rawSafetensors({ a: { shape: [1], data_offsets: [0, 1] } }, fill(1))],
    [
      'without a shape',
      /tensor 'a' must have a dtype, a shape/,
      rawSafetensors({ a: { dtype: 'U8', data_offsets: [0, 1] } }, fill(1)),
    ],
    ['without offsets', /two data_offsets/, rawSafetensors({ a: { dtype: 'U8', shape: [1] } }, fill(1))],
    ['with one offset', /two data_offsets/, rawSafetensors({ a: tensor([1], [0]) }, fill(1))],
    ['with three offsets', /two data_offsets/, rawSafetensors({ a: tensor([1], [0, 1, 2]) }, fill(1))],
    ['with 65 axes', /few axes/, rawSafetensors({ a: tensor(fill(65), [0, 1]) }, fill(1))],
    ['with an unknown dtype', /a known dtype, got 'F7'/, rawSafetensors({ a: tensor([1], [0, 1], 'F7') }, fill(1))],
    [
      'with the dtype constructor',
      /a known dtype, got 'constructor'/,
      rawSafetensors({ a: tensor([1], [0, 1], 'constructor') }, fill(1)),
    ],
    [
      'with the dtype __proto__',
      /a known dtype, got '__proto__'/,
      rawSafetensors({ a: tensor([1], [0, 1], '__proto__') }, fill(1)),
    ],
    ['with a number as dtype', /must have a string/, rawSafetensors({ a: tensor([1], [0, 1], 8) }, fill(1))],
    ['with a negative axis', /whole number .* got "-1/, rawSafetensors({ a: tensor([-1], [0, 1]) }, fill(1))],
    ['with -0 as an axis', /whole number .* got "-0/, rawSafetensors('{"a":{"shape":[-0]}}')],
    ['with a fraction as an axis', /whole number .* got "1.5/, rawSafetensors({ a: tensor([1.5], [0, 1]) }, fill(1))],
    ['with 1.0 as an axis', /whole number .* got "1.0/, rawSafetensors('{"a":{"shape":[1.0]}}')],
    ['with 1e3 as an axis', /whole number .* got "1e3/, rawSafetensors('{"a":{"shape":[1e3]}}')],
    ['with 01 as an axis', /whole number .* got "01/, rawSafetensors('{"a":{"shape":[01]}}')],
    ['with a text as an axis', /whole number/, rawSafetensors({ a: tensor(['1'], [0, 1]) }, fill(1))],
    ['with null as an axis', /whole number/, rawSafetensors({ a: tensor([null], [0, 1]) }, fill(1))],
    ['with 2^53 as an axis', /whole number .* got "900719925474/, rawSafetensors('{"a":{"shape":[9007199254740992]}}')],
    ['with a thousand digits', /whole number/, rawSafetensors(`{"a":{"shape":[${'9'.repeat(1000)}]}}`)],
    [
      'with 2^106 elements',
      /a shape that a file can hold, got U8/,
      rawSafetensors({ a: tensor([2 ** 53 - 1, 2 ** 53 - 1], [0, 1]) }, fill(1)),
    ],
    [
      'with 2^53 bits',
      /a shape that a file can hold, got F64 \[140737488355328\]/,
      rawSafetensors({ a: tensor([2 ** 47], [0, 1], 'F64') }, fill(1)),
    ],
    [
      'with more elements than any file, and a 0',
      /a shape that a file can hold/,
      rawSafetensors({ a: tensor([2 ** 50, 2 ** 50, 0], [0, 0]) }),
    ],
    [
      'with half a byte',
      /a shape that a file can hold, got F4 \[3\]/,
      rawSafetensors({ a: tensor([3], [0, 1], 'F4') }, fill(1)),
    ],
    [
      'with fewer bytes than its shape',
      /are the 2 bytes of U8 \[2\] apart, got \[0, 1\]/,
      rawSafetensors({ a: tensor([2], [0, 1]) }, fill(1)),
    ],
    [
      'with more bytes than its shape',
      /are the 4 bytes of F32 \[\] apart, got \[0, 5\]/,
      rawSafetensors({ a: tensor([], [0, 5], 'F32') }, fill(5)),
    ],
    ['whose offsets go back', /apart, got \[1, 0\]/, rawSafetensors({ a: tensor([1], [1, 0]) }, fill(1))],
    [
      'whose data is cut off',
      /must fill the data, got 4 bytes of tensors in 3/,
      rawSafetensors({ a: tensor([4], [0, 4]) }, fill(3)),
    ],
    [
      'with bytes behind its data',
      /must fill the data, got 4 bytes of tensors in 5/,
      rawSafetensors({ a: tensor([4], [0, 4]) }, fill(5)),
    ],
    ['with data but no tensor', /must fill the data, got 0 bytes of tensors in 1/, rawSafetensors('{}', fill(1))],
    [
      'with offsets beyond any file',
      /must begin .* at byte 0/,
      rawSafetensors({ a: tensor([1], [2 ** 53 - 2, 2 ** 53 - 1]) }, fill(1)),
    ],
    [
      'whose tensors overlap',
      /tensor 'b' must begin .* at byte 2 of the data, got 1/,
      rawSafetensors({ a: tensor([2], [0, 2]), b: tensor([2], [1, 3]) }, fill(3)),
    ],
    [
      'whose tensors are the same bytes',
      /tensor 'b' must begin .* at byte 2 of the data, got 0/,
      rawSafetensors({ a: tensor([2], [0, 2]), b: tensor([2], [0, 2]) }, fill(2)),
    ],
    [
      'with a hole',
      /tensor 'b' must begin .* at byte 1 of the data, got 2/,
      rawSafetensors({ b: tensor([1], [2, 3]), a: tensor([1], [0, 1]) }, fill(3)),
    ],
    ['with a hole at the beginning', /tensor 'a' must begin .* at byte 0/, rawSafetensors({ a: tensor([1], [1, 2]) }, fill(2))],
    [
      'with an empty tensor within another',
      /tensor 'b' must begin/,
      rawSafetensors({ a: tensor([4], [0, 4]), b: tensor([0], [2, 2]) }, fill(4)),
    ],
    ['that nests deeper than 16', /nests deeper than 16/, rawSafetensors(`{"a":{"x":${'['.repeat(17)}${']'.repeat(17)}}}`)],
    ['that nests a million lists', /nests deeper than 16/, rawSafetensors(`{"a":{"x":${'['.repeat(1e6)}`)],
    ['that nests a million objects', /nests deeper than 16/, rawSafetensors(`{"a":{"x":${'{"y":'.repeat(1e6)}`)],
    ['whose unknown field is no JSON', /must have a value/, rawSafetensors('{"a":{"x":nul}}')],
    ['whose unknown field is missing', /must have a value/, rawSafetensors('{"a":{"x":}}')],
  ];
  for (const [name, message, file] of cases) {
    test(name, async () => {
      const bytes = Uint8Array.from(file);
      await refuses('value', /^readSafetensors: the Uint8Array: /, readSafetensors(amid(bytes)));
      await refuses('value', message, readSafetensors(amid(bytes)));
      await refuses('value', message, readSafetensors(watched(bytes).blob, { names: [], as: 'stored' }));
    });
  }

  test('whose header has more than 100 MB, before it is read', async () => {
    const { blob, ranges } = watched(rawSafetensors('{}', [], 100_000_001n));
    const huge = Object.assign(blob, { size: 3e8 });
    await refuses('value', /have at most 100000000 bytes, got 100000001/, readSafetensors(huge));
    assert.deepEqual(ranges, [[0, 8]]);
  });
});

describe('a safetensors file is taken', () => {
  test('with fields that nobody knows, spaces, offsets in any order, empty tensors anywhere', async () => {
    const header = ` {"b" : { "dtype":"U8", "more":[{"x":[1e5,-0.5,true,null,"}"]}], "shape":[ 1 ],\r\n"data_offsets":[1,2]},
      "e":{"dtype":"F32","shape":[0,7],"data_offsets":[1,1]},"a":{"dtype":"BOOL","shape":[],"data_offsets":[0,1]}}\t `;
    const { tensors } = await readSafetensors(rawSafetensors(header.trimStart(), [5, 6]));
    assert.deepEqual([...tensors.keys()], ['b', 'e', 'a']);
    assert.deepEqual(
      [...tensors.values()].map(({ data }) => [...data]),
      [[6], [], [5]],
    );
  });

  test('with types that are no numbers, which are bytes', async () => {
    const file = rawSafetensors(
      { q: tensor([3], [0, 3], 'F8_E4M3'), f: tensor([2, 3], [3, 6], 'F4'), x: tensor([1], [6, 7]) },
      fill(7),
    );
    await refuses('value', /tensor 'q' has the dtype F8_E4M3, which is read as bytes alone/, readSafetensors(file));
    const { tensors } = await readSafetensors(file, { as: 'stored' });
    assert.deepEqual(tensors.get('f'), { data: Uint8Array.of(1, 1, 1), shape: [2, 3], dtype: 'F4' });
    assert.deepEqual([...(await readSafetensors(file, { names: ['x'] })).tensors.keys()], ['x']);
  });
});

describe('an npy file is refused', () => {
  const dict = (descr = "'<f4'", fortran = 'False', shape = '(1,)'): string =>
    `{'descr': ${descr}, 'fortran_order': ${fortran}, 'shape': ${shape}, }\n`;
  const cases: [string, RegExp, Uint8Array][] = [
    ['that is empty', /must begin with/, new Uint8Array()],
    ['that is none', /must begin with \\x93NUMPY, got "\{\}/, encodeText('{}')],
    ['of version 0.0', /version must be .* got 0\.undefined/, concat([0x93], encodeText('NUMPY'))],
    ['of version 4.0', /version must be .* got 4\.0/, rawNpy(dict(), fill(4), 4)],
    ['of version 1.1', /version must be .* got 1\.1/, concat([0x93], encodeText('NUMPY'), [1, 1, 0, 0])],
    ['that ends within the length', /tell the length of its header, got 11 bytes/, rawNpy('', [], 2).subarray(0, 11)],
    ['whose header is longer than the file', /must end within the file .* got 99 of 2/, rawNpy('{}', [], 1, 99)],
    ['whose header has 2^32 - 1 bytes', /at most 65535 bytes, got 4294967295 of 2/, rawNpy('{}', [], 3, 2 ** 32 - 1)],
    ['whose header has 65,536 bytes', /at most 65535 bytes, got 65536/, rawNpy(dict().padEnd(65536), fill(4), 2)],
    ['whose header is no UTF-8', /must be UTF-8/, concat(rawNpy('', [], 1, 2), [0x7b, 0xff])],
    ['without keys', /must have descr, fortran_order and shape/, rawNpy('{}')],
    ['without a shape', /must have descr/, rawNpy("{'descr': '<f4', 'fortran_order': False}")],
    ['with a key more', /must have no key 'more'/, rawNpy("{'more': 1}")],
    ['with a key twice', /has the key "descr" twice/, rawNpy("{'descr': '<f4', 'descr': '<f4'}")],
    ['with something behind the dict', /must have only spaces/, rawNpy(`${dict()}x`, fill(4))],
    ['with two commas', /must have a string/, rawNpy(dict().replace('}', ',}'), fill(4))],
    ['with a call in it', /must have/, rawNpy(dict("__import__('os')"), fill(4))],
    ['with a structured type', /a dict of texts, .* got '\['/, rawNpy(dict("[('x', '<f4')]"), fill(4))],
    ['with escapes', /a dict of texts/, rawNpy(dict("'\\x3cf4'"), fill(4))],
    ['with texts that end as they do not begin', /a dict of texts/, rawNpy(dict(`'<f4"`), fill(4))],
    ['with a shape that is no tuple', /a dict of texts/, rawNpy(dict("'<f4'", 'False', '(1)'), fill(4))],
    ['with a list as shape', /a dict of texts/, rawNpy(dict("'<f4'", 'False', '[1]'), fill(4))],
    ['with a number as shape', /must have '\['/, rawNpy(dict("'<f4'", 'False', '1'), fill(4))],
    ['with a negative axis', /whole number/, rawNpy(dict("'<f4'", 'False', '(-1,)'), fill(4))],
    ['with a fraction as an axis', /whole number/, rawNpy(dict("'<f4'", 'False', '(1.5,)'), fill(4))],
    ['with 2^53 as an axis', /whole number/, rawNpy(dict("'<f4'", 'False', '(9007199254740992,)'), fill(4))],
    [
      'with 2^106 elements',
      /a shape that a file can hold/,
      rawNpy(dict("'<f4'", 'False', '(9007199254740991, 9007199254740991)'), fill(4)),
    ],
    ['with 65 axes', /at most 64 axes/, rawNpy(dict("'<f4'", 'False', `(${'1, '.repeat(65)})`), fill(4))],
    ['with None as fortran_order', /must have true or false/, rawNpy(dict("'<f4'", 'None'), fill(4))],
    ['with the type object', /one of the types f8 f4 .* got '\|O'/, rawNpy(dict("'|O'"), fill(4))],
    ['with complex numbers', /got '<c8'/, rawNpy(dict("'<c8'"), fill(8))],
    ['with texts', /got '<U1'/, rawNpy(dict("'<U1'"), fill(4))],
    ['with no order of bytes', /got 'f4'/, rawNpy(dict("'f4'"), fill(4))],
    ['with no order where it matters', /got '\|f4'/, rawNpy(dict("'|f4'"), fill(4))],
    ['with a type of the prototype', /got '<constructor'/, rawNpy(dict("'<constructor'"), fill(4))],
    ['with bfloat16', /got '<b2'/, rawNpy(dict("'<b2'"), fill(2))],
    ['whose data is cut off', /must have the 4 bytes of F32 \[1\], got 3/, rawNpy(dict(), fill(3))],
    ['with bytes behind its data', /must have the 4 bytes of F32 \[1\], got 5/, rawNpy(dict(), fill(5))],
  ];
  for (const [name, message, file] of cases) {
    test(name, async () => {
      await refuses('value', /^readNpy: the Uint8Array: /, readNpy(amid(file)));
      await refuses('value', message, readNpy(amid(file)));
      await refuses('value', message, readNpy(watched(file).blob, { as: 'stored' }));
    });
  }

  test('an npy file is taken with any spaces, either quotes, keys in any order, and as Python 2 wrote it', async () => {
    const array = { data: Float32Array.of(2), shape: [1, 1], dtype: 'F32' };
    const data = [0, 0, 0, 0x40];
    for (const header of [
      "{'shape':(1,1),'descr':'<f4','fortran_order':False}",
      '{ "descr" : "<f4" , "fortran_order" : True , "shape" : ( 1 , 1 , ) , } \n',
      "{'descr': '<f4', 'fortran_order': False, 'shape': (1L, 1L), }          \n",
    ])
      assert.deepEqual(await readNpy(rawNpy(header, data)), array);
    const flat = await readNpy(rawNpy(dict("'<f4'", 'True', '(1099511627776, 0, 1)')));
    assert.deepEqual(flat.shape, [2 ** 40, 0, 1]);
  });
});

const runs = Math.ceil(4000 * RUNS);
const seed = SEED;

/** A result that is consistent in itself, or an AttentionError: whatever the bytes are. */
async function survives(read: (source: FileSource, options: object) => Promise<object>, file: Uint8Array): Promise<boolean> {
  const outcomes: unknown[] = [];
  for (const source of [amid(file), watched(file).blob]) {
    try {
      const result = (await read(source, { as: 'stored' })) as Partial<Awaited<ReturnType<typeof readSafetensors>>>;
      const arrays = result.tensors === undefined ? [result as never] : [...result.tensors.values()];
      for (const { data, shape } of arrays) {
        assert.equal(
          data.length,
          shape.reduce((a: number, b: number) => a * b, 1),
        );
        // The data has a buffer of its own: neither the file nor its surroundings can be reached.
        assert.equal(data.buffer.byteLength, data.byteLength);
      }
      outcomes.push(result);
    } catch (error) {
      assert.ok(error instanceof AttentionError, String(error));
      assert.match(error.message, /^read(Npy|Safetensors): the (Uint8Array|Blob): /);
      outcomes.push([error.code, error.message.replace(/the (Uint8Array|Blob)/, '')]);
    }
  }
  assert.deepEqual(outcomes[0], outcomes[1], 'bytes and Blobs are read alike');
  return !Array.isArray(outcomes[0]);
}

const safetensors = writeSafetensors(
  {
    w: { data: Float32Array.of(1, 2, 3, 4, 5, 6), shape: [2, 3] },
    'b.é': { data: Int16Array.of(1, 2, 3), shape: [3] },
    i: { data: BigInt64Array.of(7n), shape: [] },
    e: { data: new Uint8Array(), shape: [0, 4] },
  },
  { metadata: { format: 'pt' } },
);
const npy = writeNpy({ data: Float64Array.of(1, 2, 3, 4, 5, 6), shape: [2, 3] });

describe('damaged at random', () => {
  for (const [name, read, file] of [
    ['safetensors', readSafetensors, safetensors],
    ['npy', readNpy, npy],
  ] as const) {
    test(`${name}: cut off anywhere, it is an error`, async () => {
      assert.ok(await survives(read, file));
      for (let length = 0; length < file.length; length++)
        assert.ok(!(await survives(read, file.subarray(0, length))), `${length}`);
    });

    test(`${name}: with any byte changed, added or taken away, it is an error or an array`, async () => {
      const headerEnd = file.length - 48;
      const edit = fc.record({
        at: fc.oneof(fc.nat(file.length - 1), fc.nat(headerEnd), fc.nat(16)),
        take: fc.oneof(fc.constant(0), fc.constant(1), fc.nat(9)),
        put: fc.oneof(
          fc.uint8Array({ maxLength: 3 }),
          fc
            .constantFrom(
              '{',
              '}',
              '[',
              ']',
              '"',
              "'",
              ',',
              ':',
              '\\',
              '-',
              '.',
              'e',
              '0',
              '9',
              '99999999999999999999',
              '(',
              ')',
              '"__proto__":{},',
              'null',
            )
            .map(encodeText),
        ),
      });
      let read_ = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 3 }), async (edits) => {
          let changed: Uint8Array = file;
          for (const { at, take, put } of edits) changed = concat(changed.subarray(0, at), put, changed.subarray(at + take));
          if (await survives(read, changed)) read_++;
        }),
        { seed, numRuns: runs },
      );
      assert.ok(read_ > 0 && read_ < runs, `${read_} of ${runs} could still be read`);
    });
  }

  test('safetensors: a header of any JSON is an error or tensors', async () => {
    const number = fc.oneof(fc.nat(12), fc.constantFrom(-1, 0.5, 2 ** 53, 2 ** 31, 1e300, 4, 8));
    const entry = fc.oneof(
      {
        weight: 9,
        arbitrary: fc.record(
          {
            dtype: fc.constantFrom('U8', 'F16', 'F4', 'I64', 'X'),
            shape: fc.array(number, { maxLength: 3 }),
            data_offsets: fc.array(number, { minLength: 1, maxLength: 3 }),
          },
          { requiredKeys: ['dtype', 'shape'] },
        ),
      },
      { weight: 1, arbitrary: fc.jsonValue() },
    );
    const header = fc.dictionary(fc.oneof(fc.constantFrom('a', 'b', '__proto__', '__metadata__'), fc.string()), entry, {
      maxKeys: 3,
    });
    await fc.assert(
      fc.asyncProperty(
        header,
        fc.nat(16),
        async (value, length) => void (await survives(readSafetensors, rawSafetensors(JSON.stringify(value), fill(length)))),
      ),
      { seed, numRuns: runs },
    );
    assert.deepEqual(Object.keys(Object.prototype), []);
  });

  test('safetensors: tensors that cover the data in any order are read, each its own bytes', async () => {
    const lengths = fc.array(fc.nat(5), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(lengths, fc.nat(), async (sizes, turn) => {
        let end = 0;
        const entries = sizes.map((size, i) => [`t${i}`, tensor([size], [end, (end += size)])] as const);
        const turned = entries.map((_, i) => entries[(i * 5 + turn) % entries.length]!);
        const ordered = new Set(turned).size === entries.length ? turned : entries;
        const data = Uint8Array.from({ length: end }, (_, i) => i);
        const { tensors } = await readSafetensors(rawSafetensors(Object.fromEntries(ordered), data));
        let from = 0;
        sizes.forEach((size, i) => assert.deepEqual(tensors.get(`t${i}`)!.data, data.slice(from, (from += size))));
      }),
      { seed, numRuns: 300 },
    );
  });
});
