import type { View } from './compared.ts';
import { VIEWS } from './compared.ts';
import type { Contract } from './contract.ts';
import { partnersOf } from './refusal.ts';

/** The comparison that an address asks for: "#/compare?with=local,bigbird&view=weights&input=local". */
export interface AddressedComparison {
  readonly chosen: readonly string[];
  /** Whose input, '' where the first that fits is meant. */
  readonly owner: string;
  readonly view: View;
  /** Whether it names mechanisms that are not in the catalog. */
  readonly isUnknown: boolean;
}

const OPENING = ['self_attention', 'local', 'linear'];
const MOST = 4;

export function readComparison(params: URLSearchParams, all: readonly Contract[]): AddressedComparison {
  const named = (params.get('with') ?? '').split(',', MOST + 1).filter((id) => id !== '');
  const known = named.filter((id) => all.some(({ entry }) => entry.id === id)).slice(0, MOST);
  const first = all.find(({ entry }) => entry.id === known[0]);
  const partner = first && known.length === 1 ? (partnersOf(first, all)[0]?.entry.id ?? known[0]!) : null;
  const view = VIEWS.find((one) => one === params.get('view')) ?? 'weights';
  return {
    chosen: known.length === 0 ? OPENING : partner ? [known[0]!, partner] : known,
    owner: params.get('input') ?? '',
    view,
    isUnknown: named.length > known.length,
  };
}

export const chosenOf = (ids: readonly string[], all: readonly Contract[]): readonly Contract[] =>
  ids.map((id) => all.find(({ entry }) => entry.id === id)).filter((one) => one !== undefined);
