/** `fovea.combine`: attention over all keys, from attention over disjoint sets of them. */
import { COMBINE_BLOCK } from '../../../build/generated/blocks/combine.ts';
import { PART_BLOCK } from '../../../build/generated/blocks/part.ts';
import { plan, type Call } from '../call/call.ts';
import { describe, fail } from '../errors/errors.ts';
import type { Ptr } from '../call/ptr.ts';
import type { Instance } from '../runtime/instance.ts';
import { axesOf, readHeads, readLayout, withoutMissing, type HeadsShape } from './options/layout.ts';
import { checkShape, readOperand, type Operand } from '../tensor/operands.ts';
import { translate } from '../errors/foreign_names.ts';
import { readProperty } from '../errors/objects.ts';
import { isList, isPlainObject, readEntries, readOptions } from '../errors/options.ts';
import { Outputs, readTargets } from '../call/outputs.ts';
import { readSinks } from './options/normalizers.ts';
import { rowMajor, sizeOf } from '../tensor/shapes.ts';
import type { Tensor } from '../tensor/tensor.ts';
import type { CombineOptions, CombineResult } from './types/combine.ts';
import type { NDArray } from '../tensor/array_types.ts';

const OPTIONS = ['sinks', 'out', 'layout', 'heads'] as const satisfies readonly (keyof CombineOptions)[];

interface Part {
  readonly output: Operand;
  readonly lse: Operand;
}

export function combine(instance: Instance, parts: unknown, options?: CombineOptions): Call<CombineResult<NDArray | Tensor>> {
  const fn = 'combine';
  instance.engine.check(fn);
  const known = readOptions(fn, options, OPTIONS, translate);
  const choice = readLayout(fn, known);
  if (!isList(parts) || parts.length === 0)
    fail('value', fn, `parts must be an array of at least one { output, lse }, got ${describe(parts)}`);
  const operands = readEntries(fn, 'parts', parts, (part, n) => readPart(instance, fn, `parts[${n}]`, part));
  const { output: first } = operands[0]!;
  const result = readHeads(fn, { ...first, strides: rowMajor(first.shape) }, choice, choice.heads);
  const axes = axesOf(first, choice);
  const rows = withoutMissing(axes, result, [result.tokens]);
  for (const { output, lse } of operands) {
    checkShape(fn, output, first.shape, 'shaped as parts[0].output');
    checkShape(fn, lse, rows, '[B, H, Tq] less the axes that output lacks');
  }
  const sinks =
    known.sinks === undefined ? null : readSinks({ instance, fn, tables: [] }, known.sinks, result.heads, sizeOf(rows) > 0);
  const targets = readTargets(fn, known.out, ['output', 'lse']);

  return plan(instance, fn, (arena) => {
    const inputs = (): Operand[] => operands.flatMap((part) => [part.output, part.lse]);
    const outputs = new Outputs(arena, targets, first.kind === 'Tensor', inputs);
    const output = outputs.reserve('output', first.shape);
    const lse = outputs.reserve('lse', rows);
    const sink = arena.place(sinks);
    const places = operands.map((part) => [arena.place(part.output), arena.place(part.lse)] as const);
    const table = arena.reserve(PART_BLOCK.bytes * operands.length);
    const run = (): void => {
      operands.forEach((part, n) => {
        const { strides } = part.lse;
        arena.heap.write(PART_BLOCK, table.address + n * PART_BLOCK.bytes, {
          ...placeOf(places[n]![0], readHeads(fn, part.output, choice, choice.heads)),
          lse: places[n]![1].address,
          lseBatch: axes.batch ? strides[0]! : 0,
          lseHead: axes.heads ? strides[strides.length - 2]! : 0,
          lseToken: 1,
        });
      });
      arena.run('combine', COMBINE_BLOCK, {
        ...placeOf(output.ptr, result),
        batch: result.batch,
        heads: result.heads,
        queries: result.tokens,
        valueWidth: result.width,
        parts: table.address,
        count: operands.length,
        lse: lse.ptr.address,
        sinks: sink.address,
      });
    };
    arena.steps.push({ operation: null, run });
    return () => ({ output: output.finish(), lse: lse.finish() });
  });
}

function placeOf(ptr: Ptr, view: HeadsShape) {
  return {
    output: ptr.address,
    outputBatch: view.batchStride,
    outputHead: view.headStride,
    outputToken: view.tokenStride,
  };
}

/** The arrays of one part, whatever else it holds: the results of attention come as they are. */
function readPart(instance: Instance, fn: string, name: string, part: unknown): Part {
  const lse = isPlainObject(part) ? readProperty(part, 'lse') : undefined;
  if (lse === undefined)
    fail('value', fn, `${name} must be { output, lse }, as attention gives with returnLse: true, got ${describe(part)}`);
  return {
    output: readOperand(instance, fn, `${name}.output`, readProperty(part as object, 'output')),
    lse: readOperand(instance, fn, `${name}.lse`, lse),
  };
}
