/** The option that functions along one axis share. */
export interface AxisOptions {
  /** The axis to work along: 0 … rank - 1, or -rank … -1 from the end. Default -1, the last. */
  readonly axis?: number | undefined;
}
