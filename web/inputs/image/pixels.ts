/** An image as numbers: how it is cut into patches, and made smaller so that they are not too many. */

export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue from 0 to 1, row by row: three numbers a pixel. */
  readonly data: Float32Array;
  /** The size of the image that it was made from, where that was larger. */
  readonly original?: { readonly width: number; readonly height: number };
}

/** Patches that a picture may have: all pairs of them are about a million. */
export const MOST_PATCHES = 1024;
export const MOST_SIDE = 32;

export interface Grid {
  readonly rows: number;
  readonly cols: number;
}

/** The grid with the image's number of patches, at most `most`, in about the image's own shape; never enlarged, and at least one. */
export function gridOf({ width, height }: Pick<Pixels, 'width' | 'height'>, patch: number, most = MOST_PATCHES): Grid {
  const shrink = Math.min(1, Math.sqrt((most * patch * patch) / (width * height)));
  const rows = Math.max(1, Math.min(most, Math.floor((height * shrink) / patch)));
  const cols = Math.max(1, Math.min(Math.floor(most / rows), Math.floor((width * shrink) / patch)));
  return { rows, cols };
}

/** The image in `width` × `height` pixels, its middle where the shape differs: each new pixel is the mean of the area it covers. */
export function resized(image: Pixels, width: number, height: number): Pixels {
  const step = Math.min(image.width / width, image.height / height);
  const [left, top] = [(image.width - width * step) / 2, (image.height - height * step) / 2];
  const across = Array.from({ length: width }, (_, x) => overlaps(left + x * step, step, image.width));
  const data = new Float32Array(width * height * 3);
  for (let y = 0; y < height; y++) {
    const down = overlaps(top + y * step, step, image.height);
    for (let x = 0; x < width; x++) {
      const sums = [0, 0, 0];
      let area = 0;
      for (const [row, high] of down)
        for (const [col, wide] of across[x]!) {
          const at = 3 * (row * image.width + col);
          for (let c = 0; c < 3; c++) sums[c]! += high * wide * image.data[at + c]!;
          area += high * wide;
        }
      for (let c = 0; c < 3; c++) data[3 * (y * width + x) + c] = sums[c]! / area;
    }
  }
  return { width, height, data };
}

/** The cells from `start` over `length`, each with the part of it that is covered. */
function overlaps(start: number, length: number, count: number): [index: number, part: number][] {
  const from = Math.min(count - 1, Math.max(0, Math.floor(start + 1e-9)));
  const to = Math.max(from + 1, Math.min(count, Math.ceil(start + length - 1e-9)));
  return Array.from({ length: to - from }, (_, i) => {
    const cell = from + i;
    return [cell, Math.max(1e-9, Math.min(cell + 1, start + length) - Math.max(cell, start))];
  });
}

/** Pixels of a canvas, over white where it is transparent. */
export function pixelsOf(width: number, height: number, rgba: Uint8ClampedArray): Pixels {
  const data = new Float32Array(width * height * 3);
  for (let pixel = 0; pixel < width * height; pixel++) {
    const alpha = rgba[4 * pixel + 3]! / 255;
    for (let c = 0; c < 3; c++) data[3 * pixel + c] = (alpha * rgba[4 * pixel + c]!) / 255 + 1 - alpha;
  }
  return { width, height, data };
}

export function rgbaOf({ width, height, data }: Pixels): Uint8ClampedArray<ArrayBuffer> {
  const rgba = new Uint8ClampedArray(width * height * 4);
  for (let pixel = 0; pixel < width * height; pixel++) {
    for (let c = 0; c < 3; c++) rgba[4 * pixel + c] = 255 * data[3 * pixel + c]!;
    rgba[4 * pixel + 3] = 255;
  }
  return rgba;
}
