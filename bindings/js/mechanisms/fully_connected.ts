/** A fully connected net over a window of tokens: what labels a sequence without attention. */
import { fail } from '../errors/errors.ts';
import type { Fovea } from '../fovea/fovea.ts';
import { argmax, concat, gather } from '../ops/index.ts';
import type { IntegerArray } from '../ops/index.ts';
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import type { Tensor } from '../tensor/tensor.ts';
import type { TraceStage } from '../trace/stages.ts';
import { activate, affine } from './system/layers.ts';
import type { Lengths, LengthsOption } from './system/lengths.ts';
import { integerOption } from './system/option_values.ts';
import type { ParamInput } from './system/params.ts';
import { zeros } from './system/steps.ts';
import { Integers, runSystem, type Declaration, type System } from './system/system.ts';

const DECLARATION = {
  fn: 'fullyConnected',
  inputs: { x: 'T D' },
  params: { W1: 'N A', b1: 'A', 'W2?': 'A C', 'b2?': 'C' },
  together: [['W2', 'b2']],
  options: ['context', 'activation', 'border', 'lengths'],
} as const satisfies Declaration;

export interface FullyConnectedInputs<A extends ArrayInput = ArrayInput> {
  /** [T, D] or [B, T, D]. */
  readonly x: A;
}

export interface FullyConnectedOptions {
  /** c: tokens on each side of a token that its window has; default 0. */
  readonly context?: number | undefined;
  /** Default 'relu'. */
  readonly activation?: 'relu' | 'tanh' | 'none' | undefined;
  /** Outside of the sequence there are zeros (default), or its first and its last token again. */
  readonly border?: 'zero' | 'repeat' | undefined;
  /** Tokens of each sequence; default all. */
  readonly lengths?: LengthsOption;
  /** Whether to return every named intermediate. */
  readonly trace?: boolean | undefined;
}

/** Without the axis B where the inputs have none. */
export interface FullyConnectedResult<A> {
  /** [B, T, (2c + 1)·D]: the earliest token first. */
  windows: A;
  /** [B, T, A]. */
  hidden: A;
  /** [B, T, C]: with W2, else hidden. */
  output: A;
  /** [B, T]: where output is largest, the first of several; -1 in the padding. */
  label: IntegerArray;
  trace?: TraceStage[];
}

/**
 * A fully connected net for each token, over a window of the tokens around it.
 *
 *     window_t = [x_{t-c}; …; x_t; …; x_{t+c}],   hidden = act(window W1 + b1),   output = hidden W2 + b2,   label = argmax output
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param inputs `x`.
 * @param params W1 [(2c + 1)·D, A], b1 [A]; optional together W2 [A, C], b2 [C].
 * @param options `context`, `activation`, `border`, `lengths`, `trace`.
 * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
 *
 * Equal windows give equal bits. Source: the baseline that self-attention is compared with (no paper).
 * @example
 * import { fullyConnected } from 'fovea/mechanisms';
 * const params = { W1: [[1], [10], [100]], b1: [0] };
 * toNested(fullyConnected(fovea, { x: [[1], [2], [3]] }, params, { context: 1 }).output); // [[210], [321], [32]]
 */
export function fullyConnected<A extends ArrayInput>(
  fovea: Fovea,
  inputs: FullyConnectedInputs<A>,
  params: ParamInput,
  options?: FullyConnectedOptions,
): FullyConnectedResult<ResultArray<A>> {
  return runSystem(DECLARATION, fovea, inputs, params, options, (system) => {
    const [batch, T, D] = [system.batch, system.size('T'), system.size('D')];
    const lengths = system.lengths('lengths', T);
    const context = integerOption(system, 'context', 0, 2 ** 20, 0);
    const activation = system.choice('activation', ['relu', 'tanh', 'none']);
    const border = system.choice('border', ['zero', 'repeat']);
    const { W1, b1, W2, b2 } = system.params;
    const width = (2 * context + 1) * D;
    if (system.size('N') !== width)
      fail('shape', system.fn, `W1 must be [(2c + 1)·D, A] = [${width}, ${system.size('A')}], got [${W1!.shape.join(', ')}]`);

    const windows = windowsOf(system, context, border, lengths);
    system.record('windows', '[x_{t-c}; \\dots; x_{t+c}]', ['token', 'feature'], windows);
    const hidden = lengths.masked(activate(fovea, activation, affine(fovea, windows, W1!, b1)));
    system.record('hidden', '\\operatorname{act}(w_t W_1 + b_1)', ['token', 'feature'], hidden);
    const output = W2 === undefined ? hidden.clone() : lengths.masked(affine(fovea, hidden, W2, b2));
    system.record('output', W2 === undefined ? 'h_t' : 'h_t W_2 + b_2', ['token', 'class'], output);
    const label = argmax(fovea, output).data;
    label.forEach((_, n) => n % T >= lengths.list[Math.floor(n / T)]! && (label[n] = -1));
    return { windows, hidden, output, label: new Integers(label, [batch, T]) };
  }) as unknown as FullyConnectedResult<ResultArray<A>>;
}

/** [B, T, (2c + 1)·D]: gathered from the rows of all sequences and, behind them, a row of zeros. */
function windowsOf(system: System, context: number, border: 'zero' | 'repeat', { list, size }: Lengths): Tensor {
  const { fovea, batch } = system;
  const x = system.input('x');
  const D = x.shape[2]!;
  const rows = concat(fovea, [x.reshape([batch * size, D]), zeros(fovea, [1, D])], { axis: 0 });
  const span = 2 * context + 1;
  const ids = Int32Array.from({ length: batch * size * span }, (_, n) => {
    const row = Math.floor(n / span);
    const [b, t] = [Math.floor(row / size), row % size];
    const length = list[b]!;
    const wanted = t + (n % span) - context;
    const at = border === 'repeat' ? Math.min(Math.max(wanted, 0), length - 1) : wanted;
    return t < length && at >= 0 && at < length ? b * size + at : batch * size;
  });
  return gather(fovea, rows, ids).reshape([batch, size, span * D]);
}
