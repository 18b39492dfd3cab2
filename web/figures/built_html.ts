interface HtmlPolicy {
  createHTML(html: string): string;
}
interface TrustedTypes {
  createPolicy(name: string, rules: HtmlPolicy): HtmlPolicy;
}

/** The page's policy lets no text become HTML, save Svelte's templates and what goes through here. */
const policy = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy('fovea-built', {
  createHTML: (html) => html,
});

/** HTML that KaTeX made when the page was built. Nothing that a visitor gives may come here: only Formula and Typeset import it. */
export const builtHtml = (html: string): string => policy?.createHTML(html) ?? html;
