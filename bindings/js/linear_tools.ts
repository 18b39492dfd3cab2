/** What fovea/linear and fovea/ops work with beside what fovea/pattern has: how arguments are read and results handed over. */
import { abiHash, MATMUL_FIELDS } from './abi.ts';
import { attention } from './attention.ts';
import { axesOf, matchSizes, outputLayout, readLayout } from './layout.ts';
import { checkShape } from './operands.ts';
import { Outputs, readTargets } from './outputs.ts';
import { readKeyLengths } from './rules.ts';
import { gather } from './strided.ts';
import { isTensor } from './tensor.ts';

export const linearTools = {
  abiHash,
  MATMUL_FIELDS,
  attention,
  axesOf,
  matchSizes,
  outputLayout,
  readLayout,
  checkShape,
  Outputs,
  readTargets,
  readKeyLengths,
  gather,
  isTensor,
};
