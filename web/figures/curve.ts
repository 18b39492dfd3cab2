/** One curve; `values` lie over the picture's xs, NaN where it has none. */
export interface CurveLine {
  readonly id: string;
  readonly name: string;
  readonly values: readonly number[];
  /** A color of the page: 'var(--ink)'. */
  readonly ink: string;
  readonly dashed?: boolean;
  /** One of many that are alike. */
  readonly faint?: boolean;
}

export interface CurvePoint {
  readonly label: string;
  readonly x: number;
  readonly y: number;
  readonly chosen?: boolean;
}
