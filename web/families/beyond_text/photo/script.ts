import { scriptOfCalls } from '../../../stages/array_script.ts';
import type { Script } from '../../../stages/script.ts';
import { all, columnOf, comparedRows, featuresOf, pick, type Comparison, type Patches } from './patches.ts';

/** Scripts of what the page of an image computes: the calls of attend.ts on the same patches. */

const attention = (names: string, scale: number): string =>
  `fovea.attention(${names}, { scale: ${scale}, returnWeights: true })`;
const PRINTED = ["console.log('weights', toNested(weights));", "console.log('color', toNested(color));"];

export function seenScript(patches: Patches, comparison: Comparison, query: number): Script {
  const { queries, keys } = featuresOf(patches, comparison);
  return scriptOfCalls({
    id: 'image',
    arrays: { query: pick(queries, [query]), keys: all(keys), colors: all(patches.colors) },
    imports: [],
    calls: [`const { output: color, weights } = ${attention('query, keys, colors', comparison.scale)};`, ...PRINTED],
  });
}

/** One hop prints the weights of the column from its top; two print those of all patches. */
export function axialScript(patches: Patches, comparison: Comparison, query: number, hops: 1 | 2): Script {
  const { rows, cols } = patches;
  const { queries, keys } = featuresOf(patches, comparison);
  const column = columnOf(patches, query);
  const own = { query: pick(queries, [query]), columnKeys: pick(keys, column), columnColors: pick(patches.colors, column) };
  const down = attention('query, columnKeys, columnColors', comparison.scale);
  if (hops === 1) {
    const calls = [`const { output: color, weights } = ${down};`, ...PRINTED];
    return scriptOfCalls({ id: 'image-axial', arrays: own, imports: [], calls });
  }
  const asked = pick(queries, column);
  return scriptOfCalls({
    id: 'image-axial',
    arrays: {
      ...own,
      columnQueries: { data: asked.data, shape: [rows, 1, queries.width] },
      keys: { data: keys.data, shape: [rows, cols, keys.width] },
      colors: { data: patches.colors.data, shape: [rows, cols, 3] },
    },
    imports: ["import { matmul, multiply } from 'fovea/ops';"],
    calls: [
      `const [rows, cols] = [${rows}, ${cols}];`,
      `const down = ${down}.weights;`,
      `const across = ${attention('columnQueries, keys, colors', comparison.scale)}.weights;`,
      'const weights = multiply(fovea, { data: across.data, shape: [rows, cols] }, { data: down.data, shape: [rows, 1] });',
      'const all = { data: weights.data, shape: [1, rows * cols] };',
      'const color = matmul(fovea, all, { data: colors.data, shape: [rows * cols, 3] });',
      ...PRINTED,
    ],
  });
}

export function clustersScript(patches: Patches, comparison: Comparison, bases: readonly number[], iterations: number): Script {
  const rows = comparedRows(patches, comparison);
  const normalize = comparison.features === 'raw' ? 'none' : 'l2';
  return scriptOfCalls({
    id: 'image-clusters',
    arrays: { X: all(rows), mu: pick(rows, bases) },
    imports: ["import { emAttention } from 'fovea/mechanisms';"],
    calls: [
      `const options = { iterations: ${iterations}, lambda: ${comparison.scale}, normalize: '${normalize}', residual: false };`,
      'const { Z } = emAttention(fovea, { X }, { mu }, options);',
      "console.log('memberships', toNested(Z));",
    ],
  });
}

export function convolutionScript(
  brightness: Float32Array,
  { rows, cols }: Patches,
  kernel: readonly number[],
  alpha: number,
): Script {
  return scriptOfCalls({
    id: 'image-convolution',
    arrays: { image: { data: brightness, shape: [rows, cols, 1] }, W: { data: kernel, shape: [3, 3, 1, 1] } },
    imports: ["import { convolutionAttention } from 'fovea/mechanisms';"],
    calls: [
      `const { output, convolution } = convolutionAttention(fovea, { image }, { W }, { alpha: ${alpha} });`,
      "console.log('output', toNested(output));",
      "console.log('convolution', toNested(convolution));",
    ],
  });
}
