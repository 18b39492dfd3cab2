/** The entry `fovea/catalog`: every mechanism with what is known of it, and defaults that show what it was invented for. */
export { AttentionError, type ErrorCode } from '../errors/errors.ts';
export { random } from './list/random.ts';
export { list, run, type CatalogResult } from './list/run.ts';
export type {
  Arguments,
  CatalogEntry,
  Claim,
  Complexity,
  Defaults,
  Family,
  HasFeature,
  Localized,
  Notation,
  Paper,
  ParameterRange,
  Provenance,
  SampleOf,
  Slot,
} from './entry/entry.ts';
