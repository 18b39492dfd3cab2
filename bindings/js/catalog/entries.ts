/** The mechanisms of the catalog: choices of a call, then systems, each in the order of their ids. */
import type { RunnableEntry } from './entry.ts';
import { additive } from './options/additive.ts';
import { dot } from './options/dot.ts';
import { scaledDot } from './options/scaled_dot.ts';
import { structuredSelfAttention } from './systems/structured_self_attention.ts';

export const entries: readonly RunnableEntry[] = [additive, dot, scaledDot, structuredSelfAttention];
