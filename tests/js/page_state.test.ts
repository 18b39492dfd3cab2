/** A page's state in a link or a file comes from anybody: it is the state that was written, or a named problem; never an exception. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { list } from 'fovea/catalog';
import { readArguments, writeArguments } from '../../web/keep/arguments.ts';
import { decode, encode, LONGEST_LINK, parse, type State } from '../../web/keep/codec.ts';
import { openSaved, savedText } from '../../web/keep/file.ts';
import { shapedAs, type Json } from '../../web/shell/kept.svelte.ts';

const PARTS = ['inputs', 'params', 'options'] as const;
const isProblem = (value: unknown): boolean => ['broken', 'version', 'large'].includes(value as string);
const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');
const deflated = async (bytes: Uint8Array): Promise<Uint8Array> =>
  new Uint8Array(
    await new Response(new Blob([bytes as never]).stream().pipeThrough(new CompressionStream('deflate-raw'))).arrayBuffer(),
  );

/** Every plain object has these properties: nothing that is read may add to them. */
const untouched = (): void => {
  assert.deepEqual(Object.keys(Object.prototype), []);
  assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
};

/** Objects of JSON.parse, which may have "__proto__" as a name of their own. */
const hostile = fc
  .oneof(
    fc.json({ maxDepth: 6 }),
    fc.constantFrom('{"__proto__":{"polluted":1}}', '{"inputs":{"set":{"__proto__":[1]}}}', '[1e400]'),
  )
  .map((text) => JSON.parse(text) as Json);

test('a state that was written is read again, whatever it holds', async () => {
  const tame = fc.dictionary(
    fc.stringMatching(/^[a-z.]{1,12}$/).filter((name) => name !== 'constructor' && name !== 'prototype'),
    fc.oneof(
      fc.integer(),
      fc.boolean(),
      fc.string({ unit: 'grapheme' }),
      fc.array(fc.double({ noNaN: true, noDefaultInfinity: true })),
    ),
  );
  await fc.assert(
    fc.asyncProperty(tame, async (state) => {
      const text = await encode(state as State);
      assert.match(text, /^1\.[\w-]+$/);
      if (text.length > LONGEST_LINK) assert.equal(await decode(text), 'large');
      else assert.equal(JSON.stringify(await decode(text)), JSON.stringify(state));
    }),
    { numRuns: 100 },
  );
});

test('any text is a state or a problem', async () => {
  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.stringMatching(/^[0-9]{0,8}\.[\w-]{0,60}$/),
    fc.uint8Array().map((bytes) => `1.${base64url(bytes)}`),
  );
  await fc.assert(
    fc.asyncProperty(texts, async (text) => {
      const read = await decode(text);
      assert.ok(isProblem(read) || typeof read === 'object');
      untouched();
    }),
    { numRuns: 300 },
  );
  assert.equal(await decode('2.AAAA'), 'version');
  assert.equal(await decode('1.@'), 'broken');
  assert.equal(await decode(`1.${'A'.repeat(LONGEST_LINK)}`), 'large');
});

test('any JSON in a link is a state or broken, and names of objects are refused at every depth', async () => {
  await fc.assert(
    fc.asyncProperty(hostile, async (json) => {
      const read = await decode(`1.${base64url(await deflated(new TextEncoder().encode(JSON.stringify(json))))}`);
      assert.ok(isProblem(read) || typeof read === 'object');
      untouched();
    }),
    { numRuns: 150 },
  );
  assert.equal(parse('{"a":{"__proto__":{"polluted":1}}}'), 'broken');
  assert.equal(parse('{"a":[{"constructor":1}]}'), 'broken');
  assert.equal(parse('{"a":1e400}'), 'broken');
  assert.equal(parse(`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`), 'broken');
  assert.equal(parse('[1]'), 'broken');
});

test('a deflate bomb is given up at its first 256 kB', async () => {
  const bomb = await deflated(new TextEncoder().encode(`{"a":"${' '.repeat(2 ** 21)}"}`));
  const text = `1.${base64url(bomb)}`;
  assert.ok(text.length <= LONGEST_LINK, `${text.length}`);
  assert.equal(await decode(text), 'large');
});

