import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

/**
 * Makes the modules of the page's texts before the page is built. In `npm run dev` a text that is edited is on the page at once, and a fault
 * in it covers the page until it is mended.
 *
 * @param script scripts/generate_texts.mjs
 * @param folder web/texts
 */
export function pageTexts(script: URL, folder: URL): Plugin {
  const generate = async (): Promise<void> => {
    const { generateTexts } = (await import(script.href)) as { generateTexts(): void };
    generateTexts();
  };
  return {
    name: 'fovea-texts',
    config: generate,
    configureServer({ watcher, ws }) {
      watcher.add(fileURLToPath(folder));
      watcher.on('all', (_, path) => {
        if (!path.endsWith('.ftl')) return;
        generate().catch(({ message }: Error) => ws.send({ type: 'error', err: { message, stack: '' } }));
      });
    },
  };
}
