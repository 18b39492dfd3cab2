/** Remedies for a page that asks for a file and does not get it. */

/** Vite's development server bundles a page's dependencies, and leaves the files beside them behind. */
export function viteRemedy(where: string): string | undefined {
  return /vite\b.*\/deps\//.test(where) ? "set optimizeDeps: { exclude: ['fovea'] } in vite.config" : undefined;
}

/** Said of a request that failed: a browser does not tell whether the page's own policy has refused it. */
export function policyRemedy(where: string): string {
  if (typeof location === 'undefined') return '';
  const origin = /^https?:\/\/[^/]+/.exec(where)?.[0] ?? location.origin;
  const source = origin === location.origin ? "'self'" : origin;
  return `; if the page has a Content Security Policy, it needs connect-src ${source}`;
}
