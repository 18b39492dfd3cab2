// Next: a client component that uses the package, in development mode and built; a route handler and a server component that do; by
// Turbopack and by webpack.

import assert from 'node:assert/strict';
import { isWorkedExample, makeProject, programOf, run, workedExample } from './support/consumers.mjs';
import { withChromium } from './support/browsers.mjs';
import { MODEL_WAYS, checkPage, consumer, modelPage } from './support/matrix.mjs';
import { freePort, withServer } from './support/servers.mjs';

const group = 'Next';
const { use } = withChromium();

const config = (line = '') => `import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
const isolation = [
  { key: 'Cross-Origin-Opener-Policy', value: 'same-origin' },
  { key: 'Cross-Origin-Embedder-Policy', value: 'require-corp' },
];
export default {
  // The tools lie two folders above, with a package.json of theirs.
  turbopack: { root: dirname(dirname(dirname(fileURLToPath(import.meta.url)))) },
  headers: async () => [{ source: '/:path*', headers: isolation }],
  ${line}
};
`;

const client = {
  'app/layout.jsx': 'export default ({ children }) => <html lang="en"><body>{children}</body></html>;\n',
  'app/icon.svg': '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>\n',
  'app/page.jsx': "import Attention from './attention.jsx';\nexport default () => <Attention />;\n",
  'app/attention.jsx': `'use client';
import { useEffect } from 'react';
${modelPage['main.js'].replace('window.run = ', 'const compute = ')}
export default function Attention() {
  useEffect(() => { window.run = compute; }, []);
  return null;
}
`,
  'app/model.worker.js': modelPage['model.worker.js'],
  'app/tiny_model.js': modelPage['tiny_model.js'],
  'next.config.mjs': config(),
};

/** The server computes: in a route handler, and in a component. */
const server = {
  ...client,
  'app/page.jsx': `import { load } from 'fovea';
import Attention from './attention.jsx';
export const dynamic = 'force-dynamic';
export default async () => {
  const fovea = await load();
  return <><p id="variant">{fovea.info.variant}</p><Attention /></>;
};
`,
  'app/api/route.js': `import { load, toNested } from 'fovea';
export const dynamic = 'force-dynamic';
export async function GET() {
  const fovea = await load();
  return Response.json(toNested(fovea.${workedExample}.output));
}
`,
};

const next = await programOf('next');
const env = { NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: '' };
const build = (cwd, bundler) => run(process.execPath, [next, 'build', `--${bundler}`], { cwd, timeout: 240_000 });

/** Runs `next start` or `next dev` while `work` does. */
async function serve(cwd, mode, flags, work) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const args = [next, mode, '-H', '127.0.0.1', '-p', String(port), ...flags];
  return withServer(process.execPath, args, { cwd, url, env }, (said) => work(url, said));
}

const checkClient = (url) => use((opened) => checkPage(opened, url, MODEL_WAYS));

async function checkServer(url) {
  const printed = await (await fetch(`${url}api`)).text();
  assert.ok(await isWorkedExample(printed).catch(() => false), printed.slice(0, 300));
  return use(async (opened) => {
    const ran = await checkPage(opened, url, MODEL_WAYS);
    assert.match(await opened.page.$eval('#variant', (element) => element.textContent), /^(simd128|relaxed)$/);
    return [...ran, 'on the server'];
  });
}

const line = "serverExternalPackages: ['fovea']";
for (const [bundler, name] of Object.entries({ turbopack: 'Turbopack', webpack: 'webpack' })) {
  const flags = [`--${bundler}`];
  consumer({ group, consumer: `Next 16 (${name}), \`next build\``, tool: 'next', grade: 'works' }, async () => {
    const project = await makeProject(`next-${bundler}-build`, client);
    await build(project, bundler);
    return serve(project, 'start', [], checkClient);
  });

  consumer({ group, consumer: `Next 16 (${name}), \`next dev\``, tool: 'next', grade: 'works' }, async () => {
    const project = await makeProject(`next-${bundler}-dev`, client);
    return serve(project, 'dev', flags, checkClient);
  });

  const about = { consumer: `Next 16 (${name}), on the server too`, grade: 'line', line: `next.config: \`${line}\`` };
  consumer({ group, tool: 'next', ...about }, async () => {
    const plain = await makeProject(`next-${bundler}-server-plain`, server);
    await serve(plain, 'dev', flags, async (url, said) => {
      await fetch(url);
      await fetch(`${url}api`);
      assert.ok(said().includes(`set ${line} in next.config`), said());
    });
    const project = await makeProject(`next-${bundler}-server`, { ...server, 'next.config.mjs': config(`${line},`) });
    await build(project, bundler);
    return serve(project, 'start', [], checkServer);
  });
}
