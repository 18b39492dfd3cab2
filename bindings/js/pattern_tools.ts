/** What fovea/pattern works with to ask the core of an instance about patterns. */
import { LSH_FIELDS } from './abi.ts';
import { finish, plan } from './call.ts';
import type { Instance } from './instance.ts';
import { readHeads } from './layout.ts';
import { readOperand } from './operands.ts';
import { copyOut } from './outputs.ts';
import { findPairs } from './pattern_pairs.ts';

export function patternTools(instance: Instance) {
  return { instance, plan, finish, findPairs, copyOut, readOperand, readHeads, fields: LSH_FIELDS };
}

export type PatternTools = ReturnType<typeof patternTools>;
