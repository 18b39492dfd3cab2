// Files of tests that share a process: it starts once, compiles the package's wasm once, and keeps the code that V8 has made fast. Each process takes the
// next file that none has taken, until all are done.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { script, secondsOf } from './test_times.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Files of one process at most: the memory of their instances goes with it. */
const FILES = 26;

/** A line of a test's source: the file is run in a process of its own, and why. */
const ALONE = /^\/\/ In a process of its own: ./m;

/** @param {string} file - a test, compiled or not; of compiled ones the source is read */
export function isAlone(file) {
  const path = relative(root, resolve(file)).replaceAll(sep, '/');
  const source = join(root, path.replace(/^build\/(.*)\.js$/, '$1.ts'));
  return ALONE.test(readFileSync(existsSync(source) ? source : file, 'utf8'));
}

/**
 * Writes the list of the files and a file for each process. Files that took long before come first.
 *
 * @param {string[]} files - each once
 * @param {number} atOnce - processes side by side
 * @returns {{ processes: string[], faults: () => string[] }} what `node --test` is to run, and a line for each file whose tests have not run in the end
 */
export function shareProcesses(files, atOnce) {
  const folder = join(root, 'build/tests/shared', script.replaceAll(/\W/g, '_'));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const seconds = secondsOf(script);
  const costs = new Map(files.map((file) => [file, seconds[relative(root, resolve(file))] ?? statSync(file).size / 1e6]));
  const listed = files.toSorted((a, b) => costs.get(b) - costs.get(a)).map((file) => relative(root, resolve(file)));
  writeFileSync(join(folder, 'files.json'), JSON.stringify(listed, null, 1));
  const processes = Array.from(
    { length: Math.min(files.length, Math.max(atOnce, Math.ceil(files.length / FILES))) },
    (_, index) => {
      const path = join(folder, `process_${index}.mjs`);
      writeFileSync(path, `import { runFiles } from '${import.meta.url}';\n\nawait runFiles(${JSON.stringify(folder)});\n`);
      return path;
    },
  );
  const is = (index, state) => existsSync(join(folder, `${index}.${state}`));
  const fault = (file, index) =>
    `not ok - ${file}: ${is(index, 'taken') ? 'its process ended before its tests had run' : 'no process was left to run it'}`;
  const faults = () => listed.flatMap((file, index) => (is(index, 'done') ? [] : [fault(file, index)]));
  return { processes, faults };
}

/** The files that this process takes, and how it says that one is done. */
function* takeFiles(folder) {
  const files = JSON.parse(readFileSync(join(folder, 'files.json'), 'utf8'));
  let taken = 0;
  for (const [index, file] of files.entries()) {
    const mark = join(folder, String(index));
    try {
      writeFileSync(`${mark}.taken`, '', { flag: 'wx' });
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      continue;
    }
    yield { file, done: () => writeFileSync(`${mark}.done`, '') };
    if (++taken === FILES) return;
  }
}

/**
 * The state that files of one process share. No value of a global is read: Node loads some of them then. Puppeteer brings URLPattern where Node has none, as
 * soon as the first file imports it.
 */
const sharedState = () => ({
  globals: Object.getOwnPropertyNames(globalThis)
    .filter((name) => name !== 'URLPattern')
    .sort(),
  prototypes: [Object, Array, Function, Promise, Map, Error].map(({ prototype }) => Reflect.ownKeys(prototype)),
  log: console.log,
  environment: { ...process.env },
  folder: process.cwd(),
});

/** The shared state when the tests that are registered by now have run. The test that tells so goes on until `next` has settled, and then checks. */
function afterTests(name, next, check) {
  return new Promise((ran) => {
    test(name, async () => {
      const state = sharedState();
      ran(state);
      await next;
      check(state);
    });
  });
}

/**
 * Runs the tests of files one file after another: the next is imported when the last one's tests have run. A test follows each file's, which goes on until
 * the next file's are known: without a test that is under way Node takes the file for done, and runs what is to run after all tests.
 */
export async function runFiles(folder) {
  let begin = () => {};
  let before = sharedState();
  for (const { file, done } of takeFiles(folder)) {
    let fault;
    await import(pathToFileURL(join(root, file)).href).catch((error) => (fault = error));
    let known;
    const next = new Promise((resolve) => (known = resolve));
    const expected = before;
    const ran = afterTests(`${file} leaves what the next file shares with it`, next, (state) => {
      if (fault) throw fault;
      assert.deepEqual(state, expected);
    });
    begin();
    before = await ran;
    done();
    begin = known;
  }
  begin();
}
