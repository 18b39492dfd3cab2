// How the set-up runs programs and shows its progress: one line per step, with its time; all output goes to a log.

import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** An error whose message is the one line that the user needs. */
export class SetupError extends Error {}

/** A step: does `work`, then prints `label` and the time it took. Steps may be done side by side. */
export async function step(label, work) {
  const start = performance.now();
  const line = `  ${label} `.padEnd(70, '.');
  try {
    const result = await work();
    console.log(`${line} ${((performance.now() - start) / 1000).toFixed(1)} s`);
    return result;
  } catch (error) {
    console.log(`${line} failed`);
    throw error;
  }
}

/**
 * Returns `run(program, args, options)`, which appends the program's output to the log and rejects when it fails.
 *
 * @param {string} logFile - made anew
 */
export function makeRunner(logFile) {
  mkdirSync(dirname(logFile), { recursive: true });
  closeSync(openSync(logFile, 'w'));
  return function run(program, args, { env = {}, cwd } = {}) {
    const log = openSync(logFile, 'a');
    const stdio = ['ignore', log, log];
    const child = spawn(program, args, { cwd, stdio, env: { ...process.env, LC_ALL: 'C', ...env } });
    closeSync(log);
    return new Promise((resolve, reject) => {
      const fail = (why) => reject(new SetupError(`${program}: ${why} (all of it in ${logFile})`));
      child.on('error', (error) => fail(error.message));
      child.on('close', (code) => (code === 0 ? resolve() : fail(lastComplaint(logFile))));
    });
  };
}

/** The line of the log that most likely says what went wrong. */
function lastComplaint(logFile) {
  const lines = readFileSync(logFile, 'utf8').trim().split('\n');
  return lines.findLast((line) => /^E: |error:/i.test(line)) ?? lines.at(-1);
}
