import type { Pixels } from './pixels.ts';

/** Images made by code. */

const COLORS: Readonly<Record<string, readonly number[]>> = {
  s: [0.35, 0.68, 1],
  w: [1, 1, 1],
  y: [1, 0.9, 0.1],
  r: [0.8, 0.1, 0.1],
  d: [0.4, 0.05, 0.05],
  g: [0.1, 0.65, 0.1],
};
/** 5 × 10 pixels of three numbers, as the textbook draws its image; the colors are this page's. */
const TINY = ['sssssssyys', 'swwsrdssss', 'swwrrddsss', 'sssrrddsss', 'gggggggggg'];

export const tinyScene = (): Pixels => ({
  width: 10,
  height: 5,
  data: Float32Array.from(TINY.flatMap((row) => [...row].flatMap((letter) => COLORS[letter]!))),
});

/** Red, green, blue of the point (x, y) of the scene, both from 0 to 1; the later shapes lie in front. */
function colorAt(x: number, y: number): readonly number[] {
  let color: readonly number[] = y < 0.68 ? [0.45 + 0.35 * y, 0.7 + 0.2 * y, 1] : [0.25, 0.62 - 0.3 * (y - 0.68), 0.2];
  const inCircle = (cx: number, cy: number, r: number): boolean => (x - cx) ** 2 + ((y - cy) * 0.75) ** 2 < r * r;
  if (inCircle(0.84, 0.16, 0.075)) color = [1, 0.88, 0.2];
  if (inCircle(0.2, 0.2, 0.06) || inCircle(0.27, 0.17, 0.07) || inCircle(0.34, 0.21, 0.055)) color = [1, 1, 1];
  // A tree, lit from the right.
  if (x > 0.145 && x < 0.175 && y > 0.52 && y < 0.8) color = [0.42, 0.26, 0.13];
  if (inCircle(0.16, 0.47, 0.1)) color = x > 0.16 ? [0.22, 0.55, 0.15] : [0.11, 0.32, 0.08];
  // A house: the roof's left side and the wall's left side in the shade.
  if (x > 0.42 && x < 0.78 && y > 0.5 && y < 0.84) color = x < 0.6 ? [0.55, 0.5, 0.42] : [0.92, 0.84, 0.7];
  if (y > 0.3 && y <= 0.5 && Math.abs(x - 0.6) < 1.1 * (y - 0.3)) color = x < 0.6 ? [0.42, 0.08, 0.06] : [0.84, 0.16, 0.12];
  if (x > 0.64 && x < 0.7 && y > 0.62 && y < 0.84) color = [0.3, 0.2, 0.45];
  if (x > 0.48 && x < 0.55 && y > 0.58 && y < 0.68) color = [0.2, 0.3, 0.55];
  // A red ball on the grass.
  if (inCircle(0.88, 0.84, 0.05)) color = x < 0.87 ? [0.5, 0.1, 0.08] : [0.9, 0.18, 0.14];
  return color;
}

/** A house, a tree, a cloud, the sun and a red ball. */
export function shapeScene(width = 256, height = 192): Pixels {
  const data = new Float32Array(width * height * 3);
  for (let row = 0; row < height; row++)
    for (let col = 0; col < width; col++) data.set(colorAt((col + 0.5) / width, (row + 0.5) / height), 3 * (row * width + col));
  return { width, height, data };
}
