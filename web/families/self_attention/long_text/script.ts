import { scriptOfCalls } from '../../../stages/array_script.ts';
import { literal, type Script } from '../../../stages/script.ts';
import type { Projected } from './embedding.ts';
import { rulesOf, type MaskName } from './rows.ts';

/** A script for Node that computes the weights of a word: all of them, or of a sparse pattern the keys that it keeps and their weights. */
export function scriptOfRow({ q, k, width, tokens }: Projected, seen: MaskName, query: number): Script {
  const rules = rulesOf(seen, tokens);
  const keys = { data: k, shape: [tokens, width] };
  const values = `const values = { data: new Float32Array(${tokens}), shape: [${tokens}, 1] };`;
  if ('options' in rules) {
    const options = { ...rules.options, causalOffset: query, returnWeights: true };
    return scriptOfCalls({
      id: 'text',
      arrays: { query: { data: q.slice(query * width, (query + 1) * width), shape: [1, width] }, keys },
      imports: [],
      calls: [
        values,
        `const { weights } = fovea.attention(query, keys, values, ${literal(options, '')});`,
        "console.log('weights', toNested(weights));",
      ],
    });
  }
  return scriptOfCalls({
    id: 'text',
    arrays: { queries: { data: q, shape: [tokens, width] }, keys },
    imports: ["import { pattern } from 'fovea/pattern';"],
    calls: [
      values,
      `const seen = pattern.${rules.name}(${literal(rules.argument, '')});`,
      "const { weights } = fovea.attention(queries, keys, values, { pattern: seen, returnWeights: 'sparse' });",
      `const [from, to] = weights.indptr.slice(${query}, ${query + 2});`,
      "console.log('keys', [...weights.indices.slice(from, to)]);",
      "console.log('weights', [...weights.values.slice(from, to)]);",
    ],
  });
}
