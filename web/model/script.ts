import { scriptOfCalls } from '../stages/array_script.ts';
import { importOf, literal, type Script } from '../stages/script.ts';
import type { HeadChange, ForwardPass } from './network/types.ts';

/** The weights of one head, from the queries, keys and values that the model gives it, as a script for Node. */
export function headScript(
  { layers, heads }: ForwardPass,
  place: { layer: number; head: number },
  change: HeadChange | null,
): Script {
  const { q, k, v, headDim, causal } = layers[place.layer]!.inputs;
  const [tokens, width] = k.shape as [number, number];
  const shared = Math.floor(place.head / (heads / (width / headDim)));
  const columns = ({ data, shape }: typeof q, from: number) => ({
    data: Float32Array.from({ length: tokens * headDim }, (_, n) => {
      return data[Math.floor(n / headDim) * shape[1]! + from * headDim + (n % headDim)]!;
    }),
    shape: [tokens, headDim],
  });
  return scriptOfCalls({
    id: 'head',
    arrays: { q: columns(q, place.head), k: columns(k, shared), v: columns(v, shared) },
    ...callsOf(change, tokens, causal),
  });
}

function callsOf(change: HeadChange | null, tokens: number, causal: boolean): { imports: string[]; calls: string[] } {
  const print = "console.log('weights', toNested(weights));";
  if (change?.kind === 'linear')
    return {
      imports: [importOf('fovea/linear-attention', ['linearAttention'])],
      calls: [
        `const options = ${literal({ featureMap: 'elu1', causal }, '')};`,
        '// Values that are the identity matrix give the weights themselves, which linear attention never holds.',
        `const identity = { data: Float32Array.from({ length: ${tokens ** 2} }, (_, n) => Number(n % ${tokens + 1} === 0)), shape: [${tokens}, ${tokens}] };`,
        'const weights = linearAttention(fovea, q, k, identity, options).output;',
        print,
      ],
    };
  const own =
    change?.kind === 'window'
      ? `window: [${change.reach}, ${causal ? 0 : change.reach}], `
      : change?.kind === 'topK'
        ? `normalizer: normalizer.topK(${Math.min(change.k, tokens)}), `
        : '';
  return {
    imports: change?.kind === 'topK' ? [importOf('fovea/score', ['normalizer'])] : [],
    calls: [`const { weights } = fovea.attention(q, k, v, { ${own}causal: ${causal}, returnWeights: 'dense' });`, print],
  };
}
