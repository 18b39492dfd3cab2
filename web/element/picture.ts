/** The heatmap of the element: drawn as the page draws its own, with the keyboard, by touch, and as a table. */

import * as messages from '../../build/generated/texts/element.ts';
import * as spoken from '../../build/generated/texts/figures.ts';
import { paletteOf } from '../figures/color.ts';
import { drawHeatmap } from '../figures/draw.ts';
import type { Figure } from '../figures/figure.ts';
import { weight } from '../figures/format.ts';
import { cellAt, layout, show, sideWidth, type Geometry } from '../figures/layout.ts';
import { at, row } from '../figures/matrix.ts';
import { placeText } from '../figures/reading.ts';
import { LINEAR, strengthOf } from '../figures/scale.ts';
import { settings } from './settings.ts';

export interface Cell {
  readonly row: number;
  readonly col: number;
}
export type Language = 'en' | 'zh';

const LARGEST_CELL = 48;
const SMALLEST_CELL = 7;
const MOST_PRINTED = 12;
/** A table of more cells is made when it is asked for. */
const MOST_CELLS = 100;
const STEPS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** An element with its text; whatever the text is, it is no markup. */
export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className = '',
  ...content: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  if (className !== '') element.className = className;
  element.append(...content);
  return element;
}

export class Picture {
  readonly parts: readonly HTMLElement[];
  selected: Cell | null = null;
  readonly #figure: Figure;
  readonly #language: Language;
  readonly #onselect: () => void;
  readonly #canvas = make('canvas');
  readonly #surface = make('div', 'surface', this.#canvas);
  readonly #scroll = make('div', 'scroll', this.#surface);
  readonly #reading = make('p', 'reading');
  readonly #tables = make('div', 'table unseen');
  #geometry: Geometry | undefined;
  #pointed: Cell | null = null;
  #gazing = false;

