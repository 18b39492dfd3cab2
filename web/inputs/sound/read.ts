import { refusals } from '../../../build/generated/texts/inputs.ts';
import { checkFileSize } from '../file_size.ts';
import { Refusal } from '../refusal.ts';
import { FRAME, RATE } from './mel.ts';

const MOST_MEGABYTES = 16;
/** Frames at most a thousand: ten seconds. */
export const MOST_SECONDS = 10;

export interface Sound {
  /** At 16 kHz, one channel, at most ten seconds. */
  readonly samples: Float32Array;
  /** How long the whole of it was. */
  readonly seconds: number;
}

/** Anything the browser can decode. */
export async function readSound(file: Blob): Promise<Sound> {
  checkFileSize(file, MOST_MEGABYTES);
  let decoded: AudioBuffer;
  try {
    // Brings the sound to its own rate, and needs no click: it never plays.
    decoded = await new OfflineAudioContext(1, 1, RATE).decodeAudioData(await file.arrayBuffer());
  } catch {
    throw new Refusal(refusals.notSound);
  }
  const channels = Array.from({ length: decoded.numberOfChannels }, (_, n) => decoded.getChannelData(n));
  return soundOf(channels, decoded.duration);
}

/** The mean of the channels, its beginning where it is long. Refused when there is nothing to hear. */
export function soundOf(channels: readonly Float32Array[], seconds: number): Sound {
  const length = Math.min(channels[0]?.length ?? 0, MOST_SECONDS * RATE);
  if (length < FRAME) throw new Refusal(refusals.short);
  const samples = Float32Array.from({ length }, (_, n) => channels.reduce((sum, one) => sum + one[n]!, 0) / channels.length);
  if (samples.every((x) => !(Math.abs(x) > 1e-6))) throw new Refusal(refusals.silent);
  return { samples: samples.map((x) => (Number.isFinite(x) ? x : 0)), seconds };
}
