/**
 * Every program of README.md, docs/ and the pages beside README.md runs as it stands there, against the built package, and prints what the page
 * says. One that begins with `// NAME.worker.js` is a file for the others of its page, which start it.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { load } from 'fovea';
import { readPrograms, samePrint, withoutLayout } from './support/readme_blocks.ts';
import { root } from './support/repository.ts';

const run = promisify(execFile);
/** Inside the repository, where 'fovea' is the built package by its own name. */
const folder = join(root, 'build/tests/readme');
const pages = [
  ...readdirSync(root),
  ...readdirSync(join(root, 'docs'), { recursive: true }).map((path) => `docs/${String(path).replaceAll('\\', '/')}`),
].filter((path) => path.endsWith('.md'));
const programs = pages.flatMap((page) =>
  readPrograms(readFileSync(join(root, page), 'utf8')).map((program) => ({ page, ...program })),
);

const folderOf = (page: string): string => join(folder, page.replace(/\W/g, '_'));

before(() => {
  for (const page of pages) mkdirSync(folderOf(page), { recursive: true });
  for (const { page, code, worker } of programs) if (worker !== undefined) writeFileSync(join(folderOf(page), worker), code);
});
after(() => rmSync(folder, { recursive: true, force: true }));

test('README.md and docs/ have programs, and one with its output', () => {
  assert.ok(programs.some(({ page }) => page === 'README.md'));
  assert.ok(programs.some(({ page }) => page.startsWith('docs/')));
  assert.ok(programs.some((program) => program.output !== undefined));
});

test('each worker of a page is started by a program of it', () => {
  const workers = programs.filter(({ worker }) => worker !== undefined);
  assert.ok(workers.length > 0);
  for (const { page, worker } of workers)
    assert.ok(
      programs.some((other) => other.page === page && other.code.includes(`new URL('./${worker}'`)),
      `${page}: ${worker}`,
    );
});

test('links between README.md and the pages of docs/ lead to files', () => {
  for (const page of pages) {
    const prose = readFileSync(join(root, page), 'utf8').replace(/^```[^]*?^```$/gm, '');
    const links = prose.matchAll(/\]\((?!https?:)(?<target>[^)#]+)/g);
    for (const { groups } of links)
      assert.ok(existsSync(join(root, page, '..', groups!['target']!)), `${page}: ${groups!['target']}`);
  }
});

test('README.md has no link to a file: a registry shows it beside none', () => {
  const prose = readFileSync(join(root, 'README.md'), 'utf8').replace(/^```[^]*?^```$/gm, '');
  assert.deepEqual(prose.match(/\]\((?!https:|#)[^)]*\)/g) ?? [], []);
  const named = [...prose.matchAll(/`((?:docs|bench)\/[\w/-]+\.md|README\.zh\.md)`/g)];
  assert.ok(named.length > 10);
  for (const [, path] of named) assert.ok(existsSync(join(root, path!)), path);
});

test('README.zh.md has the programs and the figures of README.md', () => {
  const [english, chinese] = ['README.md', 'README.zh.md'].map((page) => readFileSync(join(root, page), 'utf8')) as [
    string,
    string,
  ];
  const code = (text: string) => text.match(/^```[^]*?^```$/gm);
  const figures = (text: string) => text.replace(/^```[^]*?^```$/gm, '').match(/\d[\d,.]*\d|\d/g) ?? [];
  assert.deepEqual(code(chinese), code(english));
  assert.deepEqual(figures(chinese).sort(), figures(english).sort());
});

for (const { page, line, code, output, remarks, worker } of programs) {
  // README.zh.md has the programs of README.md, as a test above tells.
  if (worker !== undefined || page === 'README.zh.md') continue;
  test(`${page} line ${line}`, async () => {
    const file = join(folderOf(page), `line_${line}.mjs`);
    writeFileSync(file, code);
    const { stdout, stderr } = await run(process.execPath, [file], { timeout: 60_000 });
    assert.equal(stderr, '');
    if (output !== undefined && (await isRelaxed())) {
      assert.ok(samePrint(stdout, output, 1e-6), `printed\n${stdout}\nwhere the page has\n${output}`);
    } else if (output !== undefined) {
      assert.equal(stdout, output);
    }
    let rest = withoutLayout(stdout);
    for (const remark of remarks) {
      const at = rest.indexOf(withoutLayout(remark));
      assert.ok(at >= 0, `the page says that it prints "${remark}"; it printed\n${stdout}`);
      rest = rest.slice(at + withoutLayout(remark).length);
    }
  });
}

test('a README that promises other output is found out', () => {
  const [program] = readPrograms('x\n```js\nconsole.log(1); // 1\n```\n\n```text\n1\n```\n');
  assert.deepEqual(program, { line: 3, code: 'console.log(1); // 1\n', output: '1\n', remarks: ['1'], worker: undefined });
  assert.ok(samePrint('[ 1.0000001,\n  2 ]', '[1, 2]', 1e-6));
  assert.ok(!samePrint('[1.00001, 2]', '[1, 2]', 1e-6));
  assert.ok(!samePrint('[1, 2, 3]', '[1, 2]', 1e-6));
  assert.ok(!samePrint('[NaN, 2]', '[1, 2]', 1e-6));
});

/** Whether load() picks the relaxed build here, which may differ from the README's numbers in their last bits. */
async function isRelaxed(): Promise<boolean> {
  const fovea = await load();
  const { variant } = fovea.info;
  fovea.dispose();
  return variant.startsWith('relaxed');
}
