/** Every program of README.md runs as it stands there, against the built package, and prints what the README says. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { load } from 'fovea';
import { readPrograms, samePrint, withoutLayout } from './support/readme_blocks.ts';
import { root } from './support/repository.ts';

const run = promisify(execFile);
/** Inside the repository, where 'fovea' is the built package by its own name. */
const folder = join(root, 'build/tests/readme');
const programs = readPrograms(readFileSync(join(root, 'README.md'), 'utf8'));

before(() => mkdirSync(folder, { recursive: true }));
after(() => rmSync(folder, { recursive: true, force: true }));

test('README.md has programs, and one with its output', () => {
  assert.ok(programs.length > 0);
  assert.ok(programs.some((program) => program.output !== undefined));
});

for (const { line, code, output, remarks } of programs) {
  test(`README.md line ${line}`, async () => {
    const file = join(folder, `line_${line}.mjs`);
    writeFileSync(file, code);
    const { stdout, stderr } = await run(process.execPath, [file], { timeout: 20_000 });
    assert.equal(stderr, '');
    if (output !== undefined && (await isRelaxed())) {
      assert.ok(samePrint(stdout, output, 1e-6), `printed\n${stdout}\nwhere the README has\n${output}`);
    } else if (output !== undefined) {
      assert.equal(stdout, output);
    }
    let rest = withoutLayout(stdout);
    for (const remark of remarks) {
      const at = rest.indexOf(withoutLayout(remark));
      assert.ok(at >= 0, `the README says that it prints "${remark}"; it printed\n${stdout}`);
      rest = rest.slice(at + withoutLayout(remark).length);
    }
  });
}

test('a README that promises other output is found out', () => {
  const [program] = readPrograms('x\n```js\nconsole.log(1); // 1\n```\n\n```text\n1\n```\n');
  assert.deepEqual(program, { line: 3, code: 'console.log(1); // 1\n', output: '1\n', remarks: ['1'] });
  assert.ok(samePrint('[ 1.0000001,\n  2 ]', '[1, 2]', 1e-6));
  assert.ok(!samePrint('[1.00001, 2]', '[1, 2]', 1e-6));
  assert.ok(!samePrint('[1, 2, 3]', '[1, 2]', 1e-6));
  assert.ok(!samePrint('[NaN, 2]', '[1, 2]', 1e-6));
});

/** What load() picks here: the relaxed build may differ from the README's numbers in their last bits. */
async function isRelaxed(): Promise<boolean> {
  const fovea = await load();
  const { variant } = fovea.info;
  fovea.dispose();
  return variant.startsWith('relaxed');
}
