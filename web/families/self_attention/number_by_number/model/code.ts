import type { Figure, MatrixId } from './matrices.ts';
import { shortestFloat32 } from '../../../../figures/format.ts';
import { nested } from '../../../../figures/matrix.ts';
import type { Figures } from '../walk/walk.ts';

interface Shown {
  readonly scaled: boolean;
  readonly causal: boolean;
  /** The call that makes the pattern of sparse attention. */
  readonly pattern: string | null;
  /** The options of linear attention. */
  readonly linear: string | null;
  readonly about: string;
}

/** A Node script that computes what the room shows: the same inputs with every digit, the same options, the same build. */
export function scriptOf(figures: Figures, { scaled, causal, pattern, linear, about }: Shown): string {
  const options = [
    ...(scaled ? [] : ['scale: 1']),
    ...(causal ? ['causal: true'] : []),
    // With a pattern, weights come as lists unless they are asked for as an array of all pairs.
    ...(pattern === null ? ['returnWeights: true'] : ['pattern: P', "returnWeights: 'dense'"]),
  ];
  const call = (further: readonly string[]): string =>
    `fovea.selfAttention(X, { Wq, Wk, Wv }, { ${[...options, ...further].join(', ')} })`;
  const printed = linear === null ? `const { output, weights } = ${call([])};` : linearCalls(call(['trace: true']), linear);
  return `// ${about}
import { load, toNested } from 'fovea';
${pattern === null ? '' : "import { pattern } from 'fovea/pattern';\n"}${linear === null ? '' : "import { linearAttention } from 'fovea/linear-attention';\n"}
const fovea = await load({ deterministic: true });
${(['X', 'Wq', 'Wk', 'Wv'] as const).map((id) => declaration(id, figures[id])).join('\n')}
${pattern === null ? '' : `const P = ${pattern};\n`}${printed}
console.log('weights', toNested(weights));
console.log('output', toNested(output));
`;
}

/** Linear attention on the queries, keys and values of softmax attention, whose weights are printed first. */
function linearCalls(softmax: string, options: string): string {
  return `const softmax = ${softmax};
const [q, k, v] = ['query', 'key', 'value'].map((name) => softmax.trace.find((stage) => stage.name === name));
console.log('softmax weights', toNested(softmax.weights));

const { output, trace } = linearAttention(fovea, q, k, v, ${options});
const weights = trace.find((stage) => stage.name === 'weights');`;
}

function declaration(id: MatrixId, { matrix }: Figure): string {
  const rows = nested(matrix).map((row) => `  [${row.map(shortestFloat32).join(', ')}],`);
  return `const ${id} = [\n${rows.join('\n')}\n];`;
}
