/** The public types of `fovea/models`. */
export type * from './decoder.ts';
export type * from './encoder.ts';
export type * from './loading.ts';
