import index from 'virtual:search-index';

export type Found = (typeof index)[number];

/** The mechanisms that are known by a name with all the words of `query`, those first whose name begins with it. */
export function find(query: string): readonly Found[] {
  const written = query.normalize('NFKC').toLowerCase().trim();
  const words = written.split(/\s+/).filter((word) => word !== '');
  if (words.length === 0) return [];
  const rank = ({ names }: Found): number => {
    const fitting = names.filter((name) => words.every((word) => name.includes(word)));
    if (fitting.length === 0) return Infinity;
    return fitting.includes(written) ? 0 : fitting.some((name) => name.startsWith(written)) ? 1 : 2;
  };
  return index
    .map((found) => ({ found, rank: rank(found) }))
    .filter((one) => one.rank < Infinity)
    .sort((a, b) => a.rank - b.rank)
    .map(({ found }) => found);
}
