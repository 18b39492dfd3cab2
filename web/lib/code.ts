import type { Figure, MatrixId } from './figures.ts';
import { shortestFloat32 } from './format.ts';
import { nested } from './matrix.ts';
import type { Figures } from './walk.ts';

/** A Node script that computes what the room shows: the same inputs with every digit, the same options, the same build. */
export function scriptOf(
  figures: Figures,
  { scaled, causal, pattern, about }: { scaled: boolean; causal: boolean; pattern: string | null; about: string },
): string {
  const options = [
    ...(scaled ? [] : ['scale: 1']),
    ...(causal ? ['causal: true'] : []),
    // With a pattern, weights come as lists unless they are asked for as an array of all pairs.
    ...(pattern === null ? ['returnWeights: true'] : ['pattern: P', "returnWeights: 'dense'"]),
  ];
  return `// ${about}
import { load, toNested } from 'fovea';
${pattern === null ? '' : "import { pattern } from 'fovea/pattern';\n"}
const fovea = await load({ deterministic: true });
${(['X', 'Wq', 'Wk', 'Wv'] as const).map((id) => declaration(id, figures[id])).join('\n')}
${pattern === null ? '' : `const P = ${pattern};\n`}const { output, weights } = fovea.selfAttention(X, { Wq, Wk, Wv }, { ${options.join(', ')} });
console.log('weights', toNested(weights));
console.log('output', toNested(output));
`;
}

function declaration(id: MatrixId, { matrix }: Figure): string {
  const rows = nested(matrix).map((row) => `  [${row.map(shortestFloat32).join(', ')}],`);
  return `const ${id} = [\n${rows.join('\n')}\n];`;
}
