/** Every title and axis of a mechanism's stages and arguments is words, in both languages: names of the package's API are for code. */
// In a process of its own: the page is bundled before its first test.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { build } from 'esbuild';
import { load, type Fovea, type TraceStage } from 'fovea';
import { list, run, type Defaults } from 'fovea/catalog';
import { root, sourceFiles } from './support/repository.ts';

interface Words {
  readonly en: string;
  readonly zh: string;
}
interface Picture {
  readonly source: { readonly kind: string; readonly name: string; readonly shape: readonly number[] };
  readonly axes: readonly { readonly title: Words }[];
}
interface Page {
  argumentSources(kind: string, values: Readonly<Record<string, unknown>>): Picture['source'][];
  stageSource(stage: TraceStage): Picture['source'];
  pictureOfStage(stage: TraceStage, source: Picture['source'], labels: Defaults['labels']): Picture;
  pictureOfArgument(source: Picture['source'], labels: Defaults['labels']): Picture;
  sourceName(source: Picture['source'], mechanism: string): Words;
  axesText(axes: { rows: { title: string }; cols: { title: string } }, transposed: boolean): string;
}
let page: Page;
let fovea: Fovea;

before(async () => {
  fovea = await load({ deterministic: true });
  const { outputFiles } = await build({
    stdin: {
      contents: ['stages/arithmetic/sources', 'stages/pictures', 'stages/source_name', 'figures/figure']
        .map((path) => `export * from './web/${path}.ts';`)
        .join('\n'),
      resolveDir: root,
      loader: 'ts',
    },
    bundle: true,
    format: 'esm',
    write: false,
    logLevel: 'error',
  });
  page = (await import(`data:text/javascript,${encodeURIComponent(outputFiles[0]!.text)}`)) as Page;
});

/** Names of functions, and letters of formulas that name what has no other name. */
const MATHEMATICS = /\b(?:softmax|log-sum-exp|network [FGH])\b|网络 [FGH]/g;

/** The fault of a title, '' where there is none. */
function faultOf({ en, zh }: Words): string {
  for (const text of [en, zh]) {
    const words = text.replaceAll(MATHEMATICS, '');
    if (/[a-z][A-Z]|_|[a-z]\.[a-z]|[a-z]\d/.test(words)) return `"${text}" has a name of the code`;
    if (/(?:^|[\s，(（])[A-Za-z](?:$|[\s，)）])/.test(words.replace(/\ba\b/g, ''))) return `"${text}" has a bare letter`;
  }
  if (!/[a-z]{2}/.test(en) || /\p{Script=Han}/u.test(en)) return `"${en}" is not English`;
  // The axes of a table alone name both words.
  if (!/\p{Script=Han}/u.test(zh) || /[A-Za-z]{2}/.test(zh.replace(/（(?:row|column)）|softmax/g, '')))
    return `"${zh}" is not Chinese`;
  return '';
}

test('a title with a name of the code is found', () => {
  for (const name of [
    'encoderWeights',
    'maxPooled',
    'hStar',
    'pGen',
    'cQW',
    'weight_ih_l0',
    'forward.W1',
    'alignment1',
    'U',
    'v1',
  ])
    assert.notEqual(faultOf({ en: name, zh: name }), '', name);
  assert.notEqual(faultOf({ en: 'gate', zh: 'gate' }), '');
  assert.notEqual(faultOf({ en: '', zh: '' }), '');
  assert.equal(faultOf({ en: 'context vector of source 1', zh: '源序列 1 的上下文向量' }), '');
});

test('every stage, input and param of every mechanism is named in words, and so are its axes', () => {
  const faults: string[] = [];
  let count = 0;
  for (const entry of list()) {
    const { inputs, params, options, contrast, labels } = entry.defaults;
    const other = [
      { ...inputs, ...contrast.inputs },
      { ...params, ...contrast.params },
      { ...options, ...contrast.options },
    ] as const;
    const stages = new Map(
      [run(fovea, entry.id), run(fovea, entry.id, ...other)].flatMap(({ trace }) => trace.map((stage) => [stage.name, stage])),
    );
    const pictures = [
      ...[...stages.values()].map((stage) => page.pictureOfStage(stage, page.stageSource(stage), labels)),
      ...Object.entries({ inputs, params, options })
        .flatMap(([kind, values]) => page.argumentSources(kind, values))
        .filter(({ shape }) => shape.length > 0)
        .map((source) => page.pictureOfArgument(source, labels)),
    ];
    for (const { source, axes } of pictures)
      for (const title of [page.sourceName(source, entry.id), ...axes.map((axis) => axis.title)]) {
        const fault = faultOf(title);
        if (fault) faults.push(`${entry.id} ${source.kind} ${source.name}: ${fault}`);
        count++;
      }
  }
  assert.ok(count > 1500, `${count} titles`);
  assert.deepEqual(faults, []);
});

test('every stage that the package names has words', () => {
  const sources = sourceFiles('bindings/js/mechanisms', '.ts').map(({ text }) => text);
  const names = new Set(sources.flatMap((text) => [...text.matchAll(/\brecord\(\s*'(\w+)'/g)].map(([, name]) => name!)));
  assert.ok(names.size > 60, `${names.size} names`);
  for (const name of names) assert.equal(faultOf(page.sourceName({ kind: 'stage', name, shape: [] }, '')), '', name);
});

test('an axis without a title leaves no arrow', () => {
  const axes = (rows: string, cols: string) => ({ rows: { title: rows }, cols: { title: cols } });
  assert.equal(page.axesText(axes('query', 'key'), false), 'query ↓ key →');
  assert.equal(page.axesText(axes('query', 'key'), true), 'key ↓ query →');
  assert.equal(page.axesText(axes('', 'component'), false), 'component →');
  assert.equal(page.axesText(axes('', ''), false), '');
});
