/** The fields that an option adds to the parameter block of the variant. */
import type { VariantBlock } from '../../../../build/generated/blocks/variant.ts';
import type { CallArena } from '../../call/call_arena.ts';

/** Reserves room for what one option of an axis holds, and returns the fields that it sets. */
export type VariantPart = (arena: CallArena) => () => Partial<VariantBlock>;
