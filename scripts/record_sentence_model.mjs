// Records the sentence encoder's results that the page shows before a visitor loads it: web/model/recorded.json, computed here with the file that they would load.
//   node scripts/record_sentence_model.mjs     after `npm run build`

import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { load } from '../dist/index.node.js';
import { importTypeScript } from './import_typescript.mjs';
import { sentenceModel } from './make_sentence_model.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const target = join(root, 'web/model/recorded.json');
const {
  sentences,
  heads: { text },
} = JSON.parse(readFileSync(target, 'utf8'));

const { SentenceEncoder } = await importTypeScript('web/model/sentences/encoder.ts');
const encoder = await SentenceEncoder.open(await load({ deterministic: true }), readFileSync(await sentenceModel()));

const rounded = (numbers) => Array.from(numbers, (x) => Number(x.toFixed(4)));
const { tokens, heads, layers } = encoder.look(text);
const recorded = {
  sentences: { texts: sentences.texts, similarities: rounded(encoder.similarities(encoder.embed(sentences.texts))) },
  heads: {
    ...{ text, tokens, heads },
    layers: layers.map(({ weights, values, contributions }) => ({
      weights: rounded(weights),
      values: rounded(values),
      contributions: rounded(contributions),
    })),
  },
};
writeFileSync(target, `${JSON.stringify(recorded)}\n`);
