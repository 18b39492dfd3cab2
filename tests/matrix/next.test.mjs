// Next: a client component, a route handler and a server component that import the package, by Turbopack and by webpack, in
// development mode and built.

import assert from 'node:assert/strict';
import { isWorkedExample, makeProject, programOf, run, workedExample } from './support/consumers.mjs';
import { withChromium } from './support/browsers.mjs';
import { ALL_WAYS, checkPage, consumer, pageScript } from './support/matrix.mjs';
import { freePort, withServer } from './support/servers.mjs';

const group = 'Next';
const { use } = withChromium();

const app = {
  'app/layout.jsx': 'export default ({ children }) => <html lang="en"><body>{children}</body></html>;\n',
  'app/icon.svg': '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>\n',
  'app/page.jsx': `import { load } from 'fovea';
import Attention from './attention.jsx';
export const dynamic = 'force-dynamic';
export default async () => {
  const fovea = await load();
  return <><p id="variant">{fovea.info.variant}</p><Attention /></>;
};
`,
  'app/attention.jsx': `'use client';
import { useEffect } from 'react';
${pageScript.replace('window.run = ', 'const compute = ')}
export default function Attention() {
  useEffect(() => { window.run = compute; }, []);
  return null;
}
`,
  'app/api/route.js': `import { load, toNested } from 'fovea';
export const dynamic = 'force-dynamic';
export async function GET() {
  const fovea = await load();
  return Response.json(toNested(fovea.${workedExample}.output));
}
`,
  'next.config.mjs': `import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
const isolation = [
  { key: 'Cross-Origin-Opener-Policy', value: 'same-origin' },
  { key: 'Cross-Origin-Embedder-Policy', value: 'require-corp' },
];
export default {
  // The tools lie two folders above, with a package.json of theirs.
  turbopack: { root: dirname(dirname(dirname(fileURLToPath(import.meta.url)))) },
  headers: async () => [{ source: '/:path*', headers: isolation }],
};
`,
};

const env = { NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: '' };

/** What the server computes, and what the page does. */
async function check(next, mode, cwd, flags = []) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const args = [next, mode, '-H', '127.0.0.1', '-p', String(port), ...flags];
  return withServer(process.execPath, args, { cwd, url: `${url}/api`, env }, async (said) => {
    const printed = await (await fetch(`${url}/api`)).text();
    assert.ok(await isWorkedExample(printed).catch(() => false), `${printed.slice(0, 300)}\n${said()}`);
    return use(async (opened) => {
      const ran = await checkPage(opened, `${url}/`, ALL_WAYS);
      assert.match(await opened.page.$eval('#variant', (element) => element.textContent), /^(simd128|relaxed)$/);
      return [...ran, 'on the server'];
    });
  });
}

for (const bundler of ['turbopack', 'webpack']) {
  const name = bundler === 'webpack' ? 'webpack' : 'Turbopack';
  consumer({ group, consumer: `Next 16 (${name}), \`next build\``, tool: 'next', grade: 'works' }, async () => {
    const project = await makeProject(`next-${bundler}-build`, app);
    const next = await programOf('next');
    await run(process.execPath, [next, 'build', `--${bundler}`], { cwd: project, timeout: 240_000 });
    return check(next, 'start', project);
  });
  consumer({ group, consumer: `Next 16 (${name}), \`next dev\``, tool: 'next', grade: 'works' }, async () => {
    const project = await makeProject(`next-${bundler}-dev`, app);
    return check(await programOf('next'), 'dev', project, [`--${bundler}`]);
  });
}
