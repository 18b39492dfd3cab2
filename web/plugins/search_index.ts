import { fileURLToPath } from 'node:url';
import { Converter } from 'opencc-js/cn2t';
import { runnerImport, type Alias, type Plugin } from 'vite';
import { isHan, wordsOf } from '../shell/written.ts';

const INDEX = 'virtual:search-index';
const TEXTS = 'virtual:search-texts';

interface Entry {
  readonly id: string;
  readonly family: string;
  readonly year: number;
  readonly parent: string | null;
  readonly title: { readonly en: string; readonly zh: string };
  readonly aliases: readonly string[];
  readonly notations: readonly { readonly writes: string | { readonly en: string; readonly zh: string } }[];
  readonly paper: { readonly authors: string; readonly title: string } | null;
}
interface Page {
  readonly path: string;
  readonly title: { readonly en: string; readonly zh: string };
  readonly names: readonly string[];
  readonly texts: readonly string[];
}

/** The exports of searched_pages.ts. */
interface Searched {
  readonly PAGES: readonly (Pick<Page, 'path' | 'title'> & { readonly aliases: readonly string[]; readonly texts: unknown })[];
  readonly LESSONS: Readonly<Record<string, unknown>>;
}

/** Simplified characters as Taiwan writes them: the characters alone, and with its words (网络 as 網絡 and 網路). */
const toTraditional = Converter({ from: 'cn', to: 'tw' });
const toTaiwan = Converter({ from: 'cn', to: 'twp' });

/**
 * The modules `virtual:search-index`, all that the map and the search by names know of each page, so that neither loads the catalog, and
 * `virtual:search-texts`, the words of its texts. A mechanism is found by its titles, its other names, those of textbooks, its paper and its
 * authors, then by its lesson; the other pages are those of searched_pages.ts.
 *
 * @param dist the folder of the built package
 * @param alias where the package's entries are
 */
export function searchIndex(dist: URL, alias: readonly Alias[]): Plugin {
  const root = fileURLToPath(new URL('../', import.meta.url));
  const read = async <T>(file: string): Promise<T> => {
    const config = { root, configFile: false as const, resolve: { alias }, logLevel: 'error' as const };
    return (await runnerImport<T>(`${root}${file}`, config)).module;
  };
  let loaded: ReturnType<typeof make> | undefined;
  async function make() {
    const { list } = (await import(new URL('catalog.node.js', dist).href)) as { list(): readonly Entry[] };
    const { PAGES, LESSONS } = await read<Searched>('searched_pages.ts');
    const mechanisms = list().map((entry) => {
      const { id, family, year, parent, title, paper } = entry;
      const page = pageOf(id.replaceAll('_', '-'), title, namesOf(entry), LESSONS[id]);
      return { ...page, mechanism: { id, family, year, parent, authors: paper?.authors ?? '' } };
    });
    const pages = [...mechanisms, ...PAGES.map(({ path, title, aliases, texts }) => pageOf(path, title, aliases, texts))];
    const simplified = simplifiedOf(pages.flatMap(({ names, texts }) => [...names, ...texts]));
    const simplify = (text: string): string => text.replace(/\p{Script=Han}/gu, (one) => simplified.get(one) ?? one);
    const written = (names: readonly string[]): string[] => [
      ...new Set(names.map((name) => wordsOf(simplify(name)).join(' '))),
    ];
    return {
      index: pages.map(({ texts: _, names, ...page }) => ({
        mechanism: null,
        ...page,
        names: written(names.flatMap((name) => [name, toTaiwan(name)])),
      })),
      simplified: [...simplified].map((pair) => pair.join('')).join(''),
      texts: pages.map(({ names, texts }) => {
        const words = [...new Set([...names, ...texts].flatMap((text) => wordsOf(simplify(text))))];
        return ` ${words.filter((word) => !isHan(word)).join(' ')} \n${words.filter(isHan).join(' ')}`;
      }),
    };
  }
  return {
    name: 'fovea-search-index',
    resolveId: (id) => (id === INDEX || id === TEXTS ? `\0${id}` : null),
    async load(id) {
      if (id !== `\0${INDEX}` && id !== `\0${TEXTS}`) return null;
      const { index, simplified, texts } = await (loaded ??= make());
      if (id === `\0${TEXTS}`) return `export default ${JSON.stringify(texts)};`;
      return `export default ${JSON.stringify(index)}; export const simplified = ${JSON.stringify(simplified)};`;
    },
  };
}

const pageOf = (path: string, title: Page['title'], aliases: readonly string[], texts: unknown): Page => ({
  path,
  title,
  names: [title.en, title.zh, ...aliases],
  texts: textsOf(texts),
});

function namesOf({ id, aliases, notations, paper, year }: Entry): string[] {
  const written = [
    id.replaceAll('_', ' '),
    ...aliases,
    ...notations.flatMap(({ writes }) => (typeof writes === 'string' ? [writes] : [writes.en, writes.zh])),
  ];
  return paper ? [...written, paper.title, `${paper.authors} ${year}`] : written;
}

/** The texts of all pairs { en, zh } in a value; sentences with slots are left out. */
function textsOf(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  if ('en' in value && 'zh' in value) return [value.en, value.zh].filter((text) => typeof text === 'string');
  return Object.values(value).flatMap(textsOf);
}

/** The simplified character of each traditional one that stands for a character of `texts`. */
function simplifiedOf(texts: readonly string[]): ReadonlyMap<string, string> {
  const characters = new Set(texts.join('').match(/\p{Script=Han}/gu));
  const pairs = [...characters].map((one) => [toTraditional(one), one] as const);
  return new Map(pairs.filter(([traditional, one]) => traditional !== one && !characters.has(traditional)));
}
