/** The features of patches and frames as queries and keys: each centered and L2-normalized, or the raw numbers. */
export const FEATURES = ['centered', 'raw'] as const;
export type Features = (typeof FEATURES)[number];

/** Position's share of the scores of patches is counted in tenths; the rest is color's. */
export const TENTHS = 10;

/** Factors of the scores before the softmax. */
export const SCALES: readonly number[] = [1, 2, 5, 10, 20, 50, 100];
