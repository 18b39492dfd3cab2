/** The scores of Luong, Pham, Manning 2015, by name. */
import { fail } from '../../errors/errors.ts';
import { matmul } from '../../ops/index.ts';
import { score, type Score } from '../../score/index.ts';
import { formatShape } from '../../tensor/shapes.ts';
import type { Tensor } from '../../tensor/tensor.ts';
import type { System } from './system.ts';

export type LuongScore = 'dot' | 'general' | 'concat';

/** The params of the score that the options name. */
export function luongScoreParams(options: unknown): Record<string, string> {
  const { score: name = 'general' } = (options ?? {}) as { score?: unknown };
  return name === 'dot' ? {} : name === 'concat' ? { Wa: 'S+Hs A', va: 'A' } : { Wa: 'S Hs' };
}

/** h·h̄ | (h Wa)·h̄ | va·tanh([h; h̄] Wa), without a scale, and the keys that it compares: of concat projected once for all steps. */
export function luongScore(system: System): { readonly score: Score; readonly keys: Tensor } {
  const { fovea, fn, params } = system;
  const keys = system.input('source');
  const name = system.choice<LuongScore>('score', ['general', 'dot', 'concat']);
  const [S, Hs] = [system.size('S'), system.size('Hs')];
  if (name === 'dot' && S !== Hs)
    fail('shape', fn, `the score 'dot' needs S = Hs, got S = ${S}, source ${formatShape(keys.shape)}`);
  if (name === 'dot') return { score: score.dot(), keys };
  const Wa = params['Wa']!;
  if (name === 'general') return { score: score.bilinear(Wa), keys };
  const [Wq, Wk] = [Wa.slice(0, 0, S), Wa.slice(0, S)];
  return { score: score.additive({ Wq, w: params['va']! }, { keys: 'projected' }), keys: matmul(fovea, keys, Wk) };
}