  constructor(figure: Figure, language: Language, onselect: () => void) {
    this.#figure = figure;
    this.#language = language;
    this.#onselect = onselect;
    const label = messages.caption[language]({
      quantity: messages.picture[language],
      axes: `${figure.rows.title} × ${figure.cols.title}`,
    });
    const surface = this.#surface;
    surface.tabIndex = 0;
    surface.setAttribute('role', 'application');
    surface.setAttribute('aria-roledescription', messages.role[language]);
    surface.setAttribute('aria-label', `${label}. ${messages.help[language]}`);
    this.#reading.setAttribute('aria-live', 'polite');
    this.#listen();
    this.parts = [this.#scroll, this.#legend(), this.#reading, this.#tables];
    if (figure.matrix.data.length <= MOST_CELLS) this.#tables.append(this.#table());
  }

  /** Lays out and draws for so much room. */
  draw(room: number): void {
    settings.language = this.#language;
    const figure = this.#figure;
    const shown = show(figure, false);
    const fonts = getComputedStyle(this.#canvas).fontFamily;
    const ctx = this.#canvas.getContext('2d');
    if (!ctx || room <= 0) return;
    const measure = (text: string, font: number): number => {
      ctx.font = `${font}px ${fonts}`;
      return ctx.measureText(text).width;
    };
    const fitting = Math.floor((room - sideWidth(shown, measure)) / Math.max(1, shown.cols.length));
    const cellWidth = Math.max(SMALLEST_CELL, Math.min(LARGEST_CELL, fitting));
    const digits = shown.rows.length <= MOST_PRINTED ? 3 : 0;
    const geometry = layout(shown, cellWidth, digits, figure.colors, measure);
    this.#geometry = geometry;
    const ratio = devicePixelRatio || 1;
    this.#canvas.width = Math.round(geometry.width * ratio);
    this.#canvas.height = Math.round(geometry.height * ratio);
    this.#canvas.style.width = `${geometry.width}px`;
    this.#canvas.style.height = `${geometry.height}px`;
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    const selected = this.#pointed ?? this.selected;
    drawHeatmap(ctx, geometry, shown, {
      palette: paletteOf(this.#canvas),
      fonts,
      strength: strengthOf(figure, LINEAR),
      colors: figure.colors,
      role: figure.role,
      selected,
      links: selected ? [{ row: selected.row }] : [],
      gazing: this.#gazing || this.#pointed !== null,
    });
    this.#reading.textContent = selected ? this.#read(selected) : '';
  }

  #redraw(): void {
    this.draw(this.#scroll.clientWidth);
  }

  #select(cell: Cell): void {
    this.selected = cell;
    this.#redraw();
    this.#onselect();
  }

  #listen(): void {
    const surface = this.#surface;
    const under = (event: MouseEvent): Cell | null => {
      const { left, top } = surface.getBoundingClientRect();
      const geometry = this.#geometry;
      return geometry ? cellAt(geometry, show(this.#figure, false), event.clientX - left, event.clientY - top) : null;
    };
    surface.addEventListener('keydown', (event) => this.#onkeydown(event));
    surface.addEventListener('focus', () => {
      this.#gazing = surface.matches(':focus-visible');
      if (this.#gazing && !this.selected) this.#select({ row: 0, col: 0 });
      else this.#redraw();
    });
    surface.addEventListener('blur', () => {
      this.#gazing = false;
      this.#redraw();
    });
    surface.addEventListener('pointermove', (event) => {
      if (event.pointerType !== 'mouse') return;
      this.#pointed = under(event);
      this.#redraw();
    });
    surface.addEventListener('pointerleave', () => {
      this.#pointed = null;
      this.#redraw();
    });
    surface.addEventListener('click', (event) => {
      const cell = under(event);
      if (cell) this.#select(cell);
    });
  }

  #onkeydown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const last = { row: this.#figure.matrix.rows - 1, col: this.#figure.matrix.cols - 1 };
    const here = this.selected ?? { row: 0, col: 0 };
    const step = STEPS[event.key];
    const clamp = (i: number, end: number): number => Math.max(0, Math.min(end, i));
    let next: Cell;
    if (step) next = { row: clamp(here.row + step[0], last.row), col: clamp(here.col + step[1], last.col) };
    else if (event.key === 'Home') next = { ...here, col: 0 };
    else if (event.key === 'End') next = { ...here, col: last.col };
    else return;
    event.preventDefault();
    this.#gazing = true;
    this.#select(next);
  }

  /** "query 它, key 猫, weight 0.50, 2nd of 8" */
  #read(cell: Cell): string {
    const { rows, cols, matrix } = this.#figure;
    const language = this.#language;
    const line = row(matrix, cell.row);
    const value = at(matrix, cell.row, cell.col);
    const place = placeText(language, [rows.title, rows.labels[cell.row] ?? ''], [cols.title, cols.labels[cell.col] ?? '']);
    const rank = 1 + line.filter((x) => x > value).length;
    return spoken.reading[language]({
      place,
      quantity: messages.weight[language],
      value: weight(value, 4),
      rank,
      count: line.length,
    });
  }

  #legend(): HTMLElement {
    const { matrix, masked, limit, rows, cols } = this.#figure;
    const language = this.#language;
    const below = make(
      'div',
      'below',
      `A (${matrix.rows}×${matrix.cols})`,
      make('span', '', `${rows.title} ↓ ${cols.title} →`),
    );
    const bar = make('i');
    bar.setAttribute('aria-hidden', 'true');
    below.append(make('span', 'scale', '0', bar, weight(limit, 2)), make('span', '', spoken.perMatrix[language]));
    if (masked && Array.from(masked.data).includes(1)) below.append(make('span', '', spoken.masked[language]));
    const button = make('button', '', spoken.showTable[language]);
    button.type = 'button';
    button.setAttribute('aria-pressed', 'false');
    button.addEventListener('click', () => {
      const visible = this.#tables.classList.toggle('unseen');
      if (this.#tables.childElementCount === 0) this.#tables.append(this.#table());
      button.setAttribute('aria-pressed', String(!visible));
    });
    below.append(button);
    return below;
  }

  #table(): HTMLTableElement {
    const { rows, cols, matrix } = this.#figure;
    const language = this.#language;
    const table = make('table');
    table.createCaption().textContent = messages.caption[language]({
      quantity: messages.weight[language],
      axes: `${rows.title} ↓ ${cols.title} →`,
    });
    const heading = (text: string, scope: 'col' | 'row'): HTMLTableCellElement => {
      const cell = make('th', '', text);
      cell.scope = scope;
      return cell;
    };
    table.createTHead().append(make('tr', '', make('td'), ...cols.labels.map((label) => heading(label, 'col'))));
    const body = table.createTBody();
    rows.labels.forEach((label, r) => {
      const cells = row(matrix, r).map((value) => make('td', '', weight(value, 4)));
      body.append(make('tr', '', heading(label, 'row'), ...cells));
    });
    return table;
  }
}
