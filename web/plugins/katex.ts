import katex from 'katex';
import type { Plugin } from 'vite';

/**
 * Turns a `.tex` file (`name: LaTeX`, one per line, `%` starts a comment line) into a module of typeset HTML, so that no
 * KaTeX runs in the page. An error in a formula stops the build.
 */
export function texModules(): Plugin {
  return {
    name: 'fovea-tex',
    transform(source, id) {
      if (!id.endsWith('.tex')) return null;
      return { code: `export default ${JSON.stringify(typesetFile(source))};`, map: null };
    },
  };
}

export function typesetFile(source: string): Record<string, { tex: string; html: string }> {
  const formulas: Record<string, { tex: string; html: string }> = {};
  for (const line of source.split('\n')) {
    if (!line.trim() || line.startsWith('%')) continue;
    const [, name, tex] = /^([\w.-]+):\s+(.+?)\s*$/.exec(line) ?? [];
    if (!name || !tex) throw new Error(`a formula is written "name: LaTeX", got "${line}"`);
    if (name in formulas) throw new Error(`the formula "${name}" is there twice`);
    formulas[name] = { tex, html: katex.renderToString(tex, { throwOnError: true, strict: 'error' }) };
  }
  return formulas;
}

/** The families that the page's formulas use. */
const FAMILIES = /^KaTeX_(Main|Math|AMS|Size\d)$/;

/** Leaves of KaTeX's style sheet the fonts that are used, as woff2: every browser with wasm SIMD reads it. */
export function katexFonts(): Plugin {
  return {
    name: 'fovea-katex-fonts',
    enforce: 'pre',
    transform(code, id) {
      if (!/katex[^/]*\.css/.test(id)) return null;
      const css = code
        .replace(/,\s*url\([^)]*\.(?:woff|ttf)\)\s*format\(["'][^"']*["']\)/g, '')
        .replace(/@font-face\s*\{[^}]*\}/g, (face) =>
          FAMILIES.test(/font-family:\s*["']?([\w-]+)/.exec(face)?.[1] ?? '') ? face : '',
        );
      return { code: css, map: null };
    },
  };
}
