/** The rules of all operations. */
import type { Block } from '../../../build/generated/abi.ts';
import { ACTIVATION_BACKWARD_BLOCK } from '../../../build/generated/blocks/activation_backward.ts';
import { ARITHMETIC_BACKWARD_BLOCK } from '../../../build/generated/blocks/arithmetic_backward.ts';
import { ATTENTION_BACKWARD_BLOCK } from '../../../build/generated/blocks/attention_backward.ts';
import { BLEND_BACKWARD_BLOCK } from '../../../build/generated/blocks/blend_backward.ts';
import { CONV1D_BACKWARD_BLOCK } from '../../../build/generated/blocks/conv1d_backward.ts';
import { COPY_BACKWARD_BLOCK } from '../../../build/generated/blocks/copy_backward.ts';
import { CROSS_ENTROPY_BACKWARD_BLOCK } from '../../../build/generated/blocks/cross_entropy_backward.ts';
import { CUMULATIVE_SUM_BACKWARD_BLOCK } from '../../../build/generated/blocks/cumulative_sum_backward.ts';
import { ELEMENTARY_BACKWARD_BLOCK } from '../../../build/generated/blocks/elementary_backward.ts';
import { GATE_BACKWARD_BLOCK } from '../../../build/generated/blocks/gate_backward.ts';
import { LINEAR_BACKWARD_BLOCK } from '../../../build/generated/blocks/linear_backward.ts';
import { LINEAR_LAYER_BACKWARD_BLOCK } from '../../../build/generated/blocks/linear_layer_backward.ts';
import { LISTED_ROWS_BACKWARD_BLOCK } from '../../../build/generated/blocks/listed_rows_backward.ts';
import { MATMUL_BACKWARD_BLOCK } from '../../../build/generated/blocks/matmul_backward.ts';
import { MEAN_SQUARED_ERROR_BACKWARD_BLOCK } from '../../../build/generated/blocks/mean_squared_error_backward.ts';
import { POOLING_BACKWARD_BLOCK } from '../../../build/generated/blocks/pooling_backward.ts';
import { RECURRENT_BACKWARD_BLOCK } from '../../../build/generated/blocks/recurrent_backward.ts';
import { RECURRENT_DIRECTION_BACKWARD_BLOCK } from '../../../build/generated/blocks/recurrent_direction_backward.ts';
import { ROTARY_BACKWARD_BLOCK } from '../../../build/generated/blocks/rotary_backward.ts';
import { ROW_NORM_BACKWARD_BLOCK } from '../../../build/generated/blocks/row_norm_backward.ts';
import { SOFTMAX_BACKWARD_BLOCK } from '../../../build/generated/blocks/softmax_backward.ts';
import { TABLE_ROWS_BACKWARD_BLOCK } from '../../../build/generated/blocks/table_rows_backward.ts';
import { UNIT_ROWS_BACKWARD_BLOCK } from '../../../build/generated/blocks/unit_rows_backward.ts';
import { UNPACK_WEIGHTS_BACKWARD_BLOCK } from '../../../build/generated/blocks/unpack_weights_backward.ts';
import { NORMALIZER_KIND, type NormalizerKind } from '../../../build/generated/enums/normalizer_kind.ts';
import { UPDATE_RULE } from '../../../build/generated/enums/update_rule.ts';
import { WEIGHT_FORMAT } from '../../../build/generated/enums/weight_format.ts';
import type { AnyOperation } from '../runtime/engine.ts';
import type { TrainOperation } from '../runtime/core_module.ts';
import type { Nested, Rule } from './rule.ts';

const PANELS = WEIGHT_FORMAT.indexOf('panels');

/** The bytes of rows × columns, 0 where they do not lie one behind the other in either order. */
function areContiguous(rows: number, columns: number, row: number, column: number): number {
  return (row === columns && column === 1) || (row === 1 && column === rows) ? 4 * rows * columns : 0;
}

