import type { Measure } from './layout.ts';

let context: CanvasRenderingContext2D | null = null;
const widths = new Map<string, number>();

/** The width of a text in the page's own font. */
export const measureText: Measure = (text, font) => {
  const key = `${font} ${text}`;
  let width = widths.get(key);
  if (width === undefined) {
    context ??= document.createElement('canvas').getContext('2d');
    if (!context) return text.length * font * 0.6;
    context.font = `${font}px ${getComputedStyle(document.body).fontFamily}`;
    width = context.measureText(text).width;
    if (widths.size > 5000) widths.clear();
    widths.set(key, width);
  }
  return width;
};
