/** Exported pictures: every number, what it is of, and nothing that a browser would run or ask for. */
// In a process of its own: it makes globals that modules of the page find in a browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { measure } from './support/page_globals.ts';
import type { Palette } from '../../web/figures/color.ts';
import type { Figure } from '../../web/figures/figure.ts';
import { standaloneHtml } from '../../web/figures/standalone.ts';
import { escaped, svgOf } from '../../web/figures/svg.ts';

const names = ['zero', 'positive', 'negative', 'ink', 'paper', 'muted', 'line', 'gaze', 'query', 'key', 'value'];
const drawing = (caption: readonly string[], transposed = false) => ({
  transposed,
  digits: 3,
  scale: { perRow: false, log: false },
  palette: Object.fromEntries(names.map((name, n) => [name, [20 * n, 10 * n, 5 * n]])) as unknown as Palette,
  measure,
  caption,
});
const figureOf = (rows: readonly string[], cols: readonly string[], data: readonly number[]): Figure => ({
  id: 'weights',
  letter: 'A',
  matrix: { rows: rows.length, cols: cols.length, data: Float32Array.from(data) },
  rows: { title: 'query', labels: rows },
  cols: { title: 'key', labels: cols },
  colors: 'weights',
  limit: 1,
  role: 'plain',
  provenance: 'yours',
  editable: false,
});

/** Elements and attributes of markup in which every quote and sign of a text is escaped. */
function elementsOf(markup: string): { name: string; attributes: Map<string, string> }[] {
  const tags = [...markup.matchAll(/<(\/?)([a-z][\w-]*)((?:\s+[\w:-]+="[^"<>]*")*)\s*\/?>/g)];
  // All signs of tags belong to a tag.
  assert.equal(tags.length, markup.replace('<!doctype html>', '').split('<').length - 1);
  return tags.flatMap(([, end, name, attributes]) =>
    end
      ? []
      : [{ name: name!, attributes: new Map([...attributes!.matchAll(/([\w:-]+)="([^"]*)"/g)].map(([, a, v]) => [a!, v!])) }],
  );
}

const SVG = ['svg', 'title', 'rect', 'path', 'text'];
const HTML = ['html', 'head', 'meta', 'style', 'body', 'h1', 'div', 'ul', 'li', 'table', 'thead', 'tbody', 'tr', 'th', 'td'];
const ASKING = /^(on.*|href|src|srcset|style|xlink:href|action|data|poster|background)$/;

function assertSilent(markup: string, allowed: readonly string[]): void {
  for (const { name, attributes } of elementsOf(markup)) {
    assert.ok(allowed.includes(name), name);
    for (const [attribute, value] of attributes) {
      assert.doesNotMatch(attribute, ASKING);
      if (attribute !== 'xmlns') assert.doesNotMatch(value, /url\(|javascript:|https?:/i);
    }
  }
  assert.doesNotMatch(markup, /@import|\beval\b|<script/i);
}

test('SVG and HTML hold only shapes, tables and texts, whatever the words are', () => {
  const words = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom(
      '<script>alert(1)</script>',
      '"><img src=x onerror=alert(1)>',
      "' onload='x",
      ']]>',
      '&lt;',
      '猫',
      '\u0000\ud800',
    ),
  );
  fc.assert(
    fc.property(fc.array(words, { minLength: 1, maxLength: 3 }), words, fc.boolean(), (labels, title, transposed) => {
      const figure = figureOf(
        labels,
        labels,
        Array.from({ length: labels.length ** 2 }, (_, n) => (n === 1 ? -Infinity : n / 7)),
      );
      const caption = [title, 'link'];
      assertSilent(svgOf(figure, drawing(caption, transposed)).replace('eval', ''), SVG);
      assertSilent(
        standaloneHtml(figure, title, 'en', { svg: svgOf(figure, drawing(caption, transposed)), caption, transposed }).replace(
          'eval',
          '',
        ),
        [...SVG, ...HTML],
      );
    }),
    { numRuns: 200 },
  );
  assert.throws(() => assertSilent('<svg onload="x"></svg>', SVG));
  assert.throws(() => assertSilent('<svg><image href="http://x"/></svg>', SVG));
});

test('the numbers have all their digits, and the caption says what they are of', () => {
  const figure = figureOf(['a', 'b'], ['c', 'd'], [0.1, 1 / 3, 0, 1]);
  const caption = ['Self-attention · weight A', 'color from 0 to 1', 'set by hand', 'http://host/#/self-attention?s=1.x'];
  const html = standaloneHtml(figure, 'Self-attention', 'en', {
    svg: svgOf(figure, drawing(caption)),
    caption,
    transposed: false,
  });
  for (const number of ['0.1', '0.33333334', '0', '1']) assert.ok(html.includes(`<td>${number}</td>`), number);
  for (const line of caption) assert.ok(html.includes(`<li>${escaped(line)}</li>`));
  const svg = svgOf(figure, drawing(caption));
  for (const line of caption) assert.ok(svg.includes(escaped(line)));
  assert.match(html, /default-src 'none'/);
});
