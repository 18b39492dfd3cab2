import { scriptOfCalls } from '../../stages/array_script.ts';
import { importOf, literal, type Script } from '../../stages/script.ts';
import type { Computation } from './computation.svelte.ts';

/** A Node script that computes what is told: the same matrices with every digit, the same options, the same build. */
export function scriptOf({ given, choices, sparse, linear }: Computation, about: string): Script {
  const options = [
    ...(choices.scaled ? [] : ['scale: 1']),
    ...(choices.causal ? ['causal: true'] : []),
    // With a pattern, weights come as lists unless they are asked for as an array of all pairs.
    ...(sparse ? ['pattern: P', "returnWeights: 'dense'"] : ['returnWeights: true']),
    ...(linear ? ['trace: true'] : []),
  ];
  const softmax = `fovea.selfAttention(X, { Wq, Wk, Wv }, { ${options.join(', ')} })`;
  const arrays = Object.entries(given?.matrices ?? {}).map(([id, { data, rows, cols }]) => [id, { data, shape: [rows, cols] }]);
  const { text, file } = scriptOfCalls({
    id: 'self-attention',
    arrays: Object.fromEntries(arrays),
    imports: [
      ...(sparse ? [importOf('fovea/pattern', ['pattern'])] : []),
      ...(linear ? [importOf('fovea/linear-attention', ['linearAttention'])] : []),
    ],
    calls: [
      ...(sparse ? [`const P = ${sparse.code};`] : []),
      ...(linear ? linearCalls(softmax, literal({ ...linear, trace: true }, '')) : [`const { output, weights } = ${softmax};`]),
      "console.log('weights', toNested(weights));",
      "console.log('output', toNested(output));",
    ],
  });
  return { text: `// ${about}\n${text}`, file };
}

/** Linear attention on the queries, keys and values of softmax attention, whose weights are printed first. */
const linearCalls = (softmax: string, options: string): string[] => [
  `const softmax = ${softmax};`,
  "const [q, k, v] = ['query', 'key', 'value'].map((name) => softmax.trace.find((stage) => stage.name === name));",
  "console.log('softmax weights', toNested(softmax.weights));",
  '',
  `const { output, trace } = linearAttention(fovea, q, k, v, ${options});`,
  "const weights = trace.find((stage) => stage.name === 'weights');",
];
