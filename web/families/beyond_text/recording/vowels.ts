import { RATE } from '../../../inputs/sound/mel.ts';
import type { Sound } from '../../../inputs/sound/read.ts';
import { sing } from '../../../inputs/sound/vowels.ts';

/** Vowels in a row that the page sings by itself. */
export const VOWELS = { aia: ['a', 'i', 'a'], aeiou: ['a', 'e', 'i', 'o', 'u'] } as const;
export type Vowels = keyof typeof VOWELS;

export function sung(vowels: Vowels): Sound {
  const samples = sing(VOWELS[vowels]);
  return { samples, seconds: samples.length / RATE };
}
