// Pictures of every page on sheets to look at: build/contact_sheets/. node tests/browser/full/contact_sheets.mjs [PATH…]

import { mkdir, writeFile } from 'node:fs/promises';
import { pages, show } from '../pages.mjs';
import { openChromium, openPage, root, servePage } from '../support.mjs';

const VISITORS = [
  { name: 'phone_zh_dark', lang: 'zh', theme: 'dark', width: 390, height: 844, scale: 0.6, columns: 6 },
  { name: 'desk_en_light', lang: 'en', theme: 'light', width: 1280, height: 800, scale: 0.4, columns: 3 },
];
const ON_A_SHEET = 18;

const paths = process.argv.length > 2 ? process.argv.slice(2) : pages;
const folder = `${root}build/contact_sheets`;
await mkdir(folder, { recursive: true });
const server = await servePage();
const browser = await openChromium();
for (const { name, lang, theme, width, height, scale, columns } of VISITORS) {
  const { page, close } = await openPage(browser, { width, height, dark: theme === 'dark' });
  for (let first = 0; first < paths.length; first += ON_A_SHEET) {
    const cells = [];
    for (const path of paths.slice(first, first + ON_A_SHEET)) {
      await show(page, server.url, path, { lang, theme });
      const picture = await page.screenshot({ encoding: 'base64' });
      cells.push(
        `<figure><figcaption>#/${path}</figcaption><img src="data:image/png;base64,${picture}" width="${width * scale}"></figure>`,
      );
    }
    const sheet = await browser.newPage();
    await sheet.setViewport({ width: Math.round(columns * (width * scale + 12) + 20), height: 400 });
    await sheet.setContent(
      `<style>body{display:grid;grid-template-columns:repeat(${columns},max-content);gap:10px;margin:8px;font:13px sans-serif}figure{margin:0}</style>${cells.join('')}`,
    );
    await writeFile(`${folder}/${name}_${first / ON_A_SHEET + 1}.png`, await sheet.screenshot({ fullPage: true }));
    await sheet.close();
  }
  await close();
}
await browser.close();
await server.close();
console.log(`${folder}: ${paths.length} pages`);
