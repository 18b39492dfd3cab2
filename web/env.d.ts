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
