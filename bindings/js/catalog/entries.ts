/** The mechanisms of the catalog: choices of a call, then systems, each in the order of their ids. */
import type { RunnableEntry } from './entry.ts';
import { additive } from './options/additive.ts';
import { bilinear } from './options/bilinear.ts';
import { concat } from './options/concat.ts';
import { cosine } from './options/cosine.ts';
import { dot } from './options/dot.ts';
import { keyValue } from './options/key_value.ts';
import { location } from './options/location.ts';
import { multiQuery } from './options/multi_query.ts';
import { scaledDot } from './options/scaled_dot.ts';
import { structuredSelfAttention } from './systems/structured_self_attention.ts';

export const entries: readonly RunnableEntry[] = [
  additive,
  bilinear,
  concat,
  cosine,
  dot,
  keyValue,
  location,
  multiQuery,
  scaledDot,
  structuredSelfAttention,
];
