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

const [SUN, CLOUD, TRUNK] = [
  [1, 0.88, 0.2],
  [1, 1, 1],
  [0.42, 0.26, 0.13],
];
/** Each on its left side, in the shade, and on its right side, in the light. */
const [CROWN, WALL, ROOF, BALL] = [
  [
    [0.11, 0.32, 0.08],
    [0.22, 0.55, 0.15],
  ],
  [
    [0.55, 0.5, 0.42],
    [0.92, 0.84, 0.7],
  ],
  [
    [0.42, 0.08, 0.06],
    [0.84, 0.16, 0.12],
  ],
  [
    [0.5, 0.1, 0.08],
    [0.9, 0.18, 0.14],
  ],
] as const;
const [DOOR, WINDOW] = [
  [0.3, 0.2, 0.45],
  [0.2, 0.3, 0.55],
];

const inCircle = (x: number, y: number, cx: number, cy: number, r: number): boolean =>
  (x - cx) ** 2 + ((y - cy) * 0.75) ** 2 < r * r;
const inBox = (x: number, y: number, left: number, right: number, top: number, bottom: number): boolean =>
  x > left && x < right && y > top && y < bottom;

/** The foremost shape's color at the point (x, y) of the scene, both from 0 to 1; null where sky and grass are seen. */
function shapeAt(x: number, y: number): readonly number[] | null {
  if (inCircle(x, y, 0.88, 0.84, 0.05)) return BALL[x < 0.87 ? 0 : 1];
  if (inBox(x, y, 0.48, 0.55, 0.58, 0.68)) return WINDOW;
  if (inBox(x, y, 0.64, 0.7, 0.62, 0.84)) return DOOR;
  if (y > 0.3 && y <= 0.5 && Math.abs(x - 0.6) < 1.1 * (y - 0.3)) return ROOF[x < 0.6 ? 0 : 1];
  if (inBox(x, y, 0.42, 0.78, 0.5, 0.84)) return WALL[x < 0.6 ? 0 : 1];
  if (inCircle(x, y, 0.16, 0.47, 0.1)) return CROWN[x > 0.16 ? 1 : 0];
  if (inBox(x, y, 0.145, 0.175, 0.52, 0.8)) return TRUNK;
  if (inCircle(x, y, 0.2, 0.2, 0.06) || inCircle(x, y, 0.27, 0.17, 0.07) || inCircle(x, y, 0.34, 0.21, 0.055)) return CLOUD;
  return inCircle(x, y, 0.84, 0.16, 0.075) ? SUN : null;
}

/** A house, a tree, a cloud, the sun and a red ball. */
export function shapeScene(width = 256, height = 192): Pixels {
  const data = new Float32Array(width * height * 3);
  let at = 0;
  for (let row = 0; row < height; row++) {
    const y = (row + 0.5) / height;
    const [sky, grass] = [y < 0.68, 0.62 - 0.3 * (y - 0.68)];
    for (let col = 0; col < width; col++) {
      const color = shapeAt((col + 0.5) / width, y);
      data[at++] = color ? color[0]! : sky ? 0.45 + 0.35 * y : 0.25;
      data[at++] = color ? color[1]! : sky ? 0.7 + 0.2 * y : grass;
      data[at++] = color ? color[2]! : sky ? 1 : 0.2;
    }
  }
  return { width, height, data };
}
