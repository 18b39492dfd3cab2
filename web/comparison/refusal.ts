import type { CatalogEntry } from 'fovea/catalog';
import { refusals } from '../../build/generated/texts/comparison.ts';
import { fill, type Localized } from '../shell/localized.ts';
import type { Contract, Reason } from './contract.ts';
import { broughtShapes, compares, ownersOf, refusalOf, sequenceName } from './contract.ts';

/** Why mechanisms are not compared, and which are in their place. */
export interface Refusal {
  readonly sentence: Localized;
  /** Two that do compare: where it can be, one of them and a relative of the other. */
  readonly offer: readonly [Contract, Contract];
}

const join = (parts: readonly Localized[]): Localized => ({
  en: parts.map(({ en }) => en).join(' '),
  zh: parts.map(({ zh }) => zh).join(''),
});

const print = (shape: readonly number[]): string => `(${shape.join('×')})`;
const namesOf = ({ shapes }: Contract): string => Object.keys(shapes).join(', ');

/** The vectors that an owner brings, as its sentence names them. */
function brought(taker: Contract, owner: Contract): string {
  if (taker.takes === 'sequence' && owner.takes === 'sequence') return print(owner.shapes[sequenceName(owner)]!);
  return (broughtShapes(owner) ?? Object.values(owner.shapes)).map(print).join(', ');
}

function sentenceOf(reason: Reason, taker: Contract, owner: Contract): Localized {
  const [a, b] = [taker.entry.title, owner.entry.title];
  const shapes = broughtShapes(owner);
  const width = shapes?.[0]?.at(-1) ?? 0;
  switch (reason) {
    case 'inputs':
      return taker.takes === 'nothing' || owner.takes === 'nothing'
        ? fill(refusals.nothing, { a: taker.takes === 'nothing' ? a : b })
        : fill(refusals.inputs, { a, ofA: namesOf(taker), b, ofB: namesOf(owner) });
    case 'two sequences':
      return fill(refusals.twoSequences, { a, b });
    case 'params':
      return fill(refusals.params, {
        a,
        names: taker.bound.join(', '),
        own: Object.values(taker.shapes).map(print).join(', '),
        b,
        brought: brought(taker, owner),
      });
    case 'width':
      return fill(refusals.width, { a, own: taker.shapes[sequenceName(taker)]![1]!, b, brought: brought(taker, owner) });
    case 'tokens':
      return fill(refusals.tokens, { a, b, queries: shapes?.[0]?.at(-2) ?? 0, keys: shapes?.[1]?.at(-2) ?? 0 });
    case 'heads':
      return fill(refusals.heads, { a, b });
    case 'pairs':
      return width > 0 ? fill(refusals.pairs, { a, b, width }) : fill(refusals.pairsOfOtherForm, { a, b });
  }
}

/** The more closely related, the smaller. */
function kinship(a: CatalogEntry, b: CatalogEntry): number {
  const signs = [a.id === b.id, a.parent === b.id || b.parent === a.id, a.parent !== null && a.parent === b.parent];
  const at = signs.indexOf(true);
  return at >= 0 ? at : a.family === b.family ? signs.length : signs.length + 1;
}

const byKinship = (to: Contract, pool: readonly Contract[]): readonly Contract[] =>
  [...pool].sort((a, b) => kinship(a.entry, to.entry) - kinship(b.entry, to.entry));

export const partnersOf = (one: Contract, all: readonly Contract[]): readonly Contract[] =>
  all.filter((other) => compares(one, other));

function offerFor(a: Contract, b: Contract, all: readonly Contract[]): readonly [Contract, Contract] {
  for (const [kept, left] of [
    [a, b],
    [b, a],
  ] as const) {
    const [sibling] = byKinship(left, partnersOf(kept, all));
    if (sibling) return [kept, sibling];
  }
  const [kept] = byKinship(
    a,
    all.filter((one) => partnersOf(one, all).length > 0),
  );
  return [kept!, byKinship(b, partnersOf(kept!, all))[0]!];
}

/** Null where two mechanisms compare; `all` are those of the catalog. */
export function refusalBetween(a: Contract, b: Contract, all: readonly Contract[]): Refusal | null {
  if (a.entry.id === b.entry.id) return { sentence: fill(refusals.same, { a: a.entry.title }), offer: offerFor(a, b, all) };
  if (ownersOf([a, b]).length > 0) return null;
  const [ofB, ofA] = [refusalOf(b, a), refusalOf(a, b)];
  // Where neither takes what the other brings, one sentence says it of both.
  const isOne = ofA === 'inputs' && ofB === 'inputs';
  const sentences = [ofA && sentenceOf(ofA, a, b), ofB && !isOne && sentenceOf(ofB, b, a)].filter((one) => one !== null);
  return { sentence: join(sentences.filter((one) => one !== false)), offer: offerFor(a, b, all) };
}

/** Why one of `contracts` cannot take the input that `owner` now brings; null where all can. */
export function refusalToTake(contracts: readonly Contract[], owner: Contract): Localized | null {
  for (const taker of contracts) {
    const reason = refusalOf(taker, owner);
    if (reason) return sentenceOf(reason, taker, owner);
  }
  return null;
}

/** Where every two of three or four compare, but no one input fits them all. */
export function refusalOfAll(contracts: readonly Contract[], all: readonly Contract[]): Refusal | null {
  for (const [n, a] of contracts.entries())
    for (const b of contracts.slice(n + 1)) {
      const refusal = refusalBetween(a, b, all);
      if (refusal) return refusal;
    }
  if (ownersOf(contracts).length > 0) return null;
  return { sentence: refusals.noOwner, offer: [contracts[0]!, contracts[1]!] };
}
