/** Recurrent layers, as the entry fovea/ops has them. */
export { gru } from './gru.ts';
export { lstm } from './lstm.ts';
export { rnn } from './rnn.ts';
export type * from './types.ts';
