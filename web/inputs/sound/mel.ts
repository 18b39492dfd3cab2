import type { Rows } from '../features.ts';
import { powerSpectrum } from './fft.ts';

/** Log-mel features of speech: 25 ms every 10 ms at 16 kHz. */

export const RATE = 16_000;
export const FRAME = 400;
export const SHIFT = 160;
const SPECTRUM = 512;
export const BANDS = 40;
/** Tens of power between the loudest band and what counts as silence: 80 dB. */
export const DECADES = 8;

/** 0.5 - 0.5 cos(2πn / N): a frame begins and ends at 0. */
export const hann = (length: number): Float32Array =>
  Float32Array.from({ length }, (_, n) => 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / length));

export const melOf = (hertz: number): number => 2595 * Math.log10(1 + hertz / 700);
export const hertzOf = (mel: number): number => 700 * (10 ** (mel / 2595) - 1);

/** Triangles that overlap by half, evenly apart in mel: [band][bin]. */
export function melBank(bands = BANDS, size = SPECTRUM, rate = RATE): Float64Array[] {
  const top = melOf(rate / 2);
  const edges = Array.from({ length: bands + 2 }, (_, n) => hertzOf((top * n) / (bands + 1)));
  return Array.from({ length: bands }, (_, band) => {
    const [low, middle, high] = [edges[band]!, edges[band + 1]!, edges[band + 2]!];
    return Float64Array.from({ length: size / 2 + 1 }, (_, bin) => {
      const hertz = (bin * rate) / size;
      return Math.max(0, Math.min((hertz - low) / (middle - low), (high - hertz) / (high - middle)));
    });
  });
}

/**
 * Frames that the window has already been put on become bands: log10 of the power above silence, from 0 (80 dB below the loudest band
 * of the sound, or quieter) to 1.
 */
export function logMel(frames: Rows): Rows {
  const bank = melBank().map((triangle) => {
    const from = triangle.findIndex((x) => x > 0);
    return { from, shape: triangle.slice(from, from + triangle.filter((x) => x > 0).length) };
  });
  const count = frames.data.length / frames.width;
  const logs = new Float64Array(count * BANDS);
  for (let t = 0; t < count; t++) {
    const power = powerSpectrum(frames.data.subarray(t * frames.width, (t + 1) * frames.width), SPECTRUM);
    bank.forEach(({ from, shape }, band) => {
      const sum = shape.reduce((total, x, n) => total + x * power[from + n]!, 0);
      logs[t * BANDS + band] = Math.log10(Math.max(1e-30, sum));
    });
  }
  const loudest = logs.reduce((a, b) => Math.max(a, b), -Infinity);
  return { data: Float32Array.from(logs, (x) => Math.max(0, 1 + (x - loudest) / DECADES)), width: BANDS };
}
