/**
 * npm run conformance:models -- DIR
 * Loads the small models in DIR by fovea/models and compares what they compute with the outputs of Hugging Face's transformers beside them.
 * Prints the largest difference of each. Exit code 1 when one is more than 1e-5 off.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { load } from 'fovea';
import { loadEncoder } from 'fovea/models';

const LIMIT = 1e-5;

const [argument] = process.argv.slice(2);
const folder = resolve(process.env.INIT_CWD ?? '.', argument ?? '.');
if (argument === undefined || !existsSync(join(folder, 'tiny_bert.safetensors'))) {
  console.error('usage: npm run conformance:models -- DIR   (DIR has tiny_bert.safetensors and its like)');
  process.exit(2);
}

const fovea = await load();
const bytesOf = (file) => readFileSync(join(folder, file));
const jsonOf = (file) => JSON.parse(bytesOf(file));

/** A folder of one of the models, whose files have other names. */
const folderOf = (name, config = jsonOf(`tiny_${name}_config.json`)) =>
  new Map([
    ['config.json', new TextEncoder().encode(JSON.stringify(config))],
    ['model.safetensors', bytesOf(`tiny_${name}.safetensors`)],
  ]);

let failed = 0;

function report(name, pairs) {
  const worst = Math.max(...pairs.map(([got, wanted]) => difference(got, wanted)));
  const isRight = worst <= LIMIT;
  if (!isRight) failed++;
  console.log(`${isRight ? 'passed' : 'FAILED'} ${name.padEnd(32)} ${worst.toExponential(2)}`);
}

function difference(got, wanted) {
  const [a, b] = [Array.from(got), wanted.flat(Infinity)];
  if (a.length !== b.length) return Infinity;
  return a.reduce((worst, value, i) => Math.max(worst, Math.abs(value - b[i])), 0);
}

async function withModel(loadModel, name, use, config) {
  const model = await loadModel(fovea, folderOf(name, config), { tokenizer: null });
  try {
    await use(model);
  } catch (error) {
    failed++;
    console.log(`FAILED ${name}: ${error.message}`);
  } finally {
    model.dispose();
  }
}

for (const name of ['bert', 'roberta', 'xlmroberta', 'distilbert', 'modernbert']) {
  const file = existsSync(join(folder, `tiny_${name}_hidden.json`)) ? `tiny_${name}_hidden.json` : `tiny_${name}_logits.json`;
  const { sequences, hidden, logits } = jsonOf(file);
  await withModel(loadEncoder, name, async (encoder) => {
    const states = await encoder.states(sequences);
    report(name, states.map(({ data }, n) => [data, (hidden ?? logits)[n]]));
  });
}

{
  const { sequences, real_tokens: real, embeddings } = jsonOf('tiny_e5_embed.json');
  await withModel(loadEncoder, 'e5', async (encoder) => {
    // Made without a mask: padding was attended to, and left out of the mean.
    const states = await encoder.states(sequences);
    report(
      'e5, mean of unit length',
      states.map(({ data, shape: [, width] }, n) => {
        const sum = Array.from({ length: width }, (_, i) =>
          Array.from({ length: real[n] }, (_, t) => data[t * width + i]).reduce((a, b) => a + b),
        );
        const length = Math.hypot(...sum);
        return [sum.map((x) => x / length), embeddings[n]];
      }),
    );
  });
}

fovea.dispose();
process.exitCode = failed > 0 ? 1 : 0;
