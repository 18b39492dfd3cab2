/** The steps of a call. */
import type { AttentionBlock } from '../../../build/generated/blocks/attention.ts';
import type { MatmulBlock } from '../../../build/generated/blocks/matmul.ts';

export type AttentionOperation = 'attention' | 'attentionLogits';

/** The fields of a block are asked for when the step is done: they hold addresses, known once the arena is committed. */
export type Step =
  | { readonly operation: AttentionOperation; readonly fields: () => AttentionBlock }
  | { readonly operation: 'matmul'; readonly fields: () => MatmulBlock }
  | { readonly operation: null; readonly run: () => void };
