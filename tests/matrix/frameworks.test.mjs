// The components of docs/recipes/frameworks.md as they stand there: built by Vite from the packed package, shown in Chromium.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { serveFolder } from '../../scripts/serve.mjs';
import { openChromium, openPage, root } from '../browser/support.mjs';
import { makeProject, programOf, run, write } from './support/consumers.mjs';

const page = await readFile(join(root, 'docs/recipes/frameworks.md'), 'utf8');
const block = (language) => new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'm').exec(page)[1];

const TEXT = 'abcab';

/** Each with what mounts it, and changes its text. */
const frameworks = {
  react: {
    file: 'Attention.jsx',
    language: 'jsx',
    main: `import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { Attention } from './Attention.jsx';
const root = createRoot(document.getElementById('app'));
window.show = (text) => root.render(createElement(Attention, { text }));`,
  },
  svelte: {
    file: 'Attention.svelte',
    language: 'svelte',
    main: `import { mount } from 'svelte';
import Parent from './Parent.svelte';
const { show } = mount(Parent, { target: document.getElementById('app') });
window.show = show;`,
    more: {
      'Parent.svelte': `<script>
  import Attention from './Attention.svelte';
  let text = $state('');
  export const show = (now) => (text = now);
</script>
<Attention {text} />`,
    },
  },
  vue: {
    file: 'Attention.vue',
    language: 'vue',
    main: `import { createApp, h, ref } from 'vue';
import Attention from './Attention.vue';
const text = ref('');
createApp({ render: () => h(Attention, { text: text.value }) }).mount('#app');
window.show = (now) => (text.value = now);`,
  },
};

const config = `import react from '@vitejs/plugin-react';
import vue from '@vitejs/plugin-vue';
import { svelte } from '@sveltejs/vite-plugin-svelte';
export default { base: './', plugins: [react(), vue(), svelte()], build: { target: 'es2022' }, logLevel: 'warn' };
`;

/** softmax(x xᵀ / √3) of the recipe's vectors, in double. */
function expected(text) {
  const x = [...text].map((letter) => [letter.charCodeAt(0) % 5, letter.charCodeAt(0) % 3, 1]);
  return x.map((query) => {
    const exps = x.map((key) => Math.exp(query.reduce((sum, value, d) => sum + value * key[d], 0) / Math.sqrt(3)));
    const sum = exps.reduce((a, b) => a + b);
    return exps.map((one) => one / sum);
  });
}

test(
  'the components of React, Svelte and Vue show the weights, and those of the text that comes next',
  { timeout: 300_000 },
  async (t) => {
    const project = await makeProject('frameworks', { 'vite.config.js': config });
    const vite = await programOf('vite');
    const browser = await openChromium({ whole: true });
    t.after(() => browser.close());
    for (const [name, { file, language, main, more = {} }] of Object.entries(frameworks)) {
      const folder = join(project, name);
      await write(folder, {
        'index.html':
          '<!doctype html><link rel="icon" href="data:,"><div id="app"></div><script type="module" src="./main.js"></script>',
        'attention.js': block('js'),
        [file]: block(language),
        'main.js': main,
        ...more,
      });
      await run(process.execPath, [vite, 'build', folder, '--config', join(project, 'vite.config.js')], {
        cwd: project,
        timeout: 120_000,
      });
      const server = await serveFolder({ root: join(folder, 'dist') });
      try {
        const opened = await openPage(browser);
        await opened.page.goto(server.url);
        await opened.page.waitForFunction(() => typeof window.show === 'function');
        for (const text of [TEXT, 'ba']) {
          await opened.page.evaluate((now) => window.show(now), text);
          await opened.page.waitForFunction((rows) => document.querySelectorAll('tr').length === rows, {}, text.length);
          const shown = await opened.page.$$eval('tr', (rows) =>
            rows.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent)),
          );
          assert.deepEqual(
            shown,
            expected(text).map((row) => row.map((weight) => weight.toFixed(2))),
            name,
          );
        }
        assert.deepEqual(opened.problems, []);
      } finally {
        await server.close();
      }
    }
  },
);
