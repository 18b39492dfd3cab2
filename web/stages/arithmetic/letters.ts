/** Which array a letter of a formula stands for: the catalog names its arrays as the formulas do. */
import type { Source } from './expr.ts';
import type { SymbolNode } from './tex.ts';

/** An array with the letters that formulas call it by. */
export interface Named {
  readonly source: Source;
  /** The letter that the stage's own formula defines, without indices. */
  readonly letter: string | null;
}

const plain = (name: string): string => name.replace(/[^A-Za-z0-9]/g, '');
/** PyTorch's names of recurrent weights as formulas write them. */
const ALIASES: Readonly<Record<string, string>> = {
  weight_ih_l0: 'Wih',
  weight_hh_l0: 'Whh',
  bias_ih_l0: 'bih',
  bias_hh_l0: 'bhh',
  bias: 'b',
};
const lastPart = (name: string): string => name.split('.').at(-1) ?? name;

/** Arrays that a letter may stand for, the likeliest first. */
export function arraysOf({ name, sub, sup }: SymbolNode, known: readonly Named[], near: string): Named[] {
  const bare = plain(name.replace(/^(?:tilde|bar|hat|overrightarrow|overleftarrow) /, ''));
  const whole = plain(bare + sub.replace(/\*/g, 'star') + sup.replace("'", 'prime'));
  const reordered = plain(bare + sup + sub);
  const scored = known.map((named, age) => ({ named, score: scoreOf(named, age / known.length) }));
  return scored
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ named }) => named);

  function scoreOf({ source, letter }: Named, age: number): number {
    const own = ALIASES[lastPart(source.name)] ?? lastPart(source.name);
    const of = source.name.split('.')[0] ?? '';
    const close = (of !== own && near.startsWith(of) ? 0.5 : 0) + 0.25 * age;
    if (letter === name + sup) return 11 + close;
    if (letter === name) return 10 + close;
    if (own === whole || own === reordered) return (source.kind === 'stage' ? 8 : 9) + close;
    if (own === bare) return 6 + close;
    if (letter?.toLowerCase() === name.toLowerCase()) return 5 + close;
    if (own.toLowerCase() === whole.toLowerCase()) return 4 + close;
    if (own.toLowerCase() === bare.toLowerCase()) return 3 + close;
    if (source.kind === 'stage' && bare.length > 3 && own.toLowerCase().includes(bare.toLowerCase())) return 2 + close;
    return 0;
  }
}
