/** Globals that modules of the page find in a browser and in Svelte while they load, for tests in Node that draw no page. To be imported before them. */
const state = Object.assign(<T>(value: T): T => value, { raw: <T>(value: T): T => value });
const nothing = (): void => {};
Object.assign(globalThis, {
  $state: state,
  matchMedia: () => ({ matches: false, addEventListener: nothing }),
  document: { documentElement: { dataset: {} } },
});
if (!('navigator' in globalThis)) Object.assign(globalThis, { navigator: { languages: ['en'] } });

/** Widths of texts as a canvas would give them, roughly. */
export const measure = (text: string, font: number): number => 0.6 * font * text.length;
