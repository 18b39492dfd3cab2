import { scriptOfCalls } from '../../../../stages/array_script.ts';
import type { Script } from '../../../../stages/script.ts';
import { importOf } from '../../../../stages/script.ts';
import type { Model } from './self_attention_model.ts';

/** A Node script that computes what the room shows: the same inputs with every digit, the same options, the same build. */
export function scriptOf({ figures, call, sparse, linear }: Model, about: string): Script {
  const options = [
    ...(call.scaled ? [] : ['scale: 1']),
    ...(call.causal ? ['causal: true'] : []),
    // With a pattern, weights come as lists unless they are asked for as an array of all pairs.
    ...(sparse ? ['pattern: P', "returnWeights: 'dense'"] : ['returnWeights: true']),
  ];
  const softmax = (further: readonly string[]): string =>
    `fovea.selfAttention(X, { Wq, Wk, Wv }, { ${[...options, ...further].join(', ')} })`;
  const calls = linear ? linearCalls(softmax(['trace: true']), linear.code) : [`const { output, weights } = ${softmax([])};`];
  const arrays = (['X', 'Wq', 'Wk', 'Wv'] as const).map((id) => {
    const { data, rows, cols } = figures[id].matrix;
    return [id, { data, shape: [rows, cols] }] as const;
  });
  const { text, file } = scriptOfCalls({
    id: 'self-attention',
    arrays: Object.fromEntries(arrays),
    imports: [
      ...(sparse ? [importOf('fovea/pattern', ['pattern'])] : []),
      ...(linear ? [importOf('fovea/linear-attention', ['linearAttention'])] : []),
    ],
    calls: [
      ...(sparse ? [`const P = ${sparse.code};`] : []),
      ...calls,
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
