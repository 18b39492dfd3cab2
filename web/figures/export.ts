import { css, paletteOf } from './color.ts';
import { drawHeatmap } from './draw.ts';
import { axesText, type Figure } from './figure.ts';
import { shortestFloat32 } from './format.ts';
import { layout, show } from './layout.ts';
import { LINEAR, strengthOf } from './scale.ts';
import { measureText } from './measure.ts';
import { plain } from '../shell/gloss.ts';

/** A figure as a file, in the notation on the screen. CSV and JSON hold every digit of the float32 numbers. */

export function csvOf(figure: Figure, transposed: boolean, caption: readonly string[] = []): Blob {
  const shown = show(figure, transposed);
  const lines = [
    ['', ...shown.cols],
    ...shown.rows.map((label, r) => [label, ...shown.cols.map((_, c) => shortestFloat32(shown.value(r, c)))]),
  ];
  // Below the numbers, where readers of the first rows do not meet it.
  if (caption.length > 0) lines.push([], ...caption.map((line) => [line]));
  const text = lines.map((line) => line.map(csvField).join(',')).join('\r\n');
  // With a byte-order mark, spreadsheets read the Chinese labels right.
  return new Blob([`\uFEFF${text}\r\n`], { type: 'text/csv;charset=utf-8' });
}

export function jsonOf(figure: Figure, transposed: boolean, caption: readonly string[] = []): Blob {
  const shown = show(figure, transposed);
  const [rows, cols] = transposed ? [figure.cols, figure.rows] : [figure.rows, figure.cols];
  const value = {
    name: figure.id,
    notation: transposed ? 'columns' : 'rows',
    provenance: figure.provenance,
    ...(caption.length > 0 ? { caption } : {}),
    ...(figure.pattern ? { pattern: figure.pattern } : {}),
    ...(figure.features ? { features: figure.features } : {}),
    rows: { axis: plain(rows.title), labels: shown.rows },
    columns: { axis: plain(cols.title), labels: shown.cols },
    // JSON has no infinity: a forbidden pair's score is written as a string.
    data: shown.rows.map((_, r) => shown.cols.map((_, c) => finite(shown.value(r, c)))),
  };
  return new Blob([`${JSON.stringify(value, null, 1)}\n`], { type: 'application/json' });
}

export async function pngOf(
  figure: Figure,
  transposed: boolean,
  digits: number,
  caption: string | readonly string[],
  styled: Element,
): Promise<Blob> {
  const shown = show(figure, transposed);
  const palette = paletteOf(styled);
  const fonts = getComputedStyle(styled).fontFamily;
  const geometry = layout(shown, shown.cols.length > 24 ? 20 : 54, digits, figure.colors, measureText);
  const [margin, line, sharpness] = [20, 24, 2];
  const canvas = document.createElement('canvas');
  const captions = typeof caption === 'string' ? [caption] : caption;
  const width = Math.max(geometry.width, ...captions.map((text) => measureText(text, 13))) + 2 * margin;
  const height = geometry.height + 2 * margin + line + line * captions.length;
  canvas.width = width * sharpness;
  canvas.height = height * sharpness;
  const ctx = canvas.getContext('2d');
  if (!ctx) throw new Error('this browser gave no 2D canvas');

  // The heatmap clears its own part, so the paper goes below it afterwards.
  ctx.setTransform(sharpness, 0, 0, sharpness, margin * sharpness, (margin + line) * sharpness);
  drawHeatmap(ctx, geometry, shown, {
    palette,
    fonts,
    strength: strengthOf(figure, LINEAR),
    colors: figure.colors,
    role: figure.role,
    selected: null,
    links: [],
    gazing: false,
  });
  ctx.fillStyle = css(palette.muted);
  ctx.textAlign = 'left';
  ctx.textBaseline = 'alphabetic';
  ctx.font = `13px ${fonts}`;
  ctx.fillText(plain(axesText(figure, transposed, '  ')), 0, -8);
  captions.forEach((text, n) => ctx.fillText(text, 0, geometry.height + line * (n + 1)));
  ctx.globalCompositeOperation = 'destination-over';
  ctx.fillStyle = css(palette.paper);
  ctx.fillRect(-margin, -margin - line, width, height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('this browser made no PNG'))), 'image/png');
  });
}

/** The name of a saved file, which says where it is from. */
export const fileName = (name: string): string => `fovea-${name}`;

export function download(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName(name);
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

function csvField(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function finite(x: number): number | string {
  return Number.isFinite(x) ? Number(shortestFloat32(x)) : String(x);
}
