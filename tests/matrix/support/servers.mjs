// Servers that are programs of their own: they are started, waited for, and ended.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';

export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** Runs a server while `work` does; it is ready when something answers at its address. */
export async function withServer(program, args, { cwd, url, env }, work) {
  const server = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } });
  let said = '';
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (chunk) => (said += chunk));
  const ended = once(server, 'exit');
  try {
    for (let tries = 0; ; tries++) {
      if (server.exitCode !== null) throw new Error(`${program} ended with code ${server.exitCode}\n${said}`);
      const answered = await fetch(url).catch(() => undefined);
      if (answered !== undefined) break;
      if (tries === 600) throw new Error(`nothing answers at ${url}\n${said}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    return await work(() => said);
  } finally {
    server.kill();
    await ended;
  }
}
