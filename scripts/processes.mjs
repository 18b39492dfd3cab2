// Programs side by side, each one's output in one piece.

import { spawn } from 'node:child_process';

/**
 * Runs a program and keeps what it prints.
 *
 * @returns {Promise<{ status: number, output: string }>} `output`: stdout and stderr as they came
 */
export function runCollected(program, args, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    const chunks = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(chunk));
    child.on('error', reject);
    child.on('close', (code) => resolve({ status: code ?? 1, output: Buffer.concat(chunks).toString() }));
  });
}

/**
 * Calls `work` for each item, at most `limit` at a time; resolves to the results in the order of the items. When one fails, the
 * rest is still done before the first error is thrown.
 */
export async function mapLimited(items, limit, work) {
  const results = [];
  const errors = [];
  const queue = [...items.entries()];
  const worker = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [index, item] = next;
      try {
        results[index] = await work(item);
      } catch (error) {
        errors.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  if (errors.length > 0) throw errors[0];
  return results;
}
