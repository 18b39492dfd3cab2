interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL: (url: string) => string | null }): unknown;
}

/** The page's policy asks of each script that is started by its address, as workers are: only those of the page's own folder are. */
export function allowOwnScripts(): void {
  const folder = new URL('./', location.href).href;
  (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy('default', {
    createScriptURL: (url) => (new URL(url, location.href).href.startsWith(folder) ? url : null),
  });
}
