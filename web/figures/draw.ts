import type { Palette, Rgb } from './color.ts';
import { css, mix, signedColor, textOn } from './color.ts';
import type { Figure, Link, Role } from './figure.ts';
import { isLinked } from './figure.ts';
import type { Geometry, Shown } from './layout.ts';
import { labelFont } from './layout.ts';

/** Everything about a heatmap that changes while somebody looks at it, in shown rows and columns. */
export interface Scene {
  readonly palette: Palette;
  readonly fonts: string;
  /** −1 … 1 for a number in a shown cell. */
  readonly strength: (value: number, row: number, col: number) => number;
  readonly colors: Figure['colors'];
  readonly role: Role;
  readonly selected: { row: number; col: number } | null;
  readonly links: readonly Link[];
  /** Somebody points at a cell: it is sharp, and the rest fades with distance, as around the eye's fovea. */
  readonly gazing: boolean;
}

export function drawHeatmap(ctx: CanvasRenderingContext2D, geometry: Geometry, shown: Shown, scene: Scene): void {
  ctx.clearRect(0, 0, geometry.width, geometry.height);
  drawCells(ctx, geometry, shown, scene);
  drawLabels(ctx, geometry, shown, scene);
  drawBlockNames(ctx, geometry, shown, scene);
  drawBrackets(ctx, geometry, shown, scene.palette);
  for (const link of scene.links) outline(ctx, geometry, shown, link, css(roleColor(scene)), 2);
  if (scene.selected) ring(ctx, geometry, scene.selected, scene.palette);
}

function drawCells(ctx: CanvasRenderingContext2D, geometry: Geometry, shown: Shown, scene: Scene): void {
  const { cellWidth: w, cellHeight: h, left, top, print, font } = geometry;
  const { palette } = scene;
  const gap = w > 18 ? 1 : 0;
  ctx.textAlign = 'center';
  ctx.textBaseline = 'middle';
  shown.rows.forEach((_, r) => {
    shown.cols.forEach((_, c) => {
      const [x, y] = [left + c * w, top + r * h];
      const value = shown.value(r, c);
      const clear = clarity(scene, r, c);
      // A forbidden pair has no place on the color scale, nor has 0 ÷ 0.
      const forbidden =
        value === -Infinity ||
        Number.isNaN(value) ||
        shown.masked(r, c) ||
        (value === 0 && (scene.colors === 'pairs' || scene.colors === 'steps'));
      const fill = mix(palette.paper, forbidden ? palette.paper : signedColor(palette, scene.strength(value, r, c)), clear);
      ctx.fillStyle = css(fill);
      ctx.fillRect(x, y, w - gap, h - gap);
      if (forbidden) hatch(ctx, x, y, w - gap, h - gap, css(palette.muted, 0.55 * clear));
      if (!print || (value === -Infinity && w < 26)) return;
      const ink = textOn(fill);
      ctx.font = `${font}px ${scene.fonts}`;
      ctx.fillStyle = css(mix(fill, ink, value === 0 ? Math.min(clear, 0.6) : Math.max(0.6, clear)));
      if (forbidden) ctx.fillStyle = css(mix(fill, palette.ink, 0.8));
      ctx.fillText(print(value), x + (w - gap) / 2, y + (h - gap) / 2 + 0.5);
    });
  });
  ctx.fillStyle = css(palette.muted, 0.8);
  for (const { from } of shown.colBlocks.slice(1)) ctx.fillRect(left + from * w - 1, top, 1, shown.rows.length * h);
  for (const { from } of shown.rowBlocks.slice(1)) ctx.fillRect(left, top + from * h - 1, shown.cols.length * w, 1);
}

/** 1 = as it is; less = faded towards the paper. Pictures that have no part in the selected cell stay as they are. */
function clarity(scene: Scene, row: number, col: number): number {
  if (!scene.gazing) return 1;
  if (isLinked(scene.links, row, col)) return 1;
  if (scene.selected) {
    const distance = Math.hypot(row - scene.selected.row, col - scene.selected.col);
    return Math.max(0.45, 1 - 0.22 * distance);
  }
  return scene.links.length > 0 ? 0.4 : 1;
}

