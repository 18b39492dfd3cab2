// `node --test` with as many files at once as the machine has cores; by itself Node leaves one core free, which is one of two.
// The files' times go to build/times.json.
//   node scripts/node_test.mjs [--waiting] [--together] [NODE'S OPTIONS] FILE...
//   --waiting   half as many files more, as tests of pages wait for browsers
//   --together  files share processes, but for those that say why they do not; with options of Node's runner each has its own

import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { isAlone, shareProcesses } from './shared_process.mjs';

const times = new URL('test_times.mjs', import.meta.url).href;
const reporters = [
  '--test-reporter=tap',
  '--test-reporter-destination=stdout',
  `--test-reporter=${times}`,
  '--test-reporter-destination=stderr',
];
const given = process.argv.slice(2);
const files = given.filter((argument) => !['--waiting', '--together'].includes(argument));
const atOnce = Math.ceil(availableParallelism() * (given.includes('--waiting') ? 1.5 : 1));

function runTests(run) {
  const args = ['--test', `--test-concurrency=${atOnce}`, ...reporters, ...run];
  const { status, error } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (error) throw error;
  process.exitCode = status ?? 1;
}

if (given.includes('--together') && files.length > 1 && !files.some((argument) => argument.startsWith('-'))) {
  const { processes, faults } = shareProcesses(
    files.filter((file) => !isAlone(file)),
    atOnce,
  );
  runTests([...files.filter(isAlone), ...processes]);
  for (const fault of faults()) {
    console.log(fault);
    process.exitCode ||= 1;
  }
} else runTests(files);
