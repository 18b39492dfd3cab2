/** `fovea.attention`: scaled dot-product attention, of all pairs or those of a pattern. */
import { stridedPtr, type StridedPtr } from '../call/strided_ptr.ts';
import { plan, type Call } from '../call/call.ts';
import { prepareAttention } from './request/attention_request.ts';
import { fail } from '../errors/errors.ts';
import type { CallArena } from '../call/call_arena.ts';
import type { Instance } from '../runtime/instance.ts';
import {
  axesOf,
  emptyTokens,
  matchSizes,
  outputLayout,
  readHeads,
  readLayout,
  withoutMissing,
  type HeadsShape,
  type LayoutChoice,
} from './options/layout.ts';
import { readOperand, type Operand } from '../tensor/operands.ts';
import { translate } from '../errors/foreign_names.ts';
import { readOptions } from '../errors/options.ts';
import { Outputs, readTargets } from '../call/outputs.ts';
import { internalsOf } from '../runtime/internals.ts';
import type { CacheSource } from './options/cache_source.ts';
import { isTraced, OUTPUT_OPTIONS, parseOutputOptions, planResults, resultOf, type AnyResult } from './request/results.ts';
import { SPEC_OPTIONS, readAttentionSpec, type AttentionSpec } from './options/attention_spec.ts';
import { readScore, type ReadScore } from './options/scores.ts';
import { isTensor } from '../tensor/tensor.ts';
import { AttentionTrace } from './trace/attention_trace.ts';
import { outputFormula } from './trace/trace_formulas.ts';
import type { AttentionOptions } from './types/options.ts';

const OPTIONS = [
  ...SPEC_OPTIONS,
  ...OUTPUT_OPTIONS,
  'out',
  'layout',
  'heads',
  'kvHeads',
] as const satisfies readonly (keyof AttentionOptions)[];

/** How a cache lays its keys out, whatever the layout of the queries. */
const CACHED: LayoutChoice = { layout: 'bhtd', heads: 1, kvHeads: 1 };

export function attention(
  instance: Instance,
  fn: string,
  query: unknown,
  key: unknown,
  value: unknown,
  rawOptions?: AttentionOptions,
): Call<AnyResult> {
  instance.engine.check(fn);
  const source = internalsOf<CacheSource>(fn, key, 'cache');
  const ownOptions = readOptions(
    fn,
    source === undefined ? rawOptions : source.options(fn, value, rawOptions),
    OPTIONS,
    translate,
  );
  const cached = source?.(instance, fn, ownOptions);
  const options = cached?.options ?? ownOptions;
  const choice = readLayout(fn, options);
  const givenQ = readOperand(instance, fn, 'q', query);
  const givenK = cached?.k ?? readOperand(instance, fn, 'k', key);
  const q = emptyTokens(givenQ, givenK, choice.heads, choice.kvHeads);
  const k = emptyTokens(givenK, givenQ, choice.kvHeads, choice.heads);
  const v = cached?.v ?? readOperand(instance, fn, 'v', value);
  const keyChoice = cached === undefined ? choice : CACHED;
  const qHeads = readHeads(fn, q, choice, choice.heads);
  const kHeads = readHeads(fn, k, keyChoice, keyChoice.kvHeads);
  const vHeads = readHeads(fn, v, keyChoice, keyChoice.kvHeads);
  const score = options.score === undefined ? null : readScore(instance, fn, options.score, qHeads, kHeads);
  if (cached !== undefined && score?.keepsKeys === false)
    fail(
      'option',
      fn,
      "a cache takes scores of its keys as they are: append projected keys, and pass a score of keys: 'projected'",
    );
  const axes = axesOf(q, choice);
  const sides = [compared(score, qHeads), compared(score, kHeads), vHeads] as const;
  const sizes = matchSizes(fn, { q, k, v }, ...sides, axes.batch, cached === undefined ? choice : undefined);
  const read = readAttentionSpec(instance, fn, options, sizes, score);
  const spec = cached?.spec(read, sizes) ?? read;
  const targets = readTargets(fn, options.out);
  const requested = parseOutputOptions(fn, options, targets, spec);

  return plan(instance, fn, (arena) => {
    const outputs = new Outputs(arena, targets, isTensor(query), () => [q, k, v, ...operandsOf(spec)]);
    const layout = outputLayout(axes, choice, sizes);
    const output = outputs.reserve('output', layout.shape);
    const bound = [bind(arena, q, qHeads), bind(arena, k, kHeads), bind(arena, v, vHeads)] as const;
    const request = prepareAttention(arena, sizes, ...bound, spec);
    const { batchStride, headStride, tokenStride } = layout;
    const result: StridedPtr = { ptr: output.ptr, batch: sizes.batch, batchStride, headStride, tokenStride };
    const pairs = planResults(request, outputs, requested, withoutMissing(axes, sizes, [sizes.queries, sizes.keys]), result);
    const tracer = isTraced(options.trace) ? new AttentionTrace(arena, options.trace, sizes, axes) : null;
    tracer?.addAttention(request, ...bound, { query: 'Q', key: 'K', value: 'V' });
    tracer?.add('output', outputFormula(spec), result, sizes.heads, 'query', sizes.queries, sizes.valueWidth);
    tracer?.checkSize();
    return () => resultOf(output, pairs, tracer);
  });
}

/** The heads as the score sees them. */
function compared(score: ReadScore | null, heads: HeadsShape): HeadsShape {
  return score === null ? heads : { ...heads, width: score.width };
}

function bind(arena: CallArena, operand: Operand, heads: ReturnType<typeof readHeads>): StridedPtr {
  return stridedPtr(arena.place(operand), heads);
}

function operandsOf({ mask, floatMask, keyMask, keyFloatMask, tables, score }: AttentionSpec): Operand[] {
  const operands = [...tables, ...(score?.operands ?? [])];
  for (const one of [mask, floatMask, keyMask, keyFloatMask]) if (one !== null) operands.push(one.operand);
  return operands;
}
