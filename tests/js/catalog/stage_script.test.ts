/** "Copy as code": the script of every entry runs as it is copied, and prints the numbers of the trace. */
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { toNested } from 'fovea';
import { list, run } from 'fovea/catalog';
import { scriptOf } from '../../../web/stages/script.ts';
import { paintedCode, paintedPattern, part, patternCode, patternOf } from '../../../web/patterns/patterns.ts';
import { fovea } from '../support/api.ts';
import { root } from '../support/repository.ts';

/** Inside the repository, where the package is found by its name. */
const folder = `${root}/build/tests/scripts`;
mkdirSync(folder, { recursive: true });
after(() => rmSync(folder, { recursive: true, force: true }));

async function printedBy(id: string, script: string): Promise<Map<string, unknown>> {
  const path = `${folder}/${id}.mjs`;
  writeFileSync(path, script);
  const printed = new Map<string, unknown>();
  const { log } = console;
  console.log = (name: string, value: unknown) => void printed.set(name, value);
  try {
    await import(pathToFileURL(path).href);
  } finally {
    console.log = log;
  }
  return printed;
}

interface SparseRows {
  readonly indptr: ArrayLike<number>;
  readonly indices: ArrayLike<number>;
}

/** A stage as the script prints it: the weights of a pattern as the entries that it keeps, packed heads side by side. */
function shown({ data, shape }: { data: Float32Array; shape: number[] }, printed: unknown): unknown {
  if (printed !== null && typeof printed === 'object' && 'indptr' in printed) {
    const { indptr, indices } = printed as SparseRows;
    const columns = shape.at(-1)!;
    const kept = Array.from({ length: indptr.length - 1 }, (_, row) =>
      Array.from(indices)
        .slice(indptr[row]!, indptr[row + 1]!)
        .map((column) => data[row * columns + column]!),
    );
    return { ...printed, values: Float32Array.from(kept.flat()) };
  }
  const [tokens, heads] = [shape.at(-2)!, shape[0]!];
  const packed = Array.isArray(printed) && shape.length === 3 && typeof (printed as number[][])[0]?.[0] === 'number';
  if (!packed) return toNested({ data, shape });
  const nested = toNested({ data, shape }) as number[][][];
  return Array.from({ length: tokens }, (_, t) => Array.from({ length: heads }, (_, h) => nested[h]![t]!).flat());
}

for (const entry of list())
  test(`${entry.id}: its script prints the numbers of the trace`, async () => {
    const { inputs, params, options } = entry.defaults;
    const printed = await printedBy(entry.id, scriptOf(entry, inputs, params, options));
    const { trace } = run(fovea, entry.id);
    if (entry.id === 'xformer_cost') {
      // It returns what the two stages hold by kind.
      for (const { name, data } of trace)
        assert.deepEqual(
          Array.from(printed.values(), (kind) => Math.fround((kind as Record<string, number>)[name]!)),
          [...data],
        );
      return;
    }
    const stages = trace.filter(({ name }) => printed.has(name));
    assert.ok(stages.length > 0, `printed ${[...printed.keys()].join(', ')}`);
    for (const stage of stages) assert.deepEqual(printed.get(stage.name), shown(stage, printed.get(stage.name)), stage.name);
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
      const printed = await printedBy(`${id}_${name}`, scriptOf(entry, inputs, params, options, { pattern: code }));
      const x = inputs['x'] as number[][];
      const { output } = fovea.attention(x, x, x, { pattern, scale: options['scale'] as number });
      assert.deepEqual(printed.get('output'), toNested(output), `${id}, ${name}`);
      assert.notDeepEqual(printed.get('output'), toNested(run(fovea, id).trace.find((stage) => stage.name === 'output')!), id);
    }
});
