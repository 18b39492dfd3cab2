import type { Fovea } from 'fovea';
import { frames as cut } from 'fovea/ops';
import { pattern } from 'fovea/pattern';
import { centeredRows, type Rows } from '../../../inputs/features.ts';
import { BANDS, FRAME, hann, logMel, SHIFT } from '../../../inputs/sound/mel.ts';

/** The frames of a sound: their bands as they are, and centered and normalized. */
export interface Frames {
  readonly count: number;
  readonly raw: Rows;
  readonly centered: Rows;
}

export function framesOf(fovea: Fovea, samples: Float32Array): Frames {
  const { data, shape } = cut(
    fovea,
    { data: samples, shape: [samples.length] },
    { length: FRAME, shift: SHIFT, window: { data: hann(FRAME), shape: [FRAME] } },
  );
  const raw = logMel({ data: data as Float32Array, width: FRAME });
  return { count: shape[0]!, raw, centered: centeredRows(raw) };
}

export interface Comparison {
  readonly features: 'centered' | 'raw';
  readonly scale: number;
  /** Frames before and after that are seen; -1 for all. */
  readonly reach: number;
}

/** Softmax of the scores of one frame with those that it sees; others have no weight. Raw products are means over the bands. */
export function weightsFrom(fovea: Fovea, frames: Frames, { features, scale, reach }: Comparison, query: number): Float32Array {
  const { data, width } = frames[features];
  const keys = { data, shape: [frames.count, width] };
  const row = { data: data.slice(query * width, (query + 1) * width), shape: [1, width] };
  const { weights } = fovea.attention(row, keys, keys, {
    scale: features === 'raw' ? scale / BANDS : scale,
    window: [reach, reach],
    causalOffset: query,
    returnWeights: true,
  });
  return weights.data as Float32Array;
}

/** Pairs of frames that the window keeps. */
export const keptPairs = (fovea: Fovea, count: number, reach: number): number =>
  pattern.window(reach, reach).pairs(fovea, { queries: count, keys: count }).indices.length;

/** Each frame alone, said again over 0.2 s so that one can hear it, with a pause after it. */
export function audible(samples: Float32Array, frames: readonly number[], rate: number): Float32Array {
  const [hop, times, pause] = [FRAME / 2, 16, Math.round(0.12 * rate)];
  const length = (times + 1) * hop + pause;
  const result = new Float32Array(frames.length * length);
  const window = hann(FRAME);
  frames.forEach((frame, place) => {
    for (let again = 0; again < times; again++)
      for (let n = 0; n < FRAME; n++)
        result[place * length + again * hop + n]! += window[n]! * (samples[frame * SHIFT + n] ?? 0);
  });
  return result;
}
