// Every page by its address, and what must hold on each of them, whatever it shows.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { list } from 'fovea/catalog';
import { goTo, root } from './support.mjs';

const STEPS = 10;
const FAMILIES = [
  'basics',
  'alignment',
  'self-attention-and-positions',
  'pooling',
  'sparse',
  'linear-and-low-rank',
  'memory',
  'pointing-and-copying',
  'beyond-text',
];

/** The addresses without `#/`. The map is the page of all mechanisms. */
export const pages = [
  '',
  ...Array.from({ length: STEPS }, (_, step) => `learn/${step + 1}`),
  ...['learn', 'compare', 'compare/recurrent', 'compare/fully-connected', 'compare/convolution', 'laboratory'],
  ...['weights', 'model', 'model/own', 'text', 'image', 'sound', 'mechanisms', 'words', 'offline'],
  // Each shows the first of its mechanisms.
  ...FAMILIES.map((family) => `family/${family}`),
  ...list().map(({ id }) => id.replaceAll('_', '-')),
];

/** Waits until the page that is open has computed and drawn: nothing is loading or asked for, and two frames have passed. */
export async function settle(page) {
  const made = () =>
    page
      .waitForFunction(() => document.querySelector('main h1') && !document.querySelector('main .loading'))
      .catch(async (error) => {
        const left = await page.$$eval('main .loading', (found) =>
          found.map((one) => one.parentElement.outerHTML.slice(0, 300)),
        );
        throw new Error(`${page.url()} is not made: ${left.join(' ')}`, { cause: error });
      });
  await made();
  // An answer of the service worker may count as under way for good: what the page still lacks is asked for below.
  await page.waitForNetworkIdle({ idleTime: 60, timeout: 3000 }).catch(() => {});
  await made();
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/** Opens a page and waits until it shows everything. */
export async function show(page, url, path, { lang = 'en', theme = 'light' } = {}) {
  await goTo(page, `${url}#/${path}?lang=${lang}&theme=${theme}`);
  await settle(page);
}

/** Turns the page that is open to another language and theme. */
export async function turnTo(page, path, { lang, theme }) {
  await page.evaluate((hash) => (location.hash = hash), `#/${path}?lang=${lang}&theme=${theme}`);
  await page.waitForFunction(
    (spoken, shown) => document.documentElement.lang.startsWith(spoken) && document.documentElement.dataset.theme === shown,
    {},
    lang,
    theme,
  );
  await settle(page);
}

/**
 * Faults of the layout of the open page, in words: text that is too small, a page wider than the screen, text cut off, labels
 * of a drawing over one another, an empty canvas, a character that no font has, a name of the code as a title.
 */
export const layoutFaults = (page) =>
  page.evaluate(() => {
    const faults = [];
    const chinese = document.documentElement.lang.startsWith('zh');
    const wide = document.scrollingElement.scrollWidth;
    if (wide > innerWidth) faults.push(`the page is ${wide} px wide on a screen of ${innerWidth}`);

    /** Seen only by screen readers, or not at all. */
    const hidden = (element) => {
      const { width, height } = element.getBoundingClientRect();
      return width <= 1 || height <= 1 || element.closest('.unseen, .skip, [hidden], .katex-mathml') !== null;
    };
    const name = (element) => `${element.tagName.toLowerCase()}.${element.className?.baseVal ?? element.className}`;
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const seen = new Set();
    const characters = new Set();
    while (walker.nextNode()) {
      const text = walker.currentNode.textContent.trim();
      const element = walker.currentNode.parentElement;
      if (text === '' || ['SCRIPT', 'STYLE', 'NOSCRIPT'].includes(element.tagName) || hidden(element)) continue;
      for (const character of text) characters.add(character);
      if (seen.has(element)) continue;
      seen.add(element);
      const style = getComputedStyle(element);
      // Subscripts of formulas are small by their nature.
      const least = element.closest('.katex, sub, sup') ? 0 : chinese && /\p{Script=Han}/u.test(text) ? 14 : 12;
      if (parseFloat(style.fontSize) < least) faults.push(`"${text.slice(0, 30)}" is ${style.fontSize} in ${name(element)}`);
      const clips = style.overflowX === 'hidden' || style.textOverflow === 'ellipsis';
      if (clips && element.scrollWidth > element.clientWidth + 1)
        faults.push(`"${text.slice(0, 30)}" is cut off in ${name(element)}`);
    }

    for (const svg of document.querySelectorAll('svg')) {
      const labels = [...svg.querySelectorAll('text')].filter((label) => label.textContent.trim() !== '');
      const boxes = labels.map((label) => label.getBoundingClientRect());
      boxes.forEach((a, i) =>
        boxes.slice(i + 1).forEach((b, j) => {
          const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
          const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
          if (across > 3 && down > 5)
            faults.push(`the labels "${labels[i].textContent}" and "${labels[i + 1 + j].textContent}" overlap`);
        }),
      );
    }

    for (const canvas of document.querySelectorAll('canvas')) {
      if (hidden(canvas) || canvas.width === 0) continue;
      // A copy is read: the browser warns of canvases that are read again and again.
      const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true });
      copy.drawImage(canvas, 0, 0);
      const pixels = new Uint32Array(copy.getImageData(0, 0, canvas.width, canvas.height).data.buffer);
      if (pixels.every((pixel) => pixel === pixels[0])) faults.push(`a canvas of ${canvas.width} × ${canvas.height} is empty`);
    }

    // Names with a capital inside, as CopyNet, are those of papers and files.
    const known = /\b(?:[A-Z]\w*[a-z][A-Z]\w*|softmax|arXiv|in_proj\w*)\b/g;
    for (const title of document.querySelectorAll(
      'h1, h2, h3, h4, legend, caption, figcaption, th, .provenance, [data-chosen]',
    )) {
      const copy = title.cloneNode(true);
      for (const code of copy.querySelectorAll('code, sub, sup, .katex')) code.remove();
      const text = copy.textContent.replaceAll(known, '').trim();
      if (/[a-z][A-Z]|\w_\w|\w\.[a-z]|(?:^|[^→←↑] )↓ →/.test(text))
        faults.push(`"${text.slice(0, 60)}" is a name of the code, or an axis without one`);
    }

    const ctx = new OffscreenCanvas(24, 24).getContext('2d', { willReadFrequently: true });
    const drawn = (character) => {
      ctx.clearRect(0, 0, 24, 24);
      ctx.font = `16px ${getComputedStyle(document.body).fontFamily}`;
      ctx.fillText(character, 2, 18);
      return ctx.getImageData(0, 0, 24, 24).data.join();
    };
    const missing = drawn('\u{10FFFE}');
    for (const character of characters)
      if (/[\p{L}\p{N}\p{S}\p{P}]/u.test(character) && drawn(character) === missing) faults.push(`no font has "${character}"`);
    return [...new Set(faults)];
  });

