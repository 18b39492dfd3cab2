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

/** One vowel after the other at a pitch of 125 Hz, at 16 kHz; loudest 0.5 or less. */
export function sing(vowels: readonly Vowel[]): Float32Array {
  const harmonics = Array.from({ length: Math.floor(RATE / 2 / PITCH) - 1 }, (_, k) => PITCH * (k + 1));
  const gains = vowels.map((vowel) => harmonics.map((hertz) => gainAt(vowel, hertz)));
  const signal = Float32Array.from({ length: Math.round(vowels.length * LENGTH * RATE) }, (_, n) => {
    const seconds = n / RATE;
    const at = Math.min(vowels.length - 1, Math.floor(seconds / LENGTH));
    const part = Math.max(0, (seconds - (at + 1) * LENGTH + GLIDE) / GLIDE);
    const next = gains[at + 1] ?? gains[at]!;
    const ends = Math.min(1, seconds / GLIDE, (vowels.length * LENGTH - seconds) / GLIDE);
    const sum = harmonics.reduce(
      (total, hertz, k) => total + (gains[at]![k]! * (1 - part) + next[k]! * part) * Math.sin(2 * Math.PI * hertz * seconds),
      0,
    );
    return ends * sum;
  });
  const loudest = signal.reduce((most, x) => Math.max(most, Math.abs(x)), 1e-9);
  return signal.map((x) => (0.5 * x) / loudest);
}
