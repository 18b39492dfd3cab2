import { limits, refusals } from '../../../build/generated/texts/inputs.ts';
import { fill } from '../../shell/localized.ts';
import { checkFileSize } from '../file_size.ts';
import { Refusal } from '../refusal.ts';
import { dimensionsOf } from './dimensions.ts';
import { MOST_PATCHES, MOST_SIDE, pixelsOf, type Pixels } from './pixels.ts';

const MOST_MEGABYTES = 60;
const MOST_MEGAPIXELS = 120;
/** No patch needs more: the largest ones, as many as there may be. */
const MOST_PIXELS = MOST_PATCHES * MOST_SIDE * MOST_SIDE;

/** An image file as pixels, turned as its EXIF data says, made smaller where it is large. */
export async function readImage(file: Blob): Promise<Pixels> {
  checkFileSize(file, MOST_MEGABYTES);
  const size = dimensionsOf(new Uint8Array(await file.slice(0, 2 ** 18).arrayBuffer()));
  if (size && size[0] * size[1] > MOST_MEGAPIXELS * 1e6) {
    throw new Refusal(fill(limits.tooManyPixels, { size: ((size[0] * size[1]) / 1e6).toFixed(0), most: MOST_MEGAPIXELS }));
  }
  let bitmap: ImageBitmap;
  try {
    bitmap = await createImageBitmap(file, { imageOrientation: 'from-image', premultiplyAlpha: 'none' });
  } catch {
    throw new Refusal(refusals.notImage);
  }
  try {
    return pixelsFrom(bitmap, bitmap.width, bitmap.height);
  } finally {
    bitmap.close();
  }
}

/** Pixels of `source`, at most about a million. */
export function pixelsFrom(source: CanvasImageSource, fullWidth: number, fullHeight: number): Pixels {
  const shrink = Math.min(1, Math.sqrt(MOST_PIXELS / (fullWidth * fullHeight)));
  const [width, height] = [fullWidth, fullHeight].map((side) => Math.max(1, Math.round(side * shrink))) as [number, number];
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [width, height];
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) throw new Refusal(refusals.notImage);
  context.imageSmoothingQuality = 'high';
  context.drawImage(source, 0, 0, width, height);
  const pixels = pixelsOf(width, height, context.getImageData(0, 0, width, height).data);
  return shrink < 1 ? { ...pixels, original: { width: fullWidth, height: fullHeight } } : pixels;
}
