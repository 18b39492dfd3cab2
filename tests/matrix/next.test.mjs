// `next build` (Turbopack) of a client component that imports the package, and the built page with threads, in Chromium. It installs
// Next from the registry and takes two minutes, so it is not part of `npm test`: npm run test:matrix.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { openChromium, openPage } from '../browser/support.mjs';
import { installInEmptyProject, isWorkedExample, run, workedExample, write } from '../package/support/project.mjs';

const NEXT = ['next@16.4', 'react@19', 'react-dom@19'];

const component = `'use client';
import { useEffect } from 'react';
import { load, toNested } from 'fovea';
import { connect } from 'fovea/worker';
const compute = async () => {
  const instances = [await load({ threads: 2 }), await connect({ threads: 2 })];
  const results = [];
  for (const fovea of instances) {
    const { output } = await fovea.${workedExample};
    results.push({ info: fovea.info, printed: JSON.stringify(toNested(output)) });
  }
  window.results = results;
};
export default function Attention() {
  useEffect(() => void compute(), []);
  return null;
}
`;

const app = {
  'app/layout.jsx': 'export default ({ children }) => <html><body>{children}</body></html>;\n',
  'app/page.jsx': "import Attention from './attention.jsx';\nexport default () => <Attention />;\n",
  'app/attention.jsx': component,
  'next.config.mjs': `export default {
  headers: async () => [
    {
      source: '/:path*',
      headers: [
        { key: 'Cross-Origin-Opener-Policy', value: 'same-origin' },
        { key: 'Cross-Origin-Embedder-Policy', value: 'require-corp' },
      ],
    },
  ],
};
`,
};

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

test('next build ends, and its page computes with threads, beside the page and in a worker', { timeout: 600_000 }, async () => {
  process.env['NEXT_TELEMETRY_DISABLED'] = '1';
  const { project } = await installInEmptyProject();
  await write(project, app);
  await run('npm', ['install', '--no-audit', '--no-fund', ...NEXT], { cwd: project, timeout: 240_000 });
  const next = join(project, 'node_modules/next/dist/bin/next');
  await run(process.execPath, [next, 'build'], { cwd: project, timeout: 240_000 });

  const port = await freePort();
  const server = spawn(process.execPath, [next, 'start', '-p', String(port)], {
    cwd: project,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const browser = await openChromium();
  try {
    for await (const text of server.stdout) if (String(text).includes('Ready')) break;
    const { page, close } = await openPage(browser);
    await page.goto(`http://localhost:${port}/`);
    await page.waitForFunction(() => window.results, { timeout: 60_000 });
    for (const { info, printed } of await page.evaluate(() => window.results)) {
      assert.deepEqual([info.variant, info.threads, info.fallbackReason], ['relaxed-threads', 2, null]);
      assert.ok(await isWorkedExample(printed), printed);
    }
    await close();
  } finally {
    await browser.close();
    server.kill();
  }
});
