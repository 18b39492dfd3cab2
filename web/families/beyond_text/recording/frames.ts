import type { Fovea } from 'fovea';
import { frames as cut } from 'fovea/ops';
import { pattern } from 'fovea/pattern';
import { centeredRows, type Rows } from '../../../inputs/features.ts';
import { BANDS, FRAME, hann, logMel, SHIFT } from '../../../inputs/sound/mel.ts';
import { scriptOfCalls } from '../../../stages/array_script.ts';
import type { Features } from '../comparison_options.ts';
import type { Script } from '../../../stages/script.ts';

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
  readonly features: Features;
  readonly scale: number;
  /** Frames before and after that are seen; -1 for all. */
  readonly reach: number;
}

/** One frame as a query, and all as keys and values. */
function comparedFrames(frames: Frames, features: Comparison['features'], query: number) {
  const { data, width } = frames[features];
  const row = { data: data.slice(query * width, (query + 1) * width), shape: [1, width] };
  return { query: row, keys: { data, shape: [frames.count, width] } };
}

/** Raw products are means over the bands. */
const scaleOf = ({ features, scale }: Comparison): number => (features === 'raw' ? scale / BANDS : scale);

/** Softmax of the scores of one frame with those that it sees; others have no weight. */
export function weightsFrom(fovea: Fovea, frames: Frames, comparison: Comparison, query: number): Float32Array {
  const { query: row, keys } = comparedFrames(frames, comparison.features, query);
  const { reach } = comparison;
  const { weights } = fovea.attention(row, keys, keys, {
    scale: scaleOf(comparison),
    window: [reach, reach],
    causalOffset: query,
    returnWeights: true,
  });
  return weights.data as Float32Array;
}

/** A script for Node that computes these weights. */
export function scriptFrom(frames: Frames, comparison: Comparison, query: number): Script {
  const { reach } = comparison;
  return scriptOfCalls({
    id: 'sound',
    arrays: comparedFrames(frames, comparison.features, query),
    imports: [],
    calls: [
      `const options = { scale: ${scaleOf(comparison)}, window: [${reach}, ${reach}], causalOffset: ${query}, returnWeights: true };`,
      'const { weights } = fovea.attention(query, keys, keys, options);',
      "console.log('weights', toNested(weights));",
    ],
  });
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
