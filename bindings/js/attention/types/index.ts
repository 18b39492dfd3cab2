/** The public types of attention. */
export type * from './call.ts';
export type * from './combine.ts';
export type * from './entries.ts';
export type * from './normalizer.ts';
export type * from './options.ts';
export type * from './projected.ts';
export type * from './results.ts';
export type * from './weight_scale.ts';
