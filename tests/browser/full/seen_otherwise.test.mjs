// Visitors who see the page otherwise: magnified four times, in forced colors, without motion. Nothing is lost to them.
// node tests/browser/full/seen_otherwise.test.mjs [PATH…]: these pages alone.

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { pages, show } from '../pages.mjs';
import { openPage, withBrowser } from '../support.mjs';

/** A screen of 1280 × 1024 px, magnified to 400 %. */
const MAGNIFIED = { width: 320, height: 256 };

/** Puppeteer's own call refuses forced colors. */
async function emulate(page, features) {
  const session = await page.createCDPSession();
  await session.send('Emulation.setEmulatedMedia', {
    features: Object.entries(features).map(([name, value]) => ({ name, value })),
  });
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/** Controls, and those of them that stand outside the screen's width where nothing scrolls to them. */
const controls = (page) =>
  page.evaluate(() => {
    const found = [...document.querySelectorAll('body :is(a, button, input, select, textarea, summary, [tabindex="0"])')];
    const shown = found.filter((one) => one.checkVisibility() && !one.closest('.unseen, .skip'));
    const scrolls = (one) => {
      for (let parent = one.parentElement; parent && parent !== document.body; parent = parent.parentElement)
        if (['auto', 'scroll'].includes(getComputedStyle(parent).overflowX)) return true;
      return false;
    };
    const outside = shown.filter((one) => {
      const { left, right } = one.getBoundingClientRect();
      return (left < -1 || right > innerWidth + 1) && !scrolls(one);
    });
    return {
      count: shown.length,
      outside: outside.map((one) => one.textContent.trim() || one.ariaLabel || one.outerHTML.slice(0, 80)),
      wide: document.scrollingElement.scrollWidth,
    };
  });

/**
 * Marks of pictures that stand out from the page's paper, each with its contrast: shapes and texts of SVG, and boxes without text, as bars
 * and swatches. The first call numbers them, so that a later one finds the same.
 */
const marks = (page) =>
  page.evaluate(() => {
    const ctx = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
    const paper = getComputedStyle(document.body).backgroundColor;
    const luminances = new Map();
    const luminance = (color, ground = paper) => {
      const pair = `${ground} ${color}`;
      if (!luminances.has(pair)) {
        for (const paint of [paper, ground, color]) {
          ctx.fillStyle = paint;
          ctx.fillRect(0, 0, 1, 1);
        }
        const [r, g, b] = [...ctx.getImageData(0, 0, 1, 1).data].map((x) =>
          x <= 10 ? x / 3294 : ((x / 255 + 0.055) / 1.055) ** 2.4,
        );
        luminances.set(pair, 0.2126 * r + 0.7152 * g + 0.0722 * b);
      }
      return luminances.get(pair);
    };
    const contrast = (color, ground) => {
      if (color === 'none' || color.startsWith('url')) return 1;
      const [low, high] = [luminance(color, ground), luminance(ground)].sort((a, b) => a - b);
      return (high + 0.05) / (low + 0.05);
    };
    /** The paper, or for a number in a node the node: the shape before it that it stands in. */
    const groundOf = (one) => {
      const before = one.previousElementSibling;
      if (!one.matches('text') || !before?.matches('rect, circle')) return paper;
      const [inner, outer] = [one.getBoundingClientRect(), before.getBoundingClientRect()];
      const stands =
        inner.left >= outer.left && inner.right <= outer.right && inner.top >= outer.top && inner.bottom <= outer.bottom;
      const { fill } = getComputedStyle(before);
      return stands && fill !== 'none' ? fill : paper;
    };
    const shape = 'svg :is(text, line, path, polyline, polygon, rect, circle, ellipse)';
    return [...document.querySelectorAll('main *')].flatMap((one, at) => {
      const drawn = one.matches(shape);
      if (!drawn && (one.closest('svg, .katex, .unseen') || one.matches('canvas, input, select, textarea, button'))) return [];
      if (!drawn && (one.childElementCount > 0 || one.textContent.trim() !== '')) return [];
      if (one.closest('defs') || !one.checkVisibility()) return [];
      const { width, height } = one.getBoundingClientRect();
      if (!drawn && (width < 3 || height < 3)) return [];
      one.dataset.mark ??= at;
      const style = getComputedStyle(one);
      const border = ['Top', 'Right', 'Bottom', 'Left'].flatMap((side) =>
        parseFloat(style[`border${side}Width`]) > 0 ? [style[`border${side}Color`]] : [],
      );
      const colors = drawn ? [style.fill, style.stroke] : [style.backgroundColor, ...border];
      const ground = groundOf(one);
      const image = !drawn && style.backgroundImage !== 'none';
      const name = `${one.tagName}.${one.getAttribute('class')} in ${one.closest('[class]:not(svg, svg *)')?.className} ${one.textContent.trim()}`;
      return [
        { at: one.dataset.mark, name, contrast: image ? 21 : Math.max(...colors.map((color) => contrast(color, ground))) },
      ];
    });
  });

const asked = process.argv.slice(2);

describe('pages seen otherwise', { concurrency: 2 }, () => {
  let server, browser;
  withBrowser((given) => ({ server, browser } = given));

  for (const path of pages.filter((path) => asked.length === 0 || asked.includes(path)))
    test(`#/${path}`, async () => {
      const { page, problems, close } = await openPage(browser, MAGNIFIED);
      await show(page, server.url, path);
      const { count, outside, wide } = await controls(page);
      assert.ok(count > 0 && wide <= MAGNIFIED.width, `at 400 % the page is ${wide} px wide on ${MAGNIFIED.width}`);
      assert.deepEqual(outside, [], 'controls outside the screen at 400 %');

      await page.setViewport({ width: 1280, height: 800 });
      const usual = new Map((await marks(page)).map((mark) => [mark.at, mark]));
      for (const scheme of ['light', 'dark']) {
        await emulate(page, { 'forced-colors': 'active', 'prefers-reduced-motion': 'reduce', 'prefers-color-scheme': scheme });
        assert.ok(await page.evaluate(() => matchMedia('(forced-colors: active)').matches));
        const lost = (await marks(page)).filter(({ at, contrast }) => contrast < 1.3 && usual.get(at)?.contrast >= 1.5);
        const names = [...new Set(lost.map(({ name }) => name))];
        assert.deepEqual(names, [], `marks that have the paper's color in forced colors, ${scheme}`);
      }
      const moving = await page.evaluate(
        () => document.getAnimations().filter(({ playState }) => playState === 'running').length,
      );
      assert.equal(moving, 0, 'something moves');
      assert.deepEqual(problems, []);
      await close();
    });
});
