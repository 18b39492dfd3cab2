// A machine of the test: node worker.mjs PORT FOLDER [SLOW_MS] [FAIL_ONCE]. Prints a line for each part that it begins and ends.

import { existsSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { readNpy, readSafetensors } from 'fovea/files';
import { startWorkers } from './attention_flow.mjs';

const [port, folder, slow = '0', failOnce = ''] = process.argv.slice(2);

async function begin(name) {
  process.stdout.write(`begin ${name}\n`);
  await wait(Number(slow));
  if (name === failOnce && !existsSync(`${folder}/failed`)) {
    writeFileSync(`${folder}/failed`, '');
    throw new Error(`${name} cannot be read just now`);
  }
}

const { workers } = await startWorkers({
  connection: { host: '127.0.0.1', port: Number(port), maxRetriesPerRequest: null },
  lockDuration: 1000,
  loadShard: async (name) => {
    await begin(name);
    const { tensors } = await readSafetensors(`${folder}/${name}.safetensors`);
    return { keys: tensors.get('keys'), values: tensors.get('values') };
  },
  loadDocument: async (name) => {
    await begin(name);
    return readNpy(`${folder}/${name}.npy`);
  },
});
for (const worker of workers) {
  worker.on('error', () => {}); // BullMQ tries again by itself
  worker.on('completed', ({ name }) => process.stdout.write(`done ${name}\n`));
}
process.stdout.write('ready\n');
