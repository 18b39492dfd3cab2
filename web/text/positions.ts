/** Sinusoidal positions (Vaswani et al. 2017 §3.5): axis 2k is sin(t·ω[k]), axis 2k+1 is cos(t·ω[k]), ω[k] = 10000^(−2k/d). */

export const POSITION_WIDTH = 16;

export const frequencies = Array.from({ length: POSITION_WIDTH / 2 }, (_, k) => 10000 ** ((-2 * k) / POSITION_WIDTH));

/** The position vector of place t, counted from 0. */
export function positionVector(t: number): number[] {
  return frequencies.flatMap((w) => [Math.sin(t * w), Math.cos(t * w)]);
}

/** How many places one turn of axis pair k takes, as it is written on the axis: "t/3.16". */
export function positionLabel(axis: number): string {
  const period = 1 / (frequencies[axis >> 1] ?? 1);
  const slow =
    period < 1.5 ? 't' : `t/${period < 10 ? period.toFixed(2) : period < 99 ? period.toFixed(1) : period.toFixed(0)}`;
  return `${axis % 2 === 0 ? 'sin' : 'cos'} ${slow.replace(/\.0$/, '')}`;
}

/**
 * The matrix R with pos(t)·R = pos(t + steps), [16, 16]: each pair turns by its own angle, the same at every place.
 * That is why a fixed matrix can ask for "the word before".
 */
export function rotation(steps: number): number[][] {
  const matrix = Array.from({ length: POSITION_WIDTH }, () => new Array<number>(POSITION_WIDTH).fill(0));
  frequencies.forEach((w, k) => {
    const [s, c] = [Math.sin(steps * w), Math.cos(steps * w)];
    matrix[2 * k]![2 * k] = c;
    matrix[2 * k + 1]![2 * k] = s;
    matrix[2 * k]![2 * k + 1] = -s;
    matrix[2 * k + 1]![2 * k + 1] = c;
  });
  return matrix;
}
