import { scriptOfCalls } from '../stages/array_script.ts';
import { importOf, literal, type Script } from '../stages/script.ts';
import { methodOf, mixtures, tokens, WIDTH, type Call, type Method } from './methods.ts';

/** A script for Node that counts the work of methods over n tokens, and computes how far each is from exact attention over `few` tokens. */
export function laboratoryScript(ids: readonly Method['id'][], n: number, few: number): Script {
  const methods = ids.map(methodOf);
  const calls = methods.map((method) => method.callOf(few));
  const names = new Set(calls.map(({ name }) => name));
  const linear = (['linearAttention', 'linformer'] as const).filter((name) => names.has(name));
  const isSparse = calls.some((call) => call.name === 'attention' && call.pattern);
  const kinds = Object.fromEntries(methods.map(({ id, countsOf }) => [id, countsOf(n)]));
  const causal = methods.some(({ isCausal }) => isCausal);
  return scriptOfCalls({
    id: 'laboratory',
    arrays: {
      x: { data: tokens(few), shape: [few, WIDTH] },
      ...(names.has('linformer') && { E: mixtures(few) }),
    },
    imports: [
      ...(linear.length > 0 ? [importOf('fovea/linear-attention', linear)] : []),
      importOf('fovea/mechanisms', ['xformerCost']),
      ...(isSparse ? [importOf('fovea/pattern', ['pattern'])] : []),
    ],
    calls: [
      `const kinds = ${literal(kinds, '')};`,
      `const costs = xformerCost(fovea, {}, {}, { n: ${n}, d: ${WIDTH}, kinds });`,
      'for (const kind of Object.keys(kinds)) {',
      "  console.log('pairs of', kind, costs[kind].pairs);",
      "  console.log('multiply-adds of', kind, costs[kind].multiplyAdds);",
      '}',
      '',
      '// Times are those of a machine: npx fovea bench. How far an output is from the exact one: the length of what lies between them, beside the length of the exact one.',
      'const lengthOf = (x) => Math.sqrt(x.reduce((sum, number) => sum + number ** 2, 0));',
      'const error = (output, exact) => lengthOf(Float64Array.from(output, (number, i) => number - exact[i])) / lengthOf(Float64Array.from(exact));',
      'const exact = fovea.attention(x, x, x).output.data;',
      ...(causal ? ['const causal = fovea.attention(x, x, x, { causal: true }).output.data;'] : []),
      ...methods.map(
        ({ id, isCausal }, m) =>
          `console.log('error of', '${id}', error(${codeOf(calls[m]!)}.output.data, ${isCausal ? 'causal' : 'exact'}));`,
      ),
    ],
  });
}

function codeOf(call: Call): string {
  if (call.name === 'linformer') return 'linformer(fovea, x, x, x, { E })';
  if (call.name === 'linearAttention') return `linearAttention(fovea, x, x, x, ${literal(call.options, '')})`;
  if (!call.pattern) return 'fovea.attention(x, x, x)';
  const { name, argument } = call.pattern;
  const made = `pattern.${name}(${literal(argument, '')})`;
  return `fovea.attention(x, x, x, { pattern: ${name === 'lsh' ? `${made}.bind(fovea, x, x)` : made} })`;
}
