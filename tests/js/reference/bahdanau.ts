/** bahdanau in double, from Bahdanau, Cho and Bengio 2015, and its wrong variants by name. */
import type { Run } from '../support/mechanism_properties.ts';
import { dot, hadamard, mix, plus, sigmoid, softmax, tanh, times, zeros, type Matrix, type Row } from './equations/rows.ts';

export type Wrong =
  | 'softmax over the padding'
  | 'state is s_{T-1}'
  | 'the query has read y_{t-1}'
  | 'z and 1 - z exchanged'
  | 'r multiplies the finished product'
  | 'maxout of the two halves'
  | 's_t is read';

/** `params` are those of one task. */
export const reference =
  (wrong: Wrong | ''): Run =>
  (inputs, params, options) => {
    const { source, decoderInputs } = inputs as { source: Matrix; decoderInputs: Matrix };
    const p = params as Record<string, Matrix>;
    const bias = (name: string, width: number): Row => (params[name] as Row | undefined) ?? zeros(width);
    const [Hs, S] = [p['Ua']!.length, p['Wa']!.length];
    const length = Number(options['sourceLengths'] ?? source.length);
    const initial = (options['initialState'] as { s?: Row } | undefined)?.s;
    const half = length > 0 ? source[0]!.slice(Math.floor(Hs / 2)) : zeros(Hs - Math.floor(Hs / 2));
    let s = initial ?? (p['Ws'] ? tanh(plus(times(half, p['Ws']), bias('bs', S))) : zeros(S));
    let before = s;
    const steps = decoderInputs.map((y) => {
      const query = wrong === 'the query has read y_{t-1}' ? tanh(plus(s, times(y, p['W']!))) : s;
      const asked = times(query, p['Wa']!);
      const scores = source.map((h) =>
        dot(params['va'] as Row, tanh(plus(asked, times(h, p['Ua']!), bias('ba', asked.length)))),
      );
      const weights = softmax(scores, (j) => j < (wrong === 'softmax over the padding' ? source.length : length));
      const context = mix(weights, source, Hs);
      const from = (name: string, state: Row): Row =>
        plus(times(y, p[`W${name}`]!), times(state, p[`U${name}`]!), times(context, p[`C${name}`]!), bias(`b${name}`, S));
      const [z, r] = [sigmoid(from('z', s)), sigmoid(from('r', s))];
      const finished = plus(times(y, p['W']!), hadamard(r, times(s, p['U']!)), times(context, p['C']!), bias('b', S));
      const candidate = tanh(wrong === 'r multiplies the finished product' ? finished : from('', hadamard(r, s)));
      before = s;
      const takes = wrong === 'z and 1 - z exchanged' ? z.map((one) => 1 - one) : z;
      s = s.map((old, n) => (1 - takes[n]!) * old + takes[n]! * candidate[n]!);
      const step = { weights, context, states: s };
      if (!p['Wo']) return step;
      const read = options['readout'] === 'current' || wrong === 's_t is read' ? s : before;
      const deep = plus(times(read, p['Uo']!), times(y, p['Vo']!), times(context, p['Co']!), bias('bt', p['Uo']![0]!.length));
      const l = deep.length / 2;
      const maxout = zeros(l).map((_, j) =>
        wrong === 'maxout of the two halves' ? Math.max(deep[j]!, deep[j + l]!) : Math.max(deep[2 * j]!, deep[2 * j + 1]!),
      );
      return { ...step, probability: softmax(plus(times(maxout, p['Wo']), bias('bo', p['Wo'][0]!.length))) };
    });
    const rows = Object.fromEntries(
      Object.keys(steps[0]!).map((name) => [name, steps.map((step) => (step as Record<string, Row>)[name])]),
    );
    return { ...rows, state: { s: wrong === 'state is s_{T-1}' ? before : s } };
  };
