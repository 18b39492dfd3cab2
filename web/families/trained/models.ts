import { blank, communities, judgment, story } from './answers.ts';
import type { TrainedModel } from './model.ts';
import { induction, pointer, report, reversal } from './sequences.ts';

export const MODELS: readonly TrainedModel[] = [reversal, pointer, induction, judgment, report, blank, story, communities];

/** The example that is shown first: all trained models answer it rightly, and none of its pictures is small. */
export const FIRST_EXAMPLE = 5;
