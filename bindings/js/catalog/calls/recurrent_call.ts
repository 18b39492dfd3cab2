/** Work and states of the recurrent encoders. */
import type { ResultStage } from '../entry/entry.ts';

/** Work of T tokens I wide, a state Hd wide and G gates. */
export function recurrentWork(G: number) {
  return {
    letters: ['T', 'I', 'Hd'],
    pairs: (): number => 0,
    multiplyAdds: ({ T, I, Hd }: Readonly<Record<string, number>>): number => G * T! * Hd! * (I! + Hd!),
  };
}

/** The hidden states, one a token. */
export const statesStage = (formula: string): Readonly<Record<string, ResultStage>> => ({
  output: { formula, axes: ['token', 'feature'] },
});
