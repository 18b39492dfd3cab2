/// <reference types="vite/client" />

/** A file of named formulas, typeset at build time by plugins/katex.ts. */
declare module '*.tex' {
  const formulas: Record<string, { readonly tex: string; readonly html: string }>;
  export default formulas;
}

/** Made by plugins/catalog_formulas.ts: loads a mechanism's formulas as typeset HTML, by their LaTeX. */
declare module 'virtual:catalog-formulas' {
  const loaders: Readonly<Record<string, () => Promise<{ readonly default: Readonly<Record<string, string>> }>>>;
  export default loaders;
}

/** Made by plugins/search_index.ts: all pages, the mechanisms first. */
declare module 'virtual:search-index' {
  const index: readonly {
    /** The path in the address, behind "#/". */
    readonly path: string;
    readonly title: { readonly en: string; readonly zh: string };
    /** Null for other pages. */
    readonly mechanism: {
      readonly id: string;
      readonly family: import('fovea/catalog').Family;
      readonly year: number;
      readonly parent: string | null;
      readonly authors: string;
    } | null;
    /** Their words as of `wordsOf`, parted by spaces, in simplified characters. */
    readonly names: readonly string[];
  }[];
  export default index;
  /** Each traditional character before its simplified one. */
  export const simplified: string;
}

/** Made by plugins/search_index.ts: for each page of the index the words of its texts, then, on a line of its own, their Chinese. */
declare module 'virtual:search-texts' {
  const texts: readonly string[];
  export default texts;
}

declare module 'opencc-js/cn2t' {
  export function Converter(languages: { from: 'cn'; to: 'tw' | 'twp' }): (text: string) => string;
}

/** Made by plugins/sentence_model.ts: the trained sentence encoder in one file. */
declare module 'virtual:sentence-encoder' {
  const file: { readonly url: string; readonly bytes: number };
  export default file;
}
