// A Redis of the test's own, on a free port, with nothing kept on the disk. Debian's package is installed where it is missing.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createConnection, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { findApt } from '../../scripts/apt.mjs';
import { makeRunner } from '../../scripts/steps.mjs';
import { which } from '../../scripts/toolchain.mjs';
import { root } from '../package/support/project.mjs';

async function install() {
  if (which('redis-server')) return;
  const apt = findApt(makeRunner(join(root, 'build/redis.log')));
  if (!apt) throw new Error('no redis-server found, and there is no apt here to install it with');
  await apt.update();
  await apt.install(['redis-server']);
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

export async function startRedis() {
  await install();
  const port = await freePort();
  const settings = [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--appendonly',
    'no',
    '--maxmemory-policy',
    'noeviction',
  ];
  const server = spawn('redis-server', settings, { stdio: 'ignore' });
  for (let tries = 0; ; tries++) {
    const socket = createConnection(port, '127.0.0.1');
    const [event] = await Promise.race([
      once(socket, 'connect').then(() => ['connect']),
      once(socket, 'error').then(() => ['error']),
    ]).catch(() => ['error']);
    socket.destroy();
    if (event === 'connect') break;
    if (tries === 100) throw new Error('redis-server does not answer');
    await wait(50);
  }
  return {
    port,
    stop: async () => {
      server.kill();
      await once(server, 'exit');
    },
  };
}