/** A product by a matrix that may be packed. */
function product(operation: TrainOperation, block: Block<never>): Rule {
  return {
    inputs: ['a', 'b', 'bias'],
    outputs: ['c'],
    backward: {
      operation,
      block,
      more: ({ bFormat, b, inner, columns }, gradients) => ({
        bPlain: bFormat === PANELS ? gradients.plainOf(b!, inner!, columns!) : 0,
      }),
      writes: ({ rows, inner, columns, aRow, aColumn = 1, bFormat, bRow, bColumn }) => [
        areContiguous(rows!, inner!, aRow!, aColumn),
        bFormat === PANELS ? 4 * inner! * columns! : areContiguous(inner!, columns!, bRow!, bColumn!),
      ],
    },
    refuse: ({ bFormat }) => (bFormat! > PANELS ? 'weights in int8 have no gradient, nor what they are multiplied by' : null),
  };
}

const rule = (inputs: string, outputs: string, operation: TrainOperation, block: Block<never>): Rule => ({
  inputs: inputs.split(' '),
  outputs: outputs.split(' '),
  backward: { operation, block },
});

const none = (...inputs: string[]): Rule => ({ inputs, outputs: [], backward: null });

/** Rows of a packed matrix. */
const rows: Rule = {
  inputs: ['panels'],
  outputs: ['out'],
  backward: {
    operation: 'unpackWeightsBackward',
    block: UNPACK_WEIGHTS_BACKWARD_BLOCK,
    more: ({ panels }, gradients) => ({ dB: gradients.at(panels!) }),
  },
  refuse: ({ format }) => (format! > PANELS ? 'weights in int8 have no gradient' : null),
};

/** Normalizers whose weights have no gradient, and those whose weights have none with a pattern. */
const CHOSEN: readonly NormalizerKind[] = ['argmax', 'sampled'];
const OF_WHOLE_ROWS: readonly NormalizerKind[] = ['topK', 'sparsemax', 'entmax15'];

const attention: Rule = {
  inputs: ['q', 'k', 'v', 'floatMask', 'keyFloatMask', 'sinks'],
  constants: ['alibiSlopes'],
  nested: {
    variant: {
      inputs: [
        ...['pairBias', 'relativeBias', 'bucketTable', 'relativeKeys', 'relativeValues', 'weightScale'],
        ...['scoreWeights', 'edgeBiases'],
      ],
      outputs: [],
      constants: ['gaussianCenter', 'gaussianSigma', 'weightCenter', 'weightSigma'],
      backward: null,
    },
  },
  outputs: ['output', 'weights', 'sparseValues', 'lse'],
  backward: { operation: 'attentionBackward', block: ATTENTION_BACKWARD_BLOCK },
  refuse(fields, memory) {
    const variant = memory.block(fields.variant!) ?? {};
    const normalizer = NORMALIZER_KIND[variant.normalizer ?? 0]!;
    if (CHOSEN.includes(normalizer)) return `the normalizer ${normalizer} has no gradient`;
    if (fields.plans !== 0 && OF_WHOLE_ROWS.includes(normalizer))
      return `the normalizer ${normalizer} has no gradient with a pattern`;
    if (fields.kvFloat16 !== 0 || fields.kvEvictedRows !== 0 || fields.kvWindow !== 0) return 'caches have no gradient';
    return null;
  },
  // The weights are computed again of the scores and of lse.
  prepare: (fields, memory, fn) =>
    fields.lse !== 0 || (memory.block(fields.variant!)?.normalizer ?? 0) !== 0
      ? fields
      : { ...fields, lse: memory.allocateArray(fn, 4 * fields.batch! * fields.heads! * fields.queries!) },
};

const linearAttention: Rule = {
  inputs: ['q', 'k', 'v'],
  outputs: ['output'],
  constants: ['projection', 'decay', 'beta'],
  backward: { operation: 'linearAttentionBackward', block: LINEAR_BACKWARD_BLOCK },
  refuse: ({ rule }) => (rule === 0 ? null : `the rule ${UPDATE_RULE[rule!]} has no gradient`),
};

const direction: Nested = {
  inputs: ['weightIh', 'weightHh', 'biasIh', 'biasHh', 'weightHr', 'initialHidden', 'initialCell'],
  outputs: ['lastHidden', 'lastCell'],
  backward: RECURRENT_DIRECTION_BACKWARD_BLOCK,
};

