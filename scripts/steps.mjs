// How the set-up runs programs and shows its progress: one line per step, with its time; all output goes to a log.

import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** An error whose message is the one line that the user needs. */
export class SetupError extends Error {}

/** A step: prints `label`, does `work`, prints the time it took. */
export function step(label, work) {
  const start = performance.now();
  process.stdout.write(`  ${label} `.padEnd(70, '.'));
  try {
    const result = work();
    process.stdout.write(` ${((performance.now() - start) / 1000).toFixed(1)} s\n`);
    return result;
  } catch (error) {
    process.stdout.write(' failed\n');
    throw error;
  }
}

/**
 * Returns `run(program, args, options)`, which appends the program's output to the log and throws when it fails.
 *
 * @param {string} logFile - made anew
 */
export function makeRunner(logFile) {
  mkdirSync(dirname(logFile), { recursive: true });
  closeSync(openSync(logFile, 'w'));
  return function run(program, args, { env = {}, cwd } = {}) {
    const log = openSync(logFile, 'a');
    const stdio = ['ignore', log, log];
    const { status, error } = spawnSync(program, args, { cwd, stdio, env: { ...process.env, LC_ALL: 'C', ...env } });
    closeSync(log);
    if (error || status !== 0) {
      throw new SetupError(`${program}: ${error?.message ?? lastComplaint(logFile)} (all of it in ${logFile})`);
    }
  };
}

/** The line of the log that most likely says what went wrong. */
function lastComplaint(logFile) {
  const lines = readFileSync(logFile, 'utf8').trim().split('\n');
  return lines.findLast((line) => /^E: |error:/i.test(line)) ?? lines.at(-1);
}
