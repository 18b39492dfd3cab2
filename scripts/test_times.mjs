// How long each file of tests takes, in build/times.json by npm script: a reporter of Node's runner, and the list that `npm test` prints.

import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const kept = join(root, 'build/times.json');

/** The npm script that runs, and the build that its tests are pinned to. */
export const script = [process.env.npm_lifecycle_event ?? 'node --test', process.env.FOVEA_VARIANT].filter(Boolean).join(' ');

/** @returns {Record<string, Record<string, number>>} seconds by script and file */
const read = () => (existsSync(kept) ? JSON.parse(readFileSync(kept, 'utf8')) : {});

/** @param {Map<string, number>} seconds by file; what the script took before is replaced, but for files that did not run now */
function keep(seconds) {
  const all = read();
  all[script] = { ...all[script], ...Object.fromEntries([...seconds].map(([file, one]) => [file, Number(one.toFixed(2))])) };
  mkdirSync(dirname(kept), { recursive: true });
  // Runs side by side read whole files alone.
  writeFileSync(`${kept}.${process.pid}`, `${JSON.stringify(all, null, 1)}\n`);
  renameSync(`${kept}.${process.pid}`, kept);
}

/** A reporter that prints nothing. */
export default async function* (events) {
  const seconds = new Map();
  for await (const { type, data } of events) {
    if ((type !== 'test:pass' && type !== 'test:fail') || data.nesting !== 0 || data.file === undefined) continue;
    const file = relative(root, data.file);
    // A test between the files of a process (shared_process.mjs) is of none.
    if (/^(scripts|build\/tests\/shared)\//.test(file)) continue;
    seconds.set(file, (seconds.get(file) ?? 0) + data.details.duration_ms / 1000);
  }
  if (seconds.size > 0) keep(seconds);
  yield '';
}

/** Seconds by file when a script last ran. */
export const secondsOf = (name) => read()[name] ?? {};

/** The files of a script that take the longest, as lines. */
export function slowest(name, count) {
  const files = Object.entries(secondsOf(name)).sort(([, a], [, b]) => b - a);
  return files.slice(0, count).map(([file, seconds]) => `${seconds.toFixed(1).padStart(7)} s  ${file}`);
}
