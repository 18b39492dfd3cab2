/** The entry `fovea/pattern`: sparse attention's patterns. */
export { AttentionError, type ErrorCode } from '../errors.ts';
export type { PairFunction } from './bits.ts';
export { pattern, type PatternBuilders, type Positions } from './builders.ts';
export type { PatternMask, PatternPairs, PatternSizes } from './evaluate.ts';
export type { EdgesOptions, GraphOptions, ListsOptions } from './graph.ts';
export type { AxialOptions, NeighboursOptions } from './grids.ts';
export { type LshOptions, LshPattern } from './lsh.ts';
export type { BigBirdOptions, LongformerOptions } from './named.ts';
export type { PatternJSON } from './nodes.ts';
export { Pattern } from './pattern.ts';
export type { RandomOptions } from './random.ts';
