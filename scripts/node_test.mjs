// `node --test` with as many files at once as the machine has cores; by itself Node leaves one core free, which is one of two.
// The files' times go to build/times.json.
//   node scripts/node_test.mjs [--waiting] FILE...
//   --waiting   half as many files more, as tests of pages wait for browsers

import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

const times = new URL('test_times.mjs', import.meta.url).href;
const reporters = [
  '--test-reporter=tap',
  '--test-reporter-destination=stdout',
  `--test-reporter=${times}`,
  '--test-reporter-destination=stderr',
];
const given = process.argv.slice(2);
const files = given.filter((argument) => argument !== '--waiting');
const atOnce = Math.ceil(availableParallelism() * (files.length < given.length ? 1.5 : 1));
const args = ['--test', `--test-concurrency=${atOnce}`, ...reporters, ...files];
const { status, error } = spawnSync(process.execPath, args, { stdio: 'inherit' });
if (error) throw error;
process.exitCode = status ?? 1;
