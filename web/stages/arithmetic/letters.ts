/** Which array a letter of a formula stands for: the catalog names its arrays as the formulas do. */
import type { Source } from './expr.ts';
import type { SymbolNode } from './nodes.ts';

/** An array with the letters that formulas call it by. */
export interface Named {
  readonly source: Source;
  /** The letter that the stage's own formula defines, without indices. */
  readonly letter: string | null;
  /** The trace has it later than the stage in question. */
  readonly later?: boolean;
}

/** Names of arrays as formulas write them. */
const ALIASES: Readonly<Record<string, string>> = {
  weight_ih_l0: 'Wih',
  weight_hh_l0: 'Whh',
  bias_ih_l0: 'bih',
  bias_hh_l0: 'bhh',
  bias: 'b',
  slopes: 'm',
  scale: 's',
  'generator.weight': 'Wg',
};
/** Usual meanings of letters where nothing is called so: weights, gates, states. */
const USUAL: readonly (readonly [RegExp, RegExp])[] = [
  [/^(?:a|p|alpha|beta|rho|w|A)$/, /weights|^alpha|^beta|alignment/i],
  [/^(?:F|g)$/, /gate/i],
  [/^(?:s|h|u|X|x)$/, /states|^tokens/i],
  [/^(?:c|r)$/, /context/i],
];

const plain = (name: string): string => name.replace(/[^A-Za-z0-9]/g, '');
const lastPart = (name: string): string => name.split('.').at(-1) ?? name;
const digitOf = (name: string): string => /\d$/.exec(name.split('.')[0] ?? '')?.[0] ?? '';

export interface Match {
  readonly named: Named;
  /** Whether the array has the letter's name, in whatever case, not only what the letter mostly stands for. */
  readonly sure: boolean;
  /** Whether it has the name as it is written, or its matrix's. */
  readonly exact: boolean;
}

/** Arrays that a letter may stand for, the likeliest first. */
export function arraysOf({ name, sub, sup }: SymbolNode, known: readonly Named[], near: string): Match[] {
  const bare = plain(name.replace(/^(?:tilde|bar|hat|overrightarrow|overleftarrow) /, ''));
  const whole = plain(bare + sub.replace(/\*/g, 'star') + sup.replace("'", 'prime').replace('*', 'star'));
  const reordered = plain(bare + sup + sub);
  return known
    .map((named, age) => ({ named, score: scoreOf(named, age / known.length) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ named, score }) => ({ named, sure: score >= 2.9, exact: score >= 4.9 }));

  function scoreOf({ source, letter, later }: Named, age: number): number {
    const own = ALIASES[source.name] ?? ALIASES[lastPart(source.name)] ?? lastPart(source.name);
    const close = nearness(source.name, near) + 0.25 * age - (later ? 0.6 : 0);
    if (letter === name + sup) return 11 + close;
    if (letter === name) return 10 + close;
    if (own === whole || own === reordered) return (source.kind === 'stage' ? 8 : 9) + close;
    if (own.toLowerCase() === whole.toLowerCase()) return 4 + close;
    if (!later && own === bare) return 6 + close;
    if (!later && letter?.toLowerCase() === name.toLowerCase()) return 5 + close;
    if (own.toLowerCase() === bare.toLowerCase() && (!later || source.name === bare)) return 3 + close;
    const usual = source.kind === 'stage' && USUAL.some(([letters, names]) => letters.test(bare) && names.test(own));
    if (usual && (!later || /[-<]/.test(sub))) return 1 + close;
    if (source.kind === 'stage' && !later && bare.length > 3 && own.toLowerCase().includes(bare.toLowerCase()))
      return 0.7 + close;
    return 0;
  }
}

/** Arrays of one part of a mechanism go together: forwardWeights and forward.W1, context2 and attention2.Wa. */
export function nearness(name: string, near: string): number {
  const of = name.split('.')[0] ?? '';
  return (of !== name && near.startsWith(of) ? 0.5 : 0) + (digitOf(near) !== '' && digitOf(name) === digitOf(near) ? 0.5 : 0);
}
