/// <reference types="vite/client" />

/** A file of named formulas, typeset at build time by plugins/katex.ts. */
declare module '*.tex' {
  const formulas: Record<string, { readonly tex: string; readonly html: string }>;
  export default formulas;
}
