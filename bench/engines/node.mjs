// Node: every contestant gets a process of its own. 'node20' is the Node that runs this, whatever its version; 'node24' is the
// npm package `node`.

import { execFileSync, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { benchDir } from '../paths.mjs';

const program = fileURLToPath(new URL('node_child.mjs', import.meta.url));

/** @param {'node20' | 'node24'} name */
export async function openNode(name) {
  const execPath = name === 'node20' ? process.execPath : join(benchDir, 'node_modules/node/bin/node');
  if (!existsSync(execPath)) throw new Error(`${execPath} is not there: the npm package "node" could not install it`);
  const version = execFileSync(execPath, ['--version'], { encoding: 'utf8' }).trim().slice(1);
  return { name, version, open, close: async () => {} };

  async function open() {
    const child = fork(program, {
      execPath,
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    const complaints = [];
    child.stderr.on('data', (chunk) => complaints.push(chunk));
    let waiting;
    child.on('message', ({ error, value }) =>
      error === undefined ? waiting.resolve(value) : waiting.reject(new Error(error)),
    );
    child.on('exit', (code, signal) => {
      const last = Buffer.concat(complaints).toString().trim().split('\n').at(-1);
      waiting?.reject(new Error(`the process ended (${signal ?? code})${last ? `: ${last}` : ''}`));
    });
    const call = (method, ...args) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        child.send({ method, args });
      });
    return {
      call,
      output: (rows) => call('output', rows),
      async close() {
        const ended = new Promise((resolve) => child.once('exit', resolve));
        waiting = null;
        if (child.exitCode === null && child.signalCode === null && child.kill('SIGKILL')) await ended;
      },
    };
  }
}
