/** The scores of Luong, Pham, Manning 2015, by name. */
import { fail } from '../../errors/errors.ts';
import { score, type Score } from '../../score/index.ts';
import { formatShape } from '../../tensor/shapes.ts';
import type { System } from './system.ts';

export type LuongScore = 'dot' | 'general' | 'concat';

/** The params of the score that the options name. */
export function luongScoreParams(options: unknown): Record<string, string> {
  const { score: name = 'general' } = (options ?? {}) as { score?: unknown };
  return name === 'dot' ? {} : name === 'concat' ? { Wa: 'S+Hs A', va: 'A' } : { Wa: 'S Hs' };
}

/** h·h̄ | (h Wa)·h̄ | va·tanh([h; h̄] Wa): without a scale. */
export function luongScore(system: System): Score {
  const { fn, params } = system;
  const name = system.choice<LuongScore>('score', ['general', 'dot', 'concat']);
  const [S, Hs] = [system.size('S'), system.size('Hs')];
  if (name === 'dot' && S !== Hs)
    fail('shape', fn, `the score 'dot' needs S = Hs, got S = ${S}, source ${formatShape(system.input('source').shape)}`);
  if (name === 'dot') return score.dot();
  return name === 'general' ? score.bilinear(params['Wa']!) : score.concat({ W: params['Wa']!, w: params['va']! });
}
