import type { Palette } from './color.ts';
import { css, signedColor, textOn } from './color.ts';
import { axesText, type Figure } from './figure.ts';
import { layout, show, type Measure } from './layout.ts';
import { type Scale, strengthOf } from './scale.ts';
import { short } from './format.ts';
import { plain } from '../shell/gloss.ts';

/** The lines of text below an exported picture. */
export type Caption = readonly string[];

export interface Drawing {
  readonly transposed: boolean;
  readonly digits: number;
  readonly scale: Scale;
  readonly palette: Palette;
  readonly measure: Measure;
  readonly caption: Caption;
}

const MARGIN = 20;
const LINE = 20;
const FONT = 13;
const STEPS = 24;

/** A picture of numbers as SVG that asks for nothing: shapes and texts alone, no script, no style sheet, no address. */
export function svgOf(figure: Figure, { transposed, digits, scale, palette, measure, caption }: Drawing): string {
  const shown = show(figure, transposed);
  const geometry = layout(shown, shown.cols.length > 24 ? 20 : 54, digits, figure.colors, measure);
  const { left, top, cellWidth: w, cellHeight: h, print, font } = geometry;
  const strength = strengthOf(figure, scale);
  const axes = plain(axesText(figure, transposed, '  '));
  const gap = w > 18 ? 1 : 0;
  const cells = shown.rows.flatMap((_, r) =>
    shown.cols.map((_, c) => {
      const value = shown.value(r, c);
      const [x, y] = [left + c * w, top + r * h];
      const isLeftOut = value === -Infinity || Number.isNaN(value) || shown.masked(r, c);
      const fill = isLeftOut ? palette.paper : signedColor(palette, strength(value, transposed ? c : r));
      const rect = `<rect x="${x}" y="${y}" width="${w - gap}" height="${h - gap}" fill="${css(fill)}"/>`;
      const hatch = isLeftOut
        ? `<path d="M${x} ${y + h - gap}L${x + w - gap} ${y}M${x} ${y + h / 2}L${x + w / 2} ${y}M${x + w / 2} ${y + h}L${x + w} ${y + h / 2}" stroke="${css(palette.muted)}"/>`
        : '';
      const number = print
        ? text(print(value), x + (w - gap) / 2, y + h / 2 + font / 3, { size: font, anchor: 'middle', fill: css(textOn(fill)) })
        : '';
      return rect + hatch + number;
    }),
  );
  const rows = shown.rows.map((label, r) =>
    text(label, left - 10, top + r * h + h / 2 + 4, { anchor: 'end', size: 12, fill: css(palette.ink) }),
  );
  const cols = shown.cols.map((label, c) => {
    const [x, y] = [left + c * w + w / 2, top - 8];
    const turned = geometry.turnedLabels ? ` transform="rotate(-90 ${x + 4} ${y})"` : '';
    return text(label, geometry.turnedLabels ? x + 4 : x, y, {
      anchor: geometry.turnedLabels ? 'start' : 'middle',
      size: 12,
      fill: css(palette.ink),
      more: turned,
    });
  });
  const lines = caption.map((line, n) =>
    text(line, 0, geometry.height + 44 + n * LINE, { size: FONT, fill: css(palette.muted) }),
  );
  const width = Math.max(geometry.width, 260, ...caption.map((line) => measure(line, FONT))) + 2 * MARGIN;
  const height = geometry.height + 44 + caption.length * LINE + 2 * MARGIN;
  const named = [figure.rows, figure.cols].map(({ title }) => plain(title)).filter((title) => title !== '');
  const described = escaped(
    [(transposed ? named.reverse() : named).join(' × '), ...caption].filter((line) => line !== '').join(' · '),
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${-MARGIN} ${-MARGIN} ${width} ${height}" role="img" font-family="sans-serif"><title>${described}</title><rect x="${-MARGIN}" y="${-MARGIN}" width="${width}" height="${height}" fill="${css(palette.paper)}"/>${text(axes, 0, -6, { size: FONT, fill: css(palette.muted) })}${[...cells, ...rows, ...cols].join('')}${legend(figure, scale, palette, geometry.height + 10)}${lines.join('')}</svg>
`;
}

/** The colors from one end to the other, with the numbers of the ends. */
function legend(figure: Figure, { perRow, log }: Scale, palette: Palette, y: number): string {
  const isSigned = figure.colors === 'signed';
  const from = isSigned ? -1 : 0;
  const boxes = Array.from({ length: STEPS }, (_, n) => {
    const x = from + ((1 - from) * n) / (STEPS - 1);
    return `<rect x="${60 + n * 5}" y="${y}" width="5" height="10" fill="${css(signedColor(palette, x))}"/>`;
  });
  const end = perRow ? 'max' : short(figure.limit, 2);
  const look = { size: 12, fill: css(palette.muted) } as const;
  return `${text(isSigned ? `−${end}` : '0', 52, y + 10, { ...look, anchor: 'end' })}${boxes.join('')}${text(`${end}${log ? ' (log)' : ''}`, 66 + STEPS * 5, y + 10, look)}`;
}

interface Look {
  readonly size: number;
  readonly fill: string;
  readonly anchor?: 'start' | 'middle' | 'end';
  readonly more?: string;
}

const text = (words: string, x: number, y: number, { size, fill, anchor = 'start', more = '' }: Look): string =>
  `<text x="${x}" y="${y}" font-size="${size}" text-anchor="${anchor}" fill="${fill}"${more}>${escaped(words)}</text>`;

/** Texts of visitors stand as text, whatever they hold; what XML cannot hold is left out. */
export const escaped = (words: string): string =>
  words
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ud800-\udfff\ufffe\uffff]/gu, '')
    .replace(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`);
