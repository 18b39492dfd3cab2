import { settings } from '../shell/settings.svelte.ts';
import { paletteOf, type Palette } from './color.ts';

const palettes = new Map<string, Palette>();
const fonts = new Map<string, string>();

function once<T>(known: Map<string, T>, key: string, read: () => T): T {
  let value = known.get(key);
  if (value === undefined) known.set(key, (value = read()));
  return value;
}

// Both are read once: reading makes the browser style at once all that is still being made, up to 4 ms for each picture.

/** The page's colors. Who draws with them in an effect draws again when the theme changes. */
export function pagePalette(): Palette {
  return once(palettes, settings.shownTheme, () => paletteOf(document.documentElement));
}

/** The page's text fonts, for canvases. */
export function pageFonts(): string {
  return once(fonts, document.documentElement.lang, () => getComputedStyle(document.body).fontFamily);
}
