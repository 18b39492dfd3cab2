/** xformerCost in double, from Tay et al. 2020, and its wrong variants by name. */
import type { Run } from '../support/mechanism_properties.ts';

export type Wrong = 'band not cut at the ends' | 'distances counted twice' | 'n squared over k';

/** Pairs counted one by one. */
export const reference =
  (wrong: Wrong | ''): Run =>
  (_, __, options) => {
    const { n, d, dv = d, heads = 1, kinds } = options as { n: number; d: number; dv?: number; heads?: number; kinds: object };
    const count = (sees: (i: number, j: number) => number): number => {
      let pairs = 0;
      for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) pairs += sees(i, j);
      return pairs;
    };
    const isNear = (k: number) => (i: number, j: number) => Number(Math.abs(i - j) <= k);
    const isStep = (k: number) => (i: number, j: number) => Number((i - j) % k === 0);
    const costs = Object.entries(kinds as Record<string, { k: number; causal?: boolean }>).map(([kind, { k, causal }]) => {
      const past =
        (sees: (i: number, j: number) => number) =>
        (i: number, j: number): number =>
          causal && j > i ? 0 : sees(i, j);
      let pairs = 0;
      if (kind === 'full') pairs = count(past(() => 1));
      if (kind === 'local') pairs = wrong === 'band not cut at the ends' ? n * (2 * k + 1) : count(past(isNear(k)));
      if (kind === 'atrous') pairs = wrong === 'n squared over k' ? Math.round(n ** 2 / k) : count(past(isStep(k)));
      const both = (i: number, j: number): number => isNear(k)(i, j) + isStep(k)(i, j);
      if (kind === 'sparse')
        pairs = count(past(wrong === 'distances counted twice' ? both : (i, j) => Math.min(1, both(i, j))));
      return [kind, { pairs, multiplyAdds: heads * pairs * (d + dv) }];
    });
    return Object.fromEntries(costs) as Record<string, unknown>;
  };
