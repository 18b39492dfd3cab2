/** The parameter block of appending, as bindings/wasm/cache_blocks.hpp declares it; see ../abi.ts. */

// prettier-ignore
export const APPEND_FIELDS = [
  'batch', 'heads', 'tokens', 'width', 'from', 'fromBatch', 'fromHead', 'fromToken', 'rows', 'halves', 'capacity', 'at',
] as const;
