/** What the entries beside the first work with beside what fovea/pattern has: how arguments are read and results handed over. */
import { abiHash, ATTENTION_FIELDS, MATMUL_FIELDS } from './abi.ts';
import { attention } from './attention.ts';
import { planDense } from './dense.ts';
import { axesOf, matchSizes, outputLayout, readLayout } from './layout.ts';
import { checkShape } from './operands.ts';
import { Outputs, readTargets } from './outputs.ts';
import { readKeyLengths, readRules } from './rules.ts';
import { gather } from './strided.ts';
import { isTensor } from './tensor.ts';

export const linearTools = {
  abiHash,
  ATTENTION_FIELDS,
  MATMUL_FIELDS,
  attention,
  axesOf,
  matchSizes,
  outputLayout,
  readLayout,
  checkShape,
  Outputs,
  readTargets,
  planDense,
  readKeyLengths,
  readRules,
  gather,
  isTensor,
};
