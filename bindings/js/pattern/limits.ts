/** Positions, lengths and sizes stay below this, far enough from 2^31 for the core's 32-bit sums. */
export const MAX_DIM = 2 ** 29;
