/** The parameter blocks of recurrent layers, as bindings/wasm/recurrent_blocks.hpp declares them; see ../abi.ts. */

// prettier-ignore
export const RECURRENT_FIELDS = [
  'kind', 'batch', 'tokens', 'width', 'hidden', 'state', 'x', 'xBatch', 'xToken', 'output', 'outputBatch', 'outputToken',
  'lengths', 'forward', 'backward',
] as const;

// prettier-ignore
export const DIRECTION_FIELDS = [
  'weightIh', 'weightHh', 'biasIh', 'biasHh', 'weightHr', 'initialHidden', 'initialCell', 'lastHidden', 'lastCell',
] as const;

export const RECURRENT_BLOCKS = [RECURRENT_FIELDS, DIRECTION_FIELDS];

/** What the module exports for them; see CoreModule. */
export interface RecurrentCore {
  recurrent(block: number): number;
  /** Of the blocks above. */
  recurrentAbiHash(): number;
}
