// The package in users' own tests: vitest and jest, in Node's environment and in jsdom's.

import assert from 'node:assert/strict';
import { makeProject, programOf, run, workedExample } from './support/consumers.mjs';
import { consumer } from './support/matrix.mjs';

const group = 'test runners';

/** @param globals - what declares `test` and `expect` */
const suite = (globals, entry = 'fovea') => `${globals}
import { load, toNested } from '${entry}';
test('attention', async () => {
  const fovea = await load();
  const out = toNested(fovea.${workedExample}.output);
  expect(out[0].length).toBe(3);
  // The environment's own typed arrays, of another realm under jsdom.
  const { output } = fovea.attention({ data: new Float32Array([1, 2]), shape: [1, 2] }, [new Float32Array([1, 2])], [[3, 4]]);
  expect(toNested(output)).toEqual([[3, 4]]);
  expect(output.data instanceof Float32Array || Object.prototype.toString.call(output.data)).toBeTruthy();
  fovea.dispose();
});
`;
const one = ['one thread'];
const TIME = { timeout: 120_000 };

for (const environment of ['node', 'jsdom']) {
  consumer({ group, consumer: `vitest, environment ${environment}`, tool: 'vitest', grade: 'works' }, async () => {
    const globals = "import { expect, test } from 'vitest';";
    const project = await makeProject(`vitest-${environment}`, { 'fovea.test.js': suite(globals) });
    const args = [await programOf('vitest'), 'run', '--environment', environment];
    const { stdout } = await run(await programOf('node-24', 'node'), args, { cwd: project, ...TIME });
    assert.match(stdout, /1 passed/);
    return one;
  });
}

async function jest(name, entry, config) {
  const files = {
    'fovea.test.js': suite("import { expect, test } from '@jest/globals';", entry),
    'jest.config.json': JSON.stringify({ transform: {}, ...config }),
  };
  const project = await makeProject(name, files);
  const args = ['--experimental-vm-modules', await programOf('jest'), '--ci', '--watchman=false'];
  return run(process.execPath, args, { cwd: project, ...TIME });
}

consumer(
  { group, consumer: 'jest (`--experimental-vm-modules`), environment node', tool: 'jest', grade: 'works' },
  async () => {
    assert.match((await jest('jest-node', 'fovea')).stderr, /1 passed/);
    return one;
  },
);

const line = "testEnvironmentOptions: { customExportConditions: ['node'] }";
consumer(
  { group, consumer: 'jest, environment jsdom', tool: 'jest', grade: 'line', line: `jest.config: \`${line}\`` },
  async () => {
    await assert.rejects(jest('jest-jsdom-plain', 'fovea', { testEnvironment: 'jsdom' }), /there is no fetch; .*fovea\/inline/);
    const options = { testEnvironment: 'jsdom', testEnvironmentOptions: { customExportConditions: ['node'] } };
    assert.match((await jest('jest-jsdom', 'fovea', options)).stderr, /1 passed/);
    return one;
  },
);

consumer({ group, consumer: 'jest, environment jsdom', tool: 'jest', grade: 'inline', line: '`fovea/inline`' }, async () => {
  assert.match((await jest('jest-jsdom-inline', 'fovea/inline', { testEnvironment: 'jsdom' })).stderr, /1 passed/);
  return one;
});
