/** The parameter block of multi-dimensional attention, as bindings/wasm/score_blocks.hpp declares it; see ../abi.ts. */
export const MULTI_DIMENSIONAL_FIELDS = ['attention', 'score', 'bound', 'w', 'wRow', 'wColumn', 'bias'] as const;

export const BLOCKS = [MULTI_DIMENSIONAL_FIELDS];

/** In the order of enum FeatureScore (src/attention/multi_dimensional.hpp). */
export const FEATURE_SCORES = ['bounded', 'tanh', 'elu'] as const;
