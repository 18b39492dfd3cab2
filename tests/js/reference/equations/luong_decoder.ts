/** Decoders of Luong, Pham, Manning 2015 in double: states given or of an LSTM of one layer, with input feeding or without; scores. */
import { dot, lstmStep, plus, softmax, tanh, times, zeros, type Matrix, type Row } from './rows.ts';

export interface Step {
  readonly attentional: Row;
  /** The vector that the next step reads besides its input. */
  readonly fed?: Row;
  readonly [name: string]: Row | number | undefined;
}

type Named = Record<string, unknown>;
type Weights = Record<'weight_ih_l0' | 'weight_hh_l0' | 'bias_ih_l0' | 'bias_hh_l0', never>;

/** Every step by `attend`, which sees the state, the step's number and the state before: rows by name, the states, the next state. */
export function decode(
  inputs: Named,
  params: Named,
  options: Named,
  attend: (h: Row, t: number, before: Row) => Step,
  keepsAttentional = true,
): Record<string, unknown> {
  const given = inputs['decoder'] as Matrix | undefined;
  const x = inputs['decoderInputs'] as Matrix | undefined;
  const initial = (options['initialState'] ?? {}) as { h?: Matrix; c?: Matrix; attentional?: Row };
  const lstm = params['decoder'] as Weights | undefined;
  const S = given?.[0]?.length ?? (lstm!.weight_hh_l0 as Matrix)[0]!.length;
  let [h, c] = [initial.h?.[0] ?? zeros(S), initial.c?.[0] ?? zeros(S)];
  let fed = initial.attentional ?? zeros((params['Wc'] as Matrix)[0]!.length);
  const steps = (given ?? x!).map((row, t) => {
    const before = h;
    if (given) h = row;
    else {
      const input = options['inputFeeding'] === true ? [...row, ...fed] : row;
      ({ h, c } = lstmStep(input, h, c, [lstm!.weight_ih_l0, lstm!.weight_hh_l0, lstm!.bias_ih_l0, lstm!.bias_hh_l0]));
    }
    const step = attend(h, t, before);
    fed = step.fed ?? step.attentional;
    return { ...step, states: h };
  });
  const names = Object.keys(steps[0]!).filter((name) => name !== 'fed');
  const rows = Object.fromEntries(names.map((name) => [name, steps.map((step) => (step as Named)[name])]));
  if (given) return rows;
  const attentional = options['inputFeeding'] === true && keepsAttentional ? { attentional: fed } : {};
  return { ...rows, state: { h: [h], c: [c], ...attentional } };
}

/** 'general' by default. `swaps`: [h̄; h] in place of [h; h̄]. */
export function luongScores(h: Row, source: Matrix, params: Named, score: unknown, swaps = false): Row {
  const { Wa, va } = params as { Wa: Matrix; va: Row };
  if (score === 'dot') return source.map((key) => dot(h, key));
  if (score === 'concat') return source.map((key) => dot(va, tanh(times(swaps ? [...key, ...h] : [...h, ...key], Wa))));
  return source.map((key) => dot(times(h, Wa), key));
}

/** tanh([...parts] Wc), and with Ws the probability. */
export function luongReadout(parts: Row[], params: Named): { attentional: Row; probability?: Row } {
  const { Wc, Ws } = params as { Wc: Matrix; Ws?: Matrix };
  const attentional = tanh(times(parts.flat(), Wc));
  return { attentional, ...(Ws && { probability: softmax(times(attentional, Ws)) }) };
}

/** -Σ ln p(target) / steps. */
export function meanLoss(probability: Matrix, targets: Row): number {
  return plus(...targets.map((target, t) => [-Math.log(probability[t]![target]!)]))[0]! / targets.length;
}
