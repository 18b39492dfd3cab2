/** A column of bars: all on one scale. */
export interface BarColumn {
  readonly id: string;
  readonly title: string;
  readonly values: readonly number[];
  /** The ends of the scale. */
  readonly from: number;
  readonly to: number;
  /** A color of the page: 'var(--key)'. */
  readonly ink: string;
  readonly print: (x: number) => string;
}
