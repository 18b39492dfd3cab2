/** A visitor's own image or sound as a file keeps it: bytes in base64, checked when they are read. */

import { base64Of, bytesOf } from '../shell/base64.ts';
import type { Json } from '../shell/kept.svelte.ts';
import { MOST_SECONDS, type Sound } from './sound/read.ts';
import { RATE } from './sound/mel.ts';
import type { Pixels } from './image/pixels.ts';

/** Twice what `readImage` makes. */
const MOST_PIXELS = 2 ** 21;

/** Undefined where the text is not base64 of so many bytes. */
function readBytes(json: unknown, length: number): Uint8Array<ArrayBuffer> | undefined {
  if (typeof json !== 'string' || json.length !== 4 * Math.ceil(length / 3)) return undefined;
  const bytes = bytesOf(json);
  return bytes?.length === length ? bytes : undefined;
}

const isSide = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= MOST_PIXELS;

/** null where there is none. */
export function writeImage(image: Pixels | null): Json {
  if (!image) return null;
  const { width, height, data, original } = image;
  const rgb = base64Of(Uint8Array.from(data, (x) => Math.round(255 * x)));
  return { width, height, rgb, ...(original && { original: { width: original.width, height: original.height } }) };
}

export function readImageKept(json: Json): Pixels | null | undefined {
  if (typeof json !== 'object' || json === null) return json === null ? null : undefined;
  const { width, height, rgb, original } = json as Record<string, unknown>;
  if (!isSide(width) || !isSide(height) || width * height > MOST_PIXELS) return undefined;
  const bytes = readBytes(rgb, 3 * width * height);
  return bytes && { width, height, data: Float32Array.from(bytes, (x) => x / 255), ...readOriginal(original) };
}

function readOriginal(json: unknown): Pick<Pixels, 'original'> {
  const { width, height } = (json ?? {}) as Record<string, unknown>;
  return isSide(width) && isSide(height) ? { original: { width, height } } : {};
}

/** null where there is none. */
export function writeSound(sound: Sound | null): Json {
  if (!sound) return null;
  const { samples, seconds } = sound;
  return { seconds, samples: base64Of(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength)) };
}

export function readSoundKept(json: Json): Sound | null | undefined {
  if (typeof json !== 'object' || json === null) return json === null ? null : undefined;
  const { seconds, samples } = json as Record<string, unknown>;
  if (typeof seconds !== 'number' || !(seconds > 0) || typeof samples !== 'string') return undefined;
  const length = 4 * Math.floor((3 * samples.length) / 16);
  if (length > 4 * RATE * MOST_SECONDS) return undefined;
  const bytes = readBytes(samples, length);
  if (!bytes) return undefined;
  const numbers = new Float32Array(bytes.buffer);
  return numbers.length > 0 && numbers.every(Number.isFinite) ? { seconds, samples: numbers } : undefined;
}
