/** "Copy as code": the script of every entry runs as it is copied, and prints the numbers of the trace. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toNested } from 'fovea';
import { list, run, type CatalogEntry } from 'fovea/catalog';
import { scriptOf, type Script } from '../../../web/stages/script.ts';
import { SCORES } from '../../../web/stages/scores.ts';
import { paintedCode, paintedPattern, part, patternCode, patternOf } from '../../../web/patterns/patterns.ts';
import { fovea } from '../support/api.ts';
import { scriptRunner, shown } from '../support/printed_script.ts';

const printedBy = scriptRunner('stages');

type Values = Readonly<Record<string, unknown>>;

/** Runs an entry's script, and holds what it prints against the trace. */
async function assertPrints(entry: CatalogEntry, inputs: Values, params: Values, options: Values): Promise<Script> {
  const script = scriptOf({ entry, inputs, params, options });
  const printed = await printedBy(script);
  const { trace } = run(fovea, entry.id, inputs, params, options);
  if (entry.id === 'xformer_cost') {
    // It returns what the two stages hold by kind.
    for (const { name, data } of trace)
      assert.deepEqual(
        Array.from(printed.values(), (kind) => Math.fround((kind as Record<string, number>)[name]!)),
        [...data],
      );
    return script;
  }
  const stages = trace.filter(({ name }) => printed.has(name));
  assert.ok(stages.length > 0, `printed ${[...printed.keys()].join(', ')}`);
  for (const stage of stages) assert.deepEqual(printed.get(stage.name), shown(stage, printed.get(stage.name)), stage.name);
  return script;
}

for (const entry of list())
  test(`${entry.id}: its script prints the numbers of the trace`, async () => {
    const { inputs, params, options } = entry.defaults;
    await assertPrints(entry, inputs, params, options);
  });

/** Another value of each option that has a range, and those of the catalog's contrast: what the page's controls give. */
function* changes({ ranges, defaults }: CatalogEntry): Generator<Partial<Record<'inputs' | 'params' | 'options', Values>>> {
  const { contrast, options } = defaults;
  // Patterns are given as code: the test below.
  if (!('pattern' in (contrast.options ?? {}))) yield contrast;
  for (const [name, { from, to }] of Object.entries(ranges)) {
    const option = name.replace(/^options\./, '');
    if (option !== name && typeof options[option] === 'number')
      yield { options: { [option]: options[option] === to ? from : to } };
  }
}
const PUT_IN_PLACE: readonly (readonly [string, Values])[] = [
  ['scaled_dot', { scale: 1 }],
  ['dot', { score: SCORES.scaledDot }],
  ['dot', { score: SCORES.cosine }],
  ['cosine', { score: SCORES.dot }],
  ['additive', { score: SCORES.dot }],
  ['location', { score: SCORES.dot }],
  ...['hard', 'top_k', 'sparsemax', 'entmax', 'relu'].map((id) => [id, { normalizer: 'softmax' }] as const),
  ['entmax', { normalizer: 'sparsemax' }],
];

test('scripts print the numbers of what a visitor has changed', async () => {
  let count = 0;
  const check = async (
    entry: CatalogEntry,
    changed: Partial<Record<'inputs' | 'params' | 'options', Values>>,
  ): Promise<void> => {
    const { inputs, params, options } = entry.defaults;
    count++;
    await assertPrints(
      entry,
      { ...inputs, ...changed.inputs },
      { ...params, ...changed.params },
      { ...options, ...changed.options },
    );
  };
  for (const entry of list()) for (const changed of changes(entry)) await check(entry, changed);
  for (const [id, options] of PUT_IN_PLACE)
    await check(
      list().find((entry) => entry.id === id)!,
      { options },
    );
  assert.ok(count > 80, `${count} changes`);
});

test('large matrices lie in a file beside the script', async () => {
  const entry = list().find(({ id }) => id === 'scaled_dot')!;
  const matrix = (rows: number, cols: number): number[][] =>
    Array.from({ length: rows }, (_, r) => Array.from({ length: cols }, (_, c) => Math.sin(r * cols + c)));
  const inputs = { q: matrix(3, 8), k: matrix(251, 8), v: matrix(251, 8) };
  const script = await assertPrints(entry, inputs, {}, entry.defaults.options);
  assert.equal(script.file?.name, 'scaled-dot.json');
  assert.deepEqual(Object.keys(JSON.parse(script.file!.text) as object), ['k', 'v']);
  assert.ok(script.text.length < 2000);
});

test('a script computes under the pattern that a visitor combined or painted', async () => {
  const parts = [part('local', [1]), part('atrous', [2], true)];
  const painting = { size: 2, bits: Uint8Array.of(1, 0, 1, 1) };
  const tokens = (list().find(({ id }) => id === 'local')!.defaults.inputs['x'] as number[][]).length;
  const own = [
    { name: 'combined', pattern: patternOf(parts, 'or'), code: patternCode(parts, 'or') },
    { name: 'painted', pattern: paintedPattern(painting, tokens), code: paintedCode(painting, tokens) },
  ];
  for (const id of ['local', 'atrous', 'sparse_transformer', 'longformer', 'bigbird'])
    for (const { name, pattern, code } of own) {
      const entry = list().find((one) => one.id === id)!;
      const { inputs, params, options } = entry.defaults;
      const printed = await printedBy(scriptOf({ entry, inputs, params, options, written: { pattern: code } }));
      const x = inputs['x'] as number[][];
      const { output } = fovea.attention(x, x, x, { pattern, scale: options['scale'] as number });
      assert.deepEqual(printed.get('output'), toNested(output), `${id}, ${name}`);
      assert.notDeepEqual(printed.get('output'), toNested(run(fovea, id).trace.find((stage) => stage.name === 'output')!), id);
    }
});
