/** The samples of other words: made as those of the catalog, for any text. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { list, run, type CatalogEntry, type Defaults, type HasFeature } from 'fovea/catalog';
import { fails, fovea, leavesNothing } from '../support/api.ts';

const entries = list().filter(({ sampleOf }) => sampleOf !== null);
const sampleOf = ({ sampleOf: of }: CatalogEntry, words: readonly string[], has?: HasFeature) => of!(words, has);
const find = (id: string): CatalogEntry => entries.find((entry) => entry.id === id)!;

/** Lists of names along the first axes of a sample's inputs, with and without a token before the text. */
const textsOf = ({ inputs, labels }: Defaults): (readonly string[])[] =>
  Object.keys(inputs)
    .flatMap((name) => labels[name] ?? [])
    .flatMap((names) => (names === null ? [] : [names, names.slice(1)]))
    .filter((names) => names.length > 0);

/** Their samples have words besides those of the text: a translation in another order, a candidate that does not stand in it. */
const WITH_OTHERS = ['bahdanau', 'conv_s2s', 'luong', 'attention_sum_reader'];

for (const entry of entries) {
  const { id, defaults, complexity } = entry;
  if (!WITH_OTHERS.includes(id))
    test(`${id}: the sample of its own words is its sample`, () => {
      const same = textsOf(defaults).filter((words) => {
        const { inputs, params, labels } = sampleOf(entry, words).en;
        try {
          assert.deepEqual(
            { inputs, params, labels },
            { inputs: defaults.inputs, params: defaults.params, labels: defaults.labels },
          );
          return true;
        } catch {
          return false;
        }
      });
      assert.ok(same.length > 0);
    });

  for (const words of [
    ['word'],
    ['The', 'the'],
    Array<string>(24).fill('very'),
    ['🐦', '很', '好', '的', '国王', '不', '好', '看', '狗', '。'],
    'nobody knew why this very happy queen , who saw it , went home ; Federer beat the dog off ( not good )'.split(' '),
  ])
    test(`${id}: ${words.length} words from “${words[0]}” on are computed, in the sizes that the labels have`, () => {
      for (const [language, sample] of Object.entries<Defaults>({ ...sampleOf(entry, words) })) {
        const { inputs, params, options, contrast, labels, sizes } = sample;
        const { trace } = leavesNothing(() => run(fovea, id, inputs, params, options));
        for (const { name, data } of trace) assert.ok(!data.some(Number.isNaN), `${name} is NaN`);
        run(fovea, id, contrast.inputs ?? inputs, contrast.params ?? params, { ...options, ...contrast.options });
        assert.deepEqual(Object.keys(sizes!), [...complexity.letters]);
        assert.ok(Number.isSafeInteger(complexity.multiplyAdds(sizes!)));
        const named = Object.entries(labels).map(([name, axes]) => {
          const shape = fovea.scope(() => fovea.tensor((inputs[name] ?? params[name]) as never).shape.slice());
          assert.deepEqual(
            axes.map((names, axis) => names?.length ?? shape[axis]),
            shape,
            `${language} ${name}`,
          );
          return axes.flat();
        });
        // A word that a label of the catalog is called like is shown as it was typed.
        for (const word of words) assert.ok(named.flat().includes(word), `${language}: ${word}`);
      }
    });
}

test('words that differ in case or width alone share an axis; the first of them names it', () => {
  const { inputs, labels } = sampleOf(find('local'), ['The', 'ＴＨＥ', 'cat', 'the']).en;
  assert.deepEqual(labels['x']![1], ['The', 'cat']);
  assert.deepEqual(inputs['x'], [
    [1, 0],
    [1, 0],
    [0, 1],
    [1, 0],
  ]);
});

test('a word has the features of the list and those that has gives it', () => {
  const gates = (words: readonly string[], has?: HasFeature) => {
    const { inputs, params } = sampleOf(find('saliency'), words, has).en;
    return [...run(fovea, 'saliency', inputs, params).trace.find(({ name }) => name === 'gate')!.data].map(Math.round);
  };
  assert.deepEqual(gates(['The', 'Cat', 'chases', 'a', 'zebra']), [0, 1, 1, 0, 0]);
  assert.deepEqual(
    gates(['the', 'cat', 'a', 'zebra'], (word, feature) => word === 'zebra' && feature === 'noun'),
    [0, 1, 0, 1],
  );
});

test('hand-written heads look for the same in any text', () => {
  const words = '小明 看见 狗 ， 因为 它 叫 ， 狗 看见 小明'.split(' ');
  const { inputs, params, options } = sampleOf(find('multi_head'), words).en;
  const { shape, data } = run(fovea, 'multi_head', inputs, params, options).trace.find(({ name }) => name === 'weights')!;
  const weight = (head: number, query: number, key: number): number => data[(head * shape[1]! + query) * shape[2]! + key]!;
  for (let i = 1; i < words.length; i++) assert.ok(weight(0, i, i - 1) > 0.99, `previous ${i}`);
  for (const dog of [2, 8]) assert.ok(Math.abs(weight(1, 2, dog) - 0.5) < 0.005, 'same word');
  for (const dog of [2, 8]) assert.ok(Math.abs(weight(2, 5, dog) - 0.5) < 0.005, 'pronoun');
  for (let i = 0; i < words.length; i++) assert.ok(weight(3, i, 0) > 0.99, `first ${i}`);
});

test('a decoder reads a text of other words from its beginning to its end, and writes it', () => {
  for (const n of [1, 2, 9, 24]) {
    const words = Array.from({ length: n }, (_, i) => (i % 3 === 0 ? 'again' : `w${i}`));
    const { inputs, params } = sampleOf(find('bahdanau'), words).en;
    const { trace } = run(fovea, 'bahdanau', inputs, params);
    for (const name of ['weights', 'probability']) {
      const { data } = trace.find((stage) => stage.name === name)!;
      for (let step = 0; step < n; step++) {
        const row = [...data.slice(step * n, (step + 1) * n)];
        assert.equal(row.indexOf(Math.max(...row)), step, `${name} of ${n} words, step ${step}`);
      }
    }
  }
});

test('words that are none, or too many, are errors', () => {
  const entry = find('local');
  for (const [given, message] of [
    [[], /^sampleOf: words must be a list of words, got \[\]/],
    ['the cat', /^sampleOf: words must be a list of words, got 'the cat'/],
    [undefined, /^sampleOf: words must be a list of words, got undefined/],
    [['the', ''], /^sampleOf: word 1 must be a text, got ''/],
    [['the', 7], /^sampleOf: word 1 must be a text, got 7/],
    [new Array(3), /^sampleOf: words must have no holes, got one at 0 of 3/],
    [new Array(257).fill('a'), /^sampleOf: words must be at most 256, got 257/],
  ] as const)
    fails('value', message, () => sampleOf(entry, given as never));
  fails('option', /^sampleOf: has must be a function, got 3/, () => sampleOf(entry, ['a'], 3 as never));
});
