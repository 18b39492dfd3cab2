/** An image as ViT reads it: cut to a square, colors from −1 to 1, [side, side, channels]. */
import type { Weights } from '../network/layer.ts';

export const MOST_IMAGE_BYTES = 40e6;

export interface Picture {
  readonly input: Weights;
  /** For the eye: the same square. */
  readonly pixels: ImageData;
}

/** @throws DOMException where the browser cannot read it. */
export async function readImage(file: Blob, side: number, channels: number): Promise<Picture> {
  const bitmap = await createImageBitmap(file);
  const cut = Math.min(bitmap.width, bitmap.height);
  const [left, top] = [(bitmap.width - cut) / 2, (bitmap.height - cut) / 2];
  const picture = draw(side, channels, (ctx) => ctx.drawImage(bitmap, left, top, cut, cut, 0, 0, side, side));
  bitmap.close();
  return picture;
}

/** A sun over a hill, and a house: shapes that heads can tell apart. */
export function scene(side: number, channels: number): Picture {
  return draw(side, channels, (ctx) => {
    const fill = (color: string, path: (unit: number) => void): void => {
      ctx.fillStyle = color;
      ctx.beginPath();
      path(side);
      ctx.fill();
    };
    fill('#9cc9ee', (u) => ctx.rect(0, 0, u, u));
    fill('#f4c430', (u) => ctx.arc(0.76 * u, 0.24 * u, 0.13 * u, 0, 7));
    fill('#4f8a4a', (u) => ctx.ellipse(0.5 * u, 1.02 * u, 0.8 * u, 0.4 * u, 0, 0, 7));
    fill('#c9503c', (u) => ctx.rect(0.18 * u, 0.48 * u, 0.3 * u, 0.28 * u));
    fill('#5a3b32', (u) => {
      ctx.moveTo(0.12 * u, 0.48 * u);
      ctx.lineTo(0.33 * u, 0.28 * u);
      ctx.lineTo(0.54 * u, 0.48 * u);
    });
    fill('#f2efe6', (u) => ctx.rect(0.29 * u, 0.6 * u, 0.08 * u, 0.16 * u));
  });
}

function draw(side: number, channels: number, paint: (ctx: CanvasRenderingContext2D) => void): Picture {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [side, side];
  const ctx = canvas.getContext('2d', { willReadFrequently: true })!;
  paint(ctx);
  const pixels = ctx.getImageData(0, 0, side, side);
  const data = new Float32Array(side * side * channels);
  for (let p = 0; p < side * side; ++p) {
    const [r, g, b] = [0, 1, 2].map((c) => pixels.data[4 * p + c]! / 127.5 - 1) as [number, number, number];
    if (channels === 1) data[p] = (r + g + b) / 3;
    else data.set([r, g, b], 3 * p);
  }
  return { input: { data, shape: [side, side, channels] }, pixels };
}
