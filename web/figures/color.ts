/** Colors of the heatmaps: orange for negative, blue for positive, told apart by every kind of color vision. */

export type Rgb = readonly [number, number, number];

export interface Palette {
  readonly zero: Rgb;
  readonly positive: Rgb;
  readonly negative: Rgb;
  readonly ink: Rgb;
  readonly paper: Rgb;
  readonly muted: Rgb;
  readonly line: Rgb;
  readonly gaze: Rgb;
  readonly query: Rgb;
  readonly key: Rgb;
  readonly value: Rgb;
}

const NAMES = ['zero', 'positive', 'negative', 'ink', 'paper', 'muted', 'line', 'gaze', 'query', 'key', 'value'] as const;

/** The palette as app.css defines it for the theme that `element` stands in: one source for the page and the canvases. */
export function paletteOf(element: Element): Palette {
  const style = getComputedStyle(element);
  const read = (name: string): Rgb => parse(style.getPropertyValue(`--${name}`).trim());
  return Object.fromEntries(NAMES.map((name) => [name, read(name)])) as unknown as Palette;
}

/** −1 … 1 to a color, in even steps for the eye. */
export function signedColor(palette: Palette, x: number): Rgb {
  const t = Math.max(-1, Math.min(1, x));
  return mix(palette.zero, t < 0 ? palette.negative : palette.positive, Math.abs(t) ** 0.85);
}

/** How strong the color of step 1 … `most` is: fewer steps, more color. */
export function stepStrength(step: number, most: number): number {
  return step <= 1 || most <= 1 ? 1 : 1 - (0.86 * (step - 1)) / (most - 1);
}

/** Black or white text, whichever reads better on `background`. */
export function textOn(background: Rgb): Rgb {
  return contrast(background, [17, 20, 25]) >= contrast(background, [255, 255, 255]) ? [17, 20, 25] : [255, 255, 255];
}

export function css([r, g, b]: Rgb, alpha = 1): string {
  return `rgb(${Math.round(r)} ${Math.round(g)} ${Math.round(b)} / ${alpha})`;
}

function parse(hex: string): Rgb {
  const digits = /^#([0-9a-f]{6})$/i.exec(hex)?.[1];
  if (!digits) return [128, 128, 128];
  return [0, 2, 4].map((i) => parseInt(digits.slice(i, i + 2), 16)) as unknown as Rgb;
}

/** From a to b through OKLab, so that the middle is neither grey nor too dark. */
export function mix(a: Rgb, b: Rgb, t: number): Rgb {
  const [x, y] = [toLab(a), toLab(b)];
  return fromLab(x.map((value, i) => value + t * ((y[i] ?? 0) - value)) as unknown as Rgb);
}

function contrast(a: Rgb, b: Rgb): number {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

function luminance([r, g, b]: Rgb): number {
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
}

function linear(channel: number): number {
  const x = channel / 255;
  return x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4;
}

function gamma(x: number): number {
  const clipped = Math.max(0, Math.min(1, x));
  return 255 * (clipped <= 0.0031308 ? 12.92 * clipped : 1.055 * clipped ** (1 / 2.4) - 0.055);
}

// OKLab (Björn Ottosson, 2020): https://bottosson.github.io/posts/oklab/
function toLab(color: Rgb): Rgb {
  const [r, g, b] = color.map(linear) as unknown as Rgb;
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function fromLab([L, a, b]: Rgb): Rgb {
  const l = (L + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (L - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (L - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    gamma(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    gamma(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    gamma(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}
