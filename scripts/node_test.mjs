// `node --test` with as many files at once as the machine has cores; by itself Node leaves one core free, which is one of two.
//   node scripts/node_test.mjs FILE...

import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

const args = ['--test', `--test-concurrency=${availableParallelism()}`, ...process.argv.slice(2)];
const { status, error } = spawnSync(process.execPath, args, { stdio: 'inherit' });
if (error) throw error;
process.exitCode = status ?? 1;
