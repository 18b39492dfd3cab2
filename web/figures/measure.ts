import type { Measure } from './layout.ts';
import { pageFonts } from './page_style.ts';

let context: CanvasRenderingContext2D | null = null;
const MOST_WIDTHS = 2000;
const widths = new Map<string, number>();
let widthsOf = '';

/** The width of a text in the page's own font. */
export const measureText: Measure = (text, font) => {
  const fonts = pageFonts();
  if (fonts !== widthsOf || widths.size >= MOST_WIDTHS) widths.clear();
  widthsOf = fonts;
  const key = `${font} ${text}`;
  let width = widths.get(key);
  if (width === undefined) {
    context ??= document.createElement('canvas').getContext('2d');
    if (!context) return text.length * font * 0.6;
    context.font = `${font}px ${fonts}`;
    width = context.measureText(text).width;
    widths.set(key, width);
  }
  return width;
};

/** About how wide a text is, without laying it out: Chinese characters are as wide as the font is high, others `narrow`. */
export function roughWidth(text: string, font: number, narrow: number): number {
  let width = 0;
  for (const character of text) width += isWide(character) ? font : narrow;
  return width;
}

/** From the radicals of the Chinese script on; a regular expression with Script=Han takes milliseconds to compile. */
export const isWide = (text: string): boolean => (text >= '\u2e80' && text < '\ud800') || text >= '\uf900';
