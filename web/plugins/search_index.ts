import type { Plugin } from 'vite';
import { Converter } from 'opencc-js/cn2t';

const NAME = 'virtual:search-index';

interface Entry {
  readonly id: string;
  readonly family: string;
  readonly year: number;
  readonly parent: string | null;
  readonly title: { readonly en: string; readonly zh: string };
  readonly aliases: readonly string[];
  readonly notations: readonly { readonly writes: string }[];
  readonly paper: { readonly authors: string; readonly title: string } | null;
}

/** Simplified characters as Taiwan writes them: the characters alone, and with its words (网络 as 網絡 and 網路). */
const traditional = [Converter({ from: 'cn', to: 'tw' }), Converter({ from: 'cn', to: 'twp' })];

/**
 * The module `virtual:search-index`: what the search and the map know of each mechanism, so that neither loads the catalog. A mechanism is found by
 * its titles, its other names, those of textbooks, its paper and its authors; Chinese in simplified and in traditional characters.
 *
 * @param dist the folder of the built package
 */
export function searchIndex(dist: URL): Plugin {
  return {
    name: 'fovea-search-index',
    resolveId: (id) => (id === NAME ? `\0${id}` : null),
    async load(id) {
      if (id !== `\0${NAME}`) return null;
      const { list } = (await import(new URL('catalog.node.js', dist).href)) as { list(): readonly Entry[] };
      const index = list().map((entry) => {
        const { id, family, year, parent, title, paper } = entry;
        return { id, family, year, parent, title, authors: paper?.authors ?? '', names: namesOf(entry) };
      });
      return `export default ${JSON.stringify(index)};`;
    },
  };
}

function namesOf({ id, title, aliases, notations, paper, year }: Entry): string[] {
  const written = [id.replaceAll('_', ' '), title.en, title.zh, ...aliases, ...notations.map(({ writes }) => writes)];
  if (paper) written.push(paper.title, `${paper.authors} ${year}`);
  const all = written.flatMap((name) => [name, ...traditional.map((convert) => convert(name))]);
  return [...new Set(all.map((name) => name.normalize('NFKC').toLowerCase()))];
}
