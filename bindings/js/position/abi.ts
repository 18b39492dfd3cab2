/** The parameter blocks of positions, as bindings/wasm/position_blocks.hpp declares them; see ../abi.ts. */

// prettier-ignore
export const SINUSOIDAL_FIELDS = [
  'form', 'tokens', 'width', 'start', 'parameters', 'y',
] as const;

// prettier-ignore
export const TABLE_ROWS_FIELDS = [
  'table', 'rows', 'width', 'positions', 'start', 'tokens', 'y',
] as const;

// prettier-ignore
export const ROTARY_FIELDS = [
  'interleaved', 'batch', 'heads', 'tokens', 'width', 'rotary', 'x', 'xBatch', 'xHead', 'xToken', 'output', 'outputBatch',
  'outputHead', 'outputToken', 'positions', 'positionsBatch', 'start', 'parameters', 'cos', 'sin', 'tableRows',
] as const;

export const POSITION_BLOCKS = [SINUSOIDAL_FIELDS, TABLE_ROWS_FIELDS, ROTARY_FIELDS];

/** What the module exports for them; see CoreModule. */
export interface PositionCore {
  sinusoidal(block: number): number;
  tableRows(block: number): number;
  rotary(block: number): number;
  /** Of the blocks above. */
  positionAbiHash(): number;
}
