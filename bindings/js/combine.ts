/** `fovea.combine`: attention over all keys, from attention over disjoint sets of them. */
import { COMBINE_FIELDS, PART_FIELDS } from './abi.ts';
import { writeBlock } from './blocks.ts';
import { plan, type Call } from './call.ts';
import { describe, fail } from './errors.ts';
import type { Instance } from './instance.ts';
import { axesOf, outputLayout, readHeads, readLayout, withoutMissing } from './layout.ts';
import { checkShape, readOperand, type Operand } from './operands.ts';
import { isPlainObject, readOptions } from './options.ts';
import { Outputs, readTargets } from './outputs.ts';
import { readSinks } from './rules.ts';
import { formatShape, sameShape } from './shapes.ts';
import type { Tensor } from './tensor.ts';
import type { CombineOptions, CombineResult, NDArray } from './types.ts';

const OPTIONS = ['sinks', 'out', 'layout', 'heads'] as const satisfies readonly (keyof CombineOptions)[];
const NAMES = ['output', 'lse'] as const;
const PART_BYTES = 4 * PART_FIELDS.length;

type Part = Readonly<Record<(typeof NAMES)[number], Operand>>;

export function combine(instance: Instance, parts: unknown, options?: CombineOptions): Call<CombineResult<NDArray | Tensor>> {
  const fn = 'combine';
  instance.engine.check(fn);
  const known = readOptions(fn, options, OPTIONS);
  const choice = readLayout(fn, known);
  if (!Array.isArray(parts) || parts.length === 0) {
    fail('value', fn, `parts must be an array of at least one { output, lse }, got ${describe(parts)}`);
  }
  const operands = Array.from(parts, (part: unknown, n) => readPart(instance, fn, `parts[${n}]`, part));
  const first = operands[0]!.output;
  const views = operands.map(({ output }) => readHeads(fn, output, choice, choice.heads));
  const { batch, heads, tokens: queries, width: valueWidth } = views[0]!;
  const axes = axesOf(first, choice);
  const rows = withoutMissing(axes, { batch, heads }, [queries]);
  for (const { output, lse } of operands) {
    if (!sameShape(output.shape, first.shape)) {
      const got = `${first.name} ${formatShape(first.shape)}, ${output.name} ${formatShape(output.shape)}`;
      fail('shape', fn, `outputs must have one shape, got ${got}`);
    }
    checkShape(fn, lse, rows, '[B, H, Tq] less the axes that output lacks');
  }
  const sinks = known.sinks === undefined ? null : readSinks(fn, known.sinks, heads);
  const targets = readTargets(fn, known.out, NAMES);

  return plan(instance, fn, (frame) => {
    const inputs = operands.flatMap((part) => [part.output, part.lse]);
    const outputs = new Outputs(frame, targets, first.kind === 'Tensor', inputs);
    const { shape, ...strides } = outputLayout(axes, choice, { batch, heads, queries, valueWidth });
    const output = outputs.reserve('output', shape);
    const lse = outputs.reserve('lse', rows);
    const places = inputs.map((operand) => frame.place(operand));
    const sink = frame.placeFloats(sinks);
    const table = frame.reserve(PART_BYTES * operands.length);
    const run = (): void => {
      operands.forEach((part, n) => {
        const [token, head] = [part.lse.strides.length - 1, part.lse.strides.length - 2];
        writeBlock(frame.heap, table.address + n * PART_BYTES, PART_FIELDS, {
          output: places[2 * n]!.address,
          outputBatch: views[n]!.batchStride,
          outputHead: views[n]!.headStride,
          outputToken: views[n]!.tokenStride,
          lse: places[2 * n + 1]!.address,
          lseBatch: axes.batch ? part.lse.strides[0]! : 0,
          lseHead: axes.heads ? part.lse.strides[head]! : 0,
          lseToken: part.lse.strides[token]!,
        });
      });
      frame.run('combine', COMBINE_FIELDS, {
        batch,
        heads,
        queries,
        valueWidth,
        parts: table.address,
        count: operands.length,
        output: output.span.address,
        outputBatch: strides.batchStride,
        outputHead: strides.headStride,
        outputToken: strides.tokenStride,
        lse: lse.span.address,
        sinks: sink.address,
      });
    };
    frame.steps.push({ operation: null, run });
    return () => ({ output: output.finish(), lse: lse.finish() });
  });
}

/** The arrays of one part, whatever else it holds: the results of attention come as they are. */
function readPart(instance: Instance, fn: string, name: string, part: unknown): Part {
  const [output, lse] = NAMES.map((member) => {
    if (!isPlainObject(part) || part[member] === undefined) {
      const got = `${describe(part)}${isPlainObject(part) ? ` without ${member}` : ''}`;
      fail('value', fn, `${name} must be { output, lse }, as attention gives them with returnLse: true, got ${got}`);
    }
    return readOperand(instance, fn, `${name}.${member}`, part[member]);
  });
  return { output: output!, lse: lse! };
}
