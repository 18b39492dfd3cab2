/** Formulas in sentences of the page: what stands below and above the line is set so, and names of files and tensors are left as they are. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { build } from 'esbuild';
import { partsOf } from '../../web/shell/gloss.ts';
import { root, sourceFiles } from './support/repository.ts';
import { textNames } from './support/texts.ts';

const marked = (text: string): string =>
  partsOf(text, null)
    .map(({ text: part, script }) => (script === 'sub' ? `[${part}]` : script === 'sup' ? `<${part}>` : part))
    .join('');

test('indices and exponents are parted from their letters', () => {
  for (const [text, shown] of [
    ['W_q = W_k', 'W[q] = W[k]'],
    ['当 W_q = W_k 时', '当 W[q] = W[k] 时'],
    ['令W_v等于W_k', '令W[v]等于W[k]'],
    ['n = 2^9, e^k and e^(q·k)', 'n = 2<9>, e<k> and e<q·k>'],
    ['e^−1.5 / (e^2 + e^0.25)', 'e<−1.5> / (e<2> + e<0.25>)'],
    ['score(h_t, h̄_{s′}), s_{t−1}', 'score(h[t], h̄[s′]), s[t−1]'],
    ['p_gen = σ(w_h·h_t)', 'p[gen] = σ(w[h]·h[t])'],
    ['α_ij, S^F, W_i^Q', 'α[ij], S<F>, W[i]<Q>'],
    ['mead_pooling, embeddings.word_embeddings, wte, a_', 'mead_pooling, embeddings.word_embeddings, wte, a_'],
    ['2, 4, 4 and Wq', '2, 4, 4 and Wq'],
  ])
    assert.equal(marked(text!), shown);
});

/** Every text in English and Chinese of a value. */
function texts(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  if ('en' in value && 'zh' in value) return [value.en, value.zh].filter((text) => typeof text === 'string');
  return Object.values(value).flatMap(texts);
}

test('no text of a lesson, a step or a page keeps a raw index or exponent', async () => {
  const isText = (path: string): boolean => /^web\/(lessons|course\/learn\/steps)\/|messages\.ts$/.test(path);
  const files = [
    ...textNames().map((name) => `build/generated/texts/${name}.ts`),
    ...sourceFiles('web', '.ts')
      .map(({ path }) => path)
      .filter((path) => isText(path) && !/\/lessons?\.ts$/.test(path)),
  ];
  const outfile = `${root}/build/tests/prose.mjs`;
  await build({
    stdin: {
      contents: files.map((path, i) => `export * as file${i} from './${path}';`).join('\n'),
      resolveDir: root,
      loader: 'ts',
    },
    outfile,
    bundle: true,
    format: 'esm',
    packages: 'external',
    external: ['*.svelte'],
    plugins: [
      {
        name: 'texts alone',
        setup({ onResolve, onLoad }) {
          // A visitor's choices are no part of the texts.
          onResolve({ filter: /\.svelte\.ts$/ }, ({ path }) => ({ path, namespace: 'state' }));
          onLoad({ filter: /.*/, namespace: 'state' }, () => ({ contents: 'module.exports = {};', loader: 'js' }));
        },
      },
    ],
    logLevel: 'error',
  });
  const modules = (await import(outfile)) as Record<string, unknown>;
  const all = Object.values(modules).flatMap(texts);
  assert.ok(all.length > 1000);
  const raw = /(?<![\p{L}\p{N}_.])\p{L}\p{M}?_[\p{L}\p{N}{]|\^/u;
  assert.ok(all.filter((text) => raw.test(text)).length > 30, 'there are formulas in them');
  const left = all.filter((text) => partsOf(text, null).some((part) => raw.test(part.text)));
  assert.deepEqual(left, []);
});
