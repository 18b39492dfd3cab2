// The part of the W3C WebDriver protocol that the WebKitGTK smoke test needs, with a virtual display below it.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Starts Xvfb, WebKitWebDriver and a MiniBrowser.
 *
 * @param {{ driver: string, browser: string }} programs
 */
export async function openWebKit({ driver, browser }) {
  const started = [];
  const close = async () => {
    for (const child of started.reverse()) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill();
      await once(child, 'exit');
    }
  };
  try {
    const display = await startDisplay(started);
    const port = await freePort();
    const env = { ...process.env, DISPLAY: `:${display}`, GDK_BACKEND: 'x11', WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1' };
    started.push(spawn(driver, [`--port=${port}`], { env, stdio: 'ignore' }));
    const session = await openSession(`http://127.0.0.1:${port}`, browser);
    return {
      open: (url) => session('POST', '/url', { url }),
      evaluate: async (script) => {
        // Errors come back as values: the protocol's own wrap them in a page of text.
        const body = `const done = arguments[0]; Promise.resolve().then(() => (${script})).then((value) => done({ value }), (error) => done({ error: String(error) }));`;
        const { value, error } = await session('POST', '/execute/async', { script: body, args: [] });
        if (error) throw new Error(error);
        return value;
      },
      /** Presses at a point, moves in ten steps and lets go. WebKitGTK makes a mouse of every kind of pointer. */
      drag: ([x, y], [right, down]) => {
        const steps = Array.from({ length: 11 }, (_, i) => ({
          type: 'pointerMove',
          duration: 16,
          x: Math.round(x + (right * i) / 10),
          y: Math.round(y + (down * i) / 10),
        }));
        const actions = [steps[0], { type: 'pointerDown', button: 0 }, ...steps.slice(1), { type: 'pointerUp', button: 0 }];
        return session('POST', '/actions', {
          actions: [{ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions }],
        });
      },
      close: async () => {
        await session('DELETE', '').catch(() => {});
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Xvfb picks a free display itself and writes its number to descriptor 3. */
async function startDisplay(started) {
  const child = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1280x1000x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  started.push(child);
  const gone = once(child, 'exit').then(() => Promise.reject(new Error('Xvfb ended at once')));
  const [number] = await Promise.race([once(child.stdio[3], 'data'), gone]);
  gone.catch(() => {});
  return String(number).trim();
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return port;
}

/** A function that sends one command of the session. */
async function openSession(server, browser) {
  const send = async (method, path, body) => {
    const response = await fetch(server + path, { method, ...(body && { body: JSON.stringify(body) }) });
    const { value } = await response.json();
    if (!response.ok) throw new Error(`${value.error}: ${value.message}`);
    return value;
  };
  for (let tries = 0; !(await send('GET', '/status').catch(() => null)); tries++) {
    if (tries > 100) throw new Error('WebKitWebDriver does not answer');
    await new Promise((done) => setTimeout(done, 100));
  }
  const capabilities = { alwaysMatch: { 'webkitgtk:browserOptions': { binary: browser, args: ['--automation'] } } };
  const { sessionId } = await send('POST', '/session', { capabilities });
  return (method, path, body) => send(method, `/session/${sessionId}${path}`, body);
}
