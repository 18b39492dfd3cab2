/** The features of patches and frames as queries and keys: each centered and L2-normalized, or the raw numbers. */
export const FEATURES = ['centered', 'raw'] as const;
export type Features = (typeof FEATURES)[number];

/** Factors of the scores before the softmax. */
export const SCALES: readonly number[] = [1, 2, 5, 10, 20, 50, 100];