/** Operations that read no floats which may be variables, or give none. */
const constant: Rule = { inputs: [], outputs: [], backward: null };

/** Operations of a step that are recorded; those of fovea/train that end in Backward, and its optimizers, are not. */
type Recorded = Exclude<AnyOperation, `${string}Backward` | 'squaredNorm' | 'scale' | 'sgd' | 'adam'>;

export const RULES: Readonly<Record<Recorded, Rule>> = {
  matmul: product('matmulBackward', MATMUL_BACKWARD_BLOCK),
  linearLayer: product('linearLayerBackward', LINEAR_LAYER_BACKWARD_BLOCK),
  unpackWeights: rows,
  tableRows: rule('table', 'y', 'tableRowsBackward', TABLE_ROWS_BACKWARD_BLOCK),
  takeRows: rule('x', 'y', 'takeRowsBackward', LISTED_ROWS_BACKWARD_BLOCK),
  addRows: rule('x', 'y', 'addRowsBackward', LISTED_ROWS_BACKWARD_BLOCK),
  copyStrided: rule('x', 'y', 'copyStridedBackward', COPY_BACKWARD_BLOCK),
  arithmetic: rule('a b', 'y', 'arithmeticBackward', ARITHMETIC_BACKWARD_BLOCK),
  blend: rule('a b gate', 'y', 'blendBackward', BLEND_BACKWARD_BLOCK),
  activation: {
    inputs: ['x'],
    outputs: ['y'],
    backward: {
      ...{ operation: 'activationBackward', block: ACTIVATION_BACKWARD_BLOCK },
      writes: ({ rows, columns, xRow }) => [areContiguous(rows!, columns!, xRow!, 1)],
    },
  },
  gate: rule('x', 'y', 'gateBackward', GATE_BACKWARD_BLOCK),
  elementary: rule('x', 'y', 'elementaryBackward', ELEMENTARY_BACKWARD_BLOCK),
  cumulativeSum: rule('x', 'y', 'cumulativeSumBackward', CUMULATIVE_SUM_BACKWARD_BLOCK),
  softmax: rule('x', 'y', 'softmaxBackward', SOFTMAX_BACKWARD_BLOCK),
  rowNorm: rule('x residual weight bias', 'y', 'rowNormBackward', ROW_NORM_BACKWARD_BLOCK),
  pooling: rule('x', 'y', 'poolingBackward', POOLING_BACKWARD_BLOCK),
  conv1d: rule('x weight bias', 'y', 'conv1dBackward', CONV1D_BACKWARD_BLOCK),
  attention,
  linearAttention,
  unitRows: rule('x', 'y', 'unitRowsBackward', UNIT_ROWS_BACKWARD_BLOCK),
  recurrent: {
    inputs: ['x'],
    outputs: ['output'],
    nested: { forward: direction, backward: direction },
    backward: { operation: 'recurrentBackward', block: RECURRENT_BACKWARD_BLOCK },
  },
  rotary: { ...rule('x', 'output', 'rotaryBackward', ROTARY_BACKWARD_BLOCK), constants: ['cos', 'sin'] },
  crossEntropy: {
    ...rule('x', 'loss', 'crossEntropyBackward', CROSS_ENTROPY_BACKWARD_BLOCK),
    constants: ['weights'],
  },
  meanSquaredError: rule('x target', 'loss', 'meanSquaredErrorBackward', MEAN_SQUARED_ERROR_BACKWARD_BLOCK),

  attentionLogits: none('q', 'k'),
  multiDimensionalAttention: none('w', 'bias'),
  featureRows: none('x', 'projection'),
  appendRows: none('from'),
  packWeights: none('b'),
  selectionSamples: none('probability'),
  argmax: constant,
  lshBuckets: constant,
  combine: constant,
  compilePattern: constant,
  patternPairs: constant,
  favorProjection: constant,
  parameterNormals: constant,
  sinusoidal: constant,
  list: constant,
};

/** The rule of an operation that a tape holds. */
export function ruleOf(operation: AnyOperation): Rule {
  return RULES[operation as Recorded];
}