/** The least side of what a finger is to meet, in CSS px. Links within a sentence are as tall as their line. */
const FINGER = 44;

/** Controls of the open page that are too small for a finger, their labels included. */
export const targetFaults = (page) =>
  page.evaluate((least) => {
    const inSentence = (element) =>
      element.matches('a') &&
      [...element.parentElement.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== '');
    const faults = [];
    for (const element of document.querySelectorAll('a[href], button, input, select, textarea, summary, [role="slider"]')) {
      if (!element.checkVisibility({ visibilityProperty: true }) || element.closest('.unseen, .skip') || inSentence(element))
        continue;
      const boxes = [element, ...(element.labels ?? [])].map((one) => one.getBoundingClientRect());
      const box = boxes.toSorted((a, b) => Math.min(b.width, b.height) - Math.min(a.width, a.height))[0];
      if (Math.min(box.width, box.height) >= least - 0.5) continue;
      const label = (element.labels?.[0] ?? element).textContent.trim().slice(0, 24) || element.ariaLabel;
      const within = element.parentElement.closest('[class]');
      const place = `${element.tagName.toLowerCase()}.${element.className} in ${within?.tagName.toLowerCase()}.${within?.className}`;
      faults.push(`"${label}" is ${Math.round(box.width)} × ${Math.round(box.height)} px: ${place}`);
    }
    return [...new Set(faults)];
  }, FINGER);

let axe;

/** Violations that axe-core finds on the open page: rule, and where. */
export async function accessibilityFaults(page) {
  axe ??= await readFile(`${root}node_modules/axe-core/axe.min.js`, 'utf8');
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id}: ${target} ${failureSummary}`));
}

/** The terms of the open page that have a word of the other language, which a switch shows, and the language of that word. */
export const glosses = (page) => page.$$eval('[data-gloss]', (found) => found.map((one) => [one.textContent, one.lang]));

/** The marks of a gloss, which are never in what is shown, read out or linked. */
export const glossMarks = (page) =>
  page.evaluate(() => document.documentElement.outerHTML.match(/.{0,40}[\ufffa\ufffb].{0,20}/gs) ?? []);

/** Asserts that a page has no faults of layout, and that nothing went wrong on the way to it. */
export async function assertSound({ page, problems }, url, path, seen) {
  await show(page, url, path, seen);
  assert.deepEqual(await layoutFaults(page), [], `#/${path} ${JSON.stringify(seen)}`);
  assert.deepEqual(problems, [], `#/${path}`);
}
