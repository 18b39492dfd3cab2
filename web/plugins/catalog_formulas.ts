import katex from 'katex';
import type { Plugin } from 'vite';
import { markStages } from './mark_stages.ts';

const NAME = 'virtual:catalog-formulas';

interface Entry {
  readonly id: string;
  readonly equation: string;
  readonly slots: Readonly<Record<string, string>>;
}
interface Catalog {
  list(): readonly Entry[];
  run(fovea: unknown, id: string): { readonly trace: readonly { readonly name: string; readonly formula: string }[] };
}

/**
 * The module `virtual:catalog-formulas`: for each mechanism of the catalog a function that loads its formulas as typeset HTML, by their LaTeX:
 * its equation with its letters marked by the stages that they name, its slots and the stages of its trace, which is computed here. No KaTeX runs in the page; an error stops the build.
 *
 * @param dist the folder of the built package
 */
export function catalogFormulas(dist: URL): Plugin {
  let loaded: Promise<{ catalog: Catalog; fovea: unknown }> | undefined;
  const fromPackage = (): Promise<{ catalog: Catalog; fovea: unknown }> =>
    (loaded ??= (async () => {
      const at = (name: string): string => new URL(`${name}.node.js`, dist).href;
      const [{ load }, catalog] = await Promise.all([import(at('index')), import(at('catalog'))]);
      return { catalog: catalog as Catalog, fovea: await load({ deterministic: true }) };
    })());
  return {
    name: 'fovea-catalog-formulas',
    resolveId: (id) => (id === NAME || id.startsWith(`${NAME}/`) ? `\0${id}` : null),
    async load(id) {
      if (!id.startsWith(`\0${NAME}`)) return null;
      const { catalog, fovea } = await fromPackage();
      const name = id.slice(NAME.length + 2);
      if (name === '') {
        const loaders = catalog.list().map((entry) => `${entry.id}: () => import('${NAME}/${entry.id}')`);
        return `export default { ${loaders.join(', ')} };`;
      }
      const entry = catalog.list().find((candidate) => candidate.id === name);
      if (!entry) throw new Error(`the catalog has no "${name}"`);
      const { trace } = catalog.run(fovea, name);
      const formulas = new Set([...Object.values(entry.slots), ...trace.map(({ formula }) => formula)]);
      const html = Object.fromEntries([...formulas].map((tex) => [tex, typeset(tex)]));
      html[entry.equation] = typeset(markStages(entry.equation, trace));
      return `export default ${JSON.stringify(html)};`;
    },
  };
}

/** KaTeX's additions to HTML are refused, but for the names of stages. */
const typeset = (tex: string): string =>
  katex.renderToString(tex, {
    throwOnError: true,
    strict: (code: string) => (code === 'htmlExtension' ? 'ignore' : 'error'),
    trust: ({ command }) => command === '\\htmlData',
  });