function drawLabels(ctx: CanvasRenderingContext2D, geometry: Geometry, shown: Shown, scene: Scene): void {
  const { left, top, cellWidth, cellHeight } = geometry;
  const active = (axis: 'row' | 'col', i: number): boolean =>
    scene.selected?.[axis] === i || scene.links.some((link) => link[axis] === i);
  const style = (on: boolean): void => {
    ctx.font = `${on ? '600 ' : ''}${labelFont()}px ${scene.fonts}`;
    ctx.fillStyle = css(on ? scene.palette.ink : scene.palette.muted);
  };
  ctx.textBaseline = 'middle';
  ctx.textAlign = 'right';
  const everyRow = Math.ceil((labelFont() + 1) / cellHeight);
  shown.rows.forEach((label, r) => {
    const on = active('row', r);
    if (r % everyRow !== 0 && !on) return;
    style(on);
    ctx.fillText(label, left - 11, top + (r + 0.5) * cellHeight, left - 11);
  });
  const everyCol = geometry.turnedLabels ? Math.ceil((labelFont() + 1) / cellWidth) : 1;
  shown.cols.forEach((label, c) => {
    const on = active('col', c);
    if (c % everyCol !== 0 && !on) return;
    style(on);
    ctx.save();
    ctx.translate(left + (c + 0.5) * cellWidth, top - 6);
    if (geometry.turnedLabels) ctx.rotate(-Math.PI / 2);
    ctx.textAlign = geometry.turnedLabels ? 'left' : 'center';
    ctx.textBaseline = geometry.turnedLabels ? 'middle' : 'alphabetic';
    ctx.fillText(label, 0, 0, geometry.turnedLabels ? top - 8 : cellWidth + 8);
    ctx.restore();
  });
}

/** Names above blocks of columns, each over a line as long as the block; a name that does not fit is left out. */
function drawBlockNames(
  ctx: CanvasRenderingContext2D,
  { left, cellWidth }: Geometry,
  shown: Shown,
  { palette, fonts }: Scene,
): void {
  if (shown.colBlocks.length < 2) return;
  ctx.font = `${labelFont() - 1}px ${fonts}`;
  ctx.fillStyle = css(palette.muted);
  ctx.strokeStyle = css(palette.line);
  ctx.lineWidth = 1;
  ctx.textAlign = 'left';
  ctx.textBaseline = 'alphabetic';
  shown.colBlocks.forEach(({ from, name }, i) => {
    const [x, end] = [left + from * cellWidth, left + (shown.colBlocks[i + 1]?.from ?? shown.cols.length) * cellWidth];
    ctx.beginPath();
    ctx.moveTo(x + 1, 15.5);
    ctx.lineTo(end - 3, 15.5);
    ctx.stroke();
    if (ctx.measureText(name).width < end - x) ctx.fillText(name, x + 1, 11);
  });
}

function drawBrackets(ctx: CanvasRenderingContext2D, geometry: Geometry, shown: Shown, palette: Palette): void {
  const { left, top } = geometry;
  const right = left + shown.cols.length * geometry.cellWidth;
  const bottom = top + shown.rows.length * geometry.cellHeight;
  ctx.strokeStyle = css(palette.ink, 0.75);
  ctx.lineWidth = 1.25;
  ctx.beginPath();
  for (const [x, foot] of [
    [left - 4.5, left + 0.5],
    [right + 3.5, right - 1.5],
  ] as const) {
    ctx.moveTo(foot, top - 2.5);
    ctx.lineTo(x, top - 2.5);
    ctx.lineTo(x, bottom + 1.5);
    ctx.lineTo(foot, bottom + 1.5);
  }
  ctx.stroke();
}

function outline(
  ctx: CanvasRenderingContext2D,
  geometry: Geometry,
  shown: Shown,
  link: Link,
  color: string,
  width: number,
): void {
  const { left, top, cellWidth: w, cellHeight: h } = geometry;
  const x = left + (link.col ?? 0) * w;
  const y = top + (link.row ?? 0) * h;
  ctx.strokeStyle = color;
  ctx.lineWidth = width;
  ctx.strokeRect(
    x - 0.5,
    y - 0.5,
    link.col === undefined ? shown.cols.length * w : w,
    link.row === undefined ? shown.rows.length * h : h,
  );
}

/** The selected cell: yellow like the macula, with an ink line inside, so that it stands out on any cell color. */
function ring(
  ctx: CanvasRenderingContext2D,
  geometry: Geometry,
  { row, col }: { row: number; col: number },
  palette: Palette,
): void {
  const { left, top, cellWidth: w, cellHeight: h } = geometry;
  const [x, y] = [left + col * w - 0.5, top + row * h - 0.5];
  ctx.strokeStyle = css(palette.gaze);
  ctx.lineWidth = 3.5;
  ctx.strokeRect(x - 1.5, y - 1.5, w + 3, h + 3);
  ctx.strokeStyle = css(palette.ink);
  ctx.lineWidth = 1.25;
  ctx.strokeRect(x, y, w, h);
}

/** Lines that end at the cell's edges: cheaper than to clip each of thousands of cells. */
export function hatch(ctx: CanvasRenderingContext2D, x: number, y: number, w: number, h: number, color: string): void {
  ctx.strokeStyle = color;
  ctx.lineWidth = 1;
  ctx.beginPath();
  for (let d = -h; d < w; d += 6) {
    const [from, to] = [Math.max(0, -d), Math.min(h, w - d)];
    ctx.moveTo(x + d + from, y + h - from);
    ctx.lineTo(x + d + to, y + h - to);
  }
  ctx.stroke();
}

function roleColor({ palette, role }: Scene): Rgb {
  return role === 'plain' ? palette.ink : palette[role];
}