test("every mechanism's arguments are written and read again bit for bit", () => {
  for (const entry of list()) {
    for (const part of PARTS) {
      const { [part]: given } = entry.defaults;
      assert.deepEqual(writeArguments(given, given), {}, entry.id);
      // Against no defaults everything is written.
      const json = JSON.parse(JSON.stringify(writeArguments(given, {}))) as Json;
      assert.deepEqual(readArguments(json, part, entry), given, `${entry.id} ${part}`);
    }
  }
  const [entry] = list();
  const odd = { q: [[NaN, -0, Infinity]], k: Float32Array.of(0.1, -0, NaN), n: -Infinity };
  const read = readArguments(JSON.parse(JSON.stringify(writeArguments(odd, {}))) as Json, 'inputs', {
    ...entry!,
    defaults: { ...entry!.defaults, inputs: odd },
  });
  assert.deepEqual(read, odd);
});

test('arguments of another kind than the defaults are refused, never thrown', () => {
  const entries = list();
  fc.assert(
    fc.property(fc.constantFrom(...entries), fc.constantFrom(...PARTS), hostile, (entry, part, json) => {
      const names = Object.keys(entry.defaults[part]);
      for (const given of [json, ...names.map((name) => ({ [name]: json }))]) {
        const read = readArguments(given, part, entry);
        assert.ok(read === undefined || typeof read === 'object');
        if (read) assert.equal(Object.getPrototypeOf(read), Object.prototype);
      }
      untouched();
    }),
    { numRuns: 400 },
  );
  const topK = entries.find(({ id }) => id === 'top_k')!;
  assert.equal(readArguments({ q: 'text' }, 'inputs', topK), undefined);
  assert.equal(readArguments({ q: [['1']] }, 'inputs', topK), undefined);
  assert.equal(readArguments({ most: 2 ** 40 }, 'options', topK), undefined);
  assert.equal(readArguments({ q: Array.from({ length: 300 }, () => [1]) }, 'inputs', topK), undefined);
  assert.equal(readArguments({ q: { $: 'Function', n: [1] } }, 'inputs', topK), undefined);
});

test('a choice takes JSON of its own kind and shape alone', () => {
  assert.equal(shapedAs(3, 0), 3);
  assert.equal(shapedAs(3.5, 0), undefined);
  assert.equal(shapedAs('3', 0), undefined);
  assert.equal(shapedAs(3, null), 3);
  assert.equal(shapedAs(-1, null), undefined);
  assert.equal(shapedAs(null, 3), null);
  assert.equal(shapedAs('x'.repeat(2001), ''), undefined);
  assert.deepEqual(shapedAs({ row: 1, col: 2 }, { row: 0, col: 0 }), { row: 1, col: 2 });
  assert.equal(shapedAs({ row: 1 }, { row: 0, col: 0 }), undefined);
  assert.equal(shapedAs(['a', 1], ['b']), undefined);
  fc.assert(
    fc.property(
      hostile,
      fc.constantFrom(0, '', null, true, { row: 0, col: 0 }, [0]),
      (json, like) => void shapedAs(json, like),
    ),
  );
});

test('a saved page is opened again; any other file is a problem', async () => {
  const page = { page: '#/top-k?lang=en', state: { options: { set: { most: 2 } } } };
  assert.deepEqual(await openSaved(new Blob([savedText(page)])), page);
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.json(), fc.string({ unit: 'binary' })), async (text) => {
      assert.ok(isProblem(await openSaved(new Blob([text]))));
      untouched();
    }),
    { numRuns: 200 },
  );
  assert.equal(await openSaved(new Blob(['{"fovea":2,"page":"#/","state":{}}'])), 'version');
  assert.equal(await openSaved(new Blob(['{"fovea":1,"page":"javascript:alert(1)","state":{}}'])), 'broken');
  assert.equal(await openSaved({ size: 2 ** 26, text: () => assert.fail('read') } as never), 'large');
});
