import type { Figure, MatrixId } from './figures.ts';
import { shortestFloat32 } from './format.ts';
import { nested } from './matrix.ts';
import type { Figures } from './walk.ts';

/** A Node script that computes what the room shows: the same inputs with every digit, the same options, the same build. */
export function scriptOf(
  figures: Figures,
  { scaled, causal, about }: { scaled: boolean; causal: boolean; about: string },
): string {
  const options = [...(scaled ? [] : ['scale: 1']), ...(causal ? ['causal: true'] : []), 'returnWeights: true'];
  return `// ${about}
import { load, toNested } from 'fovea';

const fovea = await load({ deterministic: true });
${(['X', 'Wq', 'Wk', 'Wv'] as const).map((id) => declaration(id, figures[id])).join('\n')}
const { output, weights } = fovea.selfAttention(X, { Wq, Wk, Wv }, { ${options.join(', ')} });
console.log('weights', toNested(weights));
console.log('output', toNested(output));
`;
}

function declaration(id: MatrixId, { matrix }: Figure): string {
  const rows = nested(matrix).map((row) => `  [${row.map(shortestFloat32).join(', ')}],`);
  return `const ${id} = [\n${rows.join('\n')}\n];`;
}
