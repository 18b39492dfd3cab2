import { RATE } from './mel.ts';

/** Vowels made of their formants, the resonances of the mouth: [hertz, gain]. */
const FORMANTS = {
  a: [[800, 1], [1200, 0.7], [2600, 0.2]],
  e: [[450, 1], [2000, 0.6], [2600, 0.3]],
  i: [[300, 1], [2400, 0.6], [3000, 0.4]],
  o: [[450, 1], [850, 0.8], [2600, 0.1]],
  u: [[320, 1], [750, 0.5], [2400, 0.05]],
} as const; // prettier-ignore

export type Vowel = keyof typeof FORMANTS;

const PITCH = 125;
/** Seconds of a vowel, and of the change from one to the next. */
const [LENGTH, GLIDE] = [0.25, 0.05];

const gainAt = (vowel: Vowel, hertz: number): number =>
  FORMANTS[vowel].reduce((sum, [at, gain]) => sum + gain / (1 + ((hertz - at) / 110) ** 2), 0);

/** Samples after which all harmonics of the pitch begin again. */
const PERIOD = RATE / PITCH;

function periodOf(vowel: Vowel): Float64Array {
  const gains = Array.from({ length: PERIOD / 2 - 1 }, (_, k) => gainAt(vowel, PITCH * (k + 1)));
  return Float64Array.from({ length: PERIOD }, (_, n) =>
    gains.reduce((sum, gain, k) => sum + gain * Math.sin((2 * Math.PI * (k + 1) * n) / PERIOD), 0),
  );
}

/** One vowel after the other at a pitch of 125 Hz, at 16 kHz; loudest 0.5 or less. */
export function sing(vowels: readonly Vowel[]): Float32Array {
  const periods = vowels.map(periodOf);
  const signal = Float32Array.from({ length: Math.round(vowels.length * LENGTH * RATE) }, (_, n) => {
    const seconds = n / RATE;
    const at = Math.min(vowels.length - 1, Math.floor(seconds / LENGTH));
    const part = Math.max(0, (seconds - (at + 1) * LENGTH + GLIDE) / GLIDE);
    const [now, next] = [periods[at]!, periods[at + 1] ?? periods[at]!];
    const ends = Math.min(1, seconds / GLIDE, (vowels.length * LENGTH - seconds) / GLIDE);
    return ends * (now[n % PERIOD]! * (1 - part) + next[n % PERIOD]! * part);
  });
  const loudest = signal.reduce((most, x) => Math.max(most, Math.abs(x)), 1e-9);
  return signal.map((x) => (0.5 * x) / loudest);
}
