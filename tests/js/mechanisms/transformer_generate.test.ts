/** transformerGenerate: its properties, each beside the wrong variant that it catches, and bad input. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transformer, transformerGenerate } from 'fovea/mechanisms';
import { random, type Matrix, type Row } from '../reference/equations/rows.ts';
import { transformerParams } from '../reference/transformer.ts';
import { reference, type Wrong } from '../reference/transformer_generate.ts';
import { fails, fovea, leavesNothing } from '../support/api.ts';
import { agreesOnDrawnCalls, type DrawnCall } from '../support/mechanism_drawn.ts';
import { close, nested, properties, type Run } from '../support/mechanism_properties.ts';

const heads = 2;
const params = transformerParams({ E: 8, F: 6, Vs: 7, Vt: 9, layers: 1 }, 4);
const inputs = { source: [3, 1, 4, 1, 6] };
const asked = { heads, start: 0, maxLength: 6 };
const LOOSE = 2e-5;

const run = nested(transformerGenerate);
const property = properties<Wrong>(run, reference);
const whole = run(inputs, params, asked);
const ids = whole['generated'] as Row;

test('generated ids, logits and their probability agree with the definition in double', () => {
  for (const options of [asked, { ...asked, end: ids[2]! }, { ...asked, start: 5, positions: 'none' }]) {
    const got = run(inputs, params, options);
    for (const [name, want] of Object.entries(reference('')(inputs, params, options)))
      assert.ok(close(got[name], want, LOOSE), name);
  }
});

/** Nested numbers of two axes are ids; vectors are an array of floats. */
const withVectors: Run = ({ source }, params, options) => {
  const rows = source as Matrix | Row;
  const vectors = Array.isArray(rows[0]) && { data: Float32Array.from(rows.flat()), shape: [rows.length, rows[0].length] };
  return run({ source: vectors || source }, params, options);
};

agreesOnDrawnCalls(withVectors, reference, ['positions restart', 'end ignored'], (draw): DrawnCall => {
  const [heads, S] = [draw.integer(1, 3), draw.one(1, 2, 3, 5)];
  const sizes = { E: heads * draw.one(1, 2, 3, 4), F: draw.width(), Vs: draw.width(), Vt: draw.width() };
  return {
    inputs: { source: draw.maybe() ? draw.numbers([S, sizes.E], 2) : draw.integers(S, 0, sizes.Vs - 1) },
    params: transformerParams({ ...sizes, layers: draw.integer(1, 2) }, draw.integer(1, 2 ** 20)),
    options: {
      ...{ heads, start: draw.integer(0, sizes.Vt - 1), maxLength: draw.integer(1, 5) },
      ...(draw.maybe() && { end: draw.integer(0, sizes.Vt - 1) }),
      ...(draw.maybe() && { positions: draw.one('sinusoidal', 'none') }),
      ...(draw.maybe() && { sourceLengths: draw.integer(0, S) }),
    },
  };
});

property('one call over the start and what was generated has the same logits', 'positions restart', (generate) => {
  const { generated, logits } = generate(inputs, params, asked) as { generated: Row; logits: Matrix };
  const target = [0, ...generated.slice(0, -1)];
  const one = nested(transformer)({ ...inputs, target }, params, { heads });
  return close(logits, one['logits'], LOOSE) && generated.every((id, t) => id === logits[t]!.indexOf(Math.max(...logits[t]!)));
});

property('nothing follows the first end', 'end ignored', (generate) => {
  const end = ids[2]!;
  const { generated, length } = generate(inputs, params, { ...asked, end }) as { generated: Row; length: number };
  return length === ids.indexOf(end) + 1 && close(generated, ids.slice(0, length), 0);
});

test('fewer ids are the first of more, in the same bits', () => {
  const fewer = run(inputs, params, { ...asked, maxLength: 5 });
  assert.deepEqual(fewer['generated'], ids.slice(0, 5));
  assert.deepEqual(fewer['logits'], (whole['logits'] as Matrix).slice(0, 5));
});

test('batch entries end on their own; -1 and zeros follow', () => {
  const sources = [inputs.source, [2, 0, 5, 5, 5]];
  const alone = run({ source: sources[1]!.slice(0, 3) }, params, asked)['generated'] as Row;
  const end = ids[0]!;
  const both = run({ source: sources }, params, { ...asked, end, sourceLengths: [5, 3] });
  const [first, second] = both['generated'] as Matrix;
  const at = alone.indexOf(end);
  const own = at === -1 ? alone : alone.slice(0, at + 1);
  assert.deepEqual(both['length'], [1, own.length]);
  assert.deepEqual(second!.slice(0, own.length), own);
  assert.deepEqual(first, [end, ...second!.slice(1).map(() => -1)]);
  assert.ok(
    (both['logits'] as Matrix[])[0]!
      .slice(1)
      .flat()
      .every((x) => x === 0),
  );
});

test('vectors as source, an empty source, and nothing else is left', () => {
  const source = random([3, 8], 9);
  const asFloats = { data: Float32Array.from(source.flat()), shape: [3, 8] };
  const tensor = fovea.tensor(asFloats);
  const { generated, logits, memory } = transformerGenerate(fovea, { source: tensor }, params, asked);
  leavesNothing(() => {
    const plain = transformerGenerate(fovea, { source: asFloats }, params, asked);
    assert.deepEqual(plain.generated, generated);
    assert.deepEqual([...plain.logits.data], [...logits.data]);
    assert.equal(transformerGenerate(fovea, { source: [] }, params, asked).length.data[0], 6);
  });
  [tensor, logits, memory].forEach((one) => one.dispose());
});

test('bad input is an error that says what was expected', () => {
  const call =
    (options: object, given: object = inputs, own: object = params) =>
    () =>
      transformerGenerate(fovea, given as never, own as never, { ...asked, ...options } as never);
  fails('value', /transformerGenerate: maxLength must be an integer from 1/, call({ maxLength: 0 }));
  fails('value', /transformerGenerate: start must be an integer from 0 to 8, got 9/, call({ start: 9 }));
  fails('value', /transformerGenerate: end must be an id, got -1/, call({ end: -1 }));
  fails('option', /unknown option 'targetLengths'/, call({ targetLengths: 1 }));
  fails('value', /source must be ids from 0 to 6, got 7/, call({}, { source: [7] }));
  fails('value', /inputs must have source/, call({}, {}));
  fails('value', /missing sourceEmbedding\.weight, encoder.*; unexpected extra/, call({}, inputs, { extra: [1] }));
});
