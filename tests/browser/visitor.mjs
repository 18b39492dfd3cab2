// How visitors go through a page: with the keys alone, or with a finger. What they see is compared with lessons called from here.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { build } from 'esbuild';
import { list } from 'fovea/catalog';
import { openPage, root } from './support.mjs';

const MOST_TABS = 250;

/** The page's lessons, and the ten steps' questions, as modules that call the package by its name. */
export async function loadTexts() {
  const ids = new Set(list().map(({ id }) => id));
  const files = (folder) => readdirSync(`${root}web/${folder}`).filter((name) => name.endsWith('.ts'));
  const lessons = files('lessons')
    .map((name) => name.replace(/\.ts$/, ''))
    .filter((stem) => ids.has(stem));
  const order = [
    'vectors',
    'one_query',
    'worked_example',
    'softmax',
    'projections',
    'matrix',
    'heads',
    'positions',
    'masks',
    'cost',
  ];
  const outfile = `${root}build/tests/page_texts_${process.pid}.mjs`;
  await build({
    stdin: {
      contents: [
        ...lessons.map((stem) => `export { default as lesson_${stem} } from './web/lessons/${stem}.ts';`),
        ...order.map((step) => `export { default as step_${step} } from './web/course/learn/steps/${step}.ts';`),
      ].join('\n'),
      resolveDir: root,
      loader: 'ts',
    },
    outfile,
    bundle: true,
    format: 'esm',
    packages: 'external',
    external: ['*.svelte'],
    logLevel: 'error',
  });
  const found = await import(outfile);
  return {
    lessons: new Map(lessons.map((stem) => [stem, found[`lesson_${stem}`]])),
    steps: order.map((step) => found[`step_${step}`]),
  };
}

/** A phone with a touch screen, in Chinese by its address and dark by its system. */
export async function openPhone(browser) {
  const phone = await openPage(browser, { width: 390, height: 844, dark: true });
  await phone.page.setViewport({ width: 390, height: 844, hasTouch: true, isMobile: true });
  return phone;
}

/** Presses Tab until what has the focus is one of `selector`: as far as the keyboard reaches. */
export async function tabTo(page, selector) {
  for (let presses = 0; presses < MOST_TABS; presses++) {
    if (await page.evaluate((s) => document.activeElement?.matches(s) ?? false, selector)) return;
    await page.keyboard.press('Tab');
  }
  assert.fail(`Tab does not reach ${selector}`);
}

export async function tap(page, selector) {
  const element = await page.waitForSelector(selector);
  await element.evaluate((found) => found.scrollIntoView({ block: 'center', behavior: 'instant' }));
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await element.tap();
}

/** Words alone: indices and exponents stand below and above the line, where their marks are not written. */
export const plain = (text) => text.replace(/[_^]/g, '').replace(/\s+/g, ' ').trim();

/**
 * Commits to the first choice of a prediction, has it computed, and compares what is revealed with the package called from here.
 *
 * @param {import('puppeteer-core').Page} page
 * @param {{ id: string, choices: readonly unknown[], reveal: (fovea: unknown) => { right: number, shown: { en: string, zh: string } } }} prediction
 * @param {{ fovea: unknown, language: 'en' | 'zh', by: 'keys' | 'finger' }} how
 */
export async function predict(page, prediction, { fovea, language, by }) {
  const at = `[data-prediction="${prediction.id}"]`;
  await page.waitForSelector(`${at} input`);
  assert.equal(await page.$(`${at} [data-revealed]`), null, `${prediction.id} asks first`);
  assert.ok(await page.$(`${at} .primary:disabled`), `${prediction.id} waits for an answer`);
  assert.equal((await page.$$(`${at} input`)).length, prediction.choices.length + 1, `${prediction.id}: one may be not sure`);
  if (by === 'keys') {
    await tabTo(page, `${at} input`);
    await page.keyboard.press('Space');
    await tabTo(page, `${at} .primary`);
    await page.keyboard.press('Enter');
  } else {
    await tap(page, `${at} label`);
    await tap(page, `${at} .primary:not(:disabled)`);
  }
  await page.waitForSelector(`${at} [data-revealed]`);
  const { right, shown } = prediction.reveal(fovea, language);
  assert.equal(await page.$eval(`${at} [data-revealed]`, (one) => Number(one.dataset.revealed)), right, prediction.id);
  const said = plain(await page.$eval(`${at} .shown`, (one) => one.textContent));
  assert.ok(said.endsWith(plain(shown[language])), `${prediction.id}: "${said}" is not "${shown[language]}"`);
  assert.ok(await page.$(`${at} label.right input[value="${right}"]`), `${prediction.id}: the right choice is marked`);
}

/** The claim's sentence on the page is the lesson's for the package's own run, and it holds. */
export async function readClaim(page, id, lesson, trace, language) {
  const live = await page.waitForSelector(`[data-lesson="${id}"] [data-live]`);
  const said = plain(await live.evaluate((one) => one.textContent));
  assert.equal(said, plain(lesson.live(trace, language)[language]), id);
  assert.ok(await page.$(`[data-lesson="${id}"] [data-holds="true"]`), `${id}: the claim holds`);
}
