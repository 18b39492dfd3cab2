/** All models that are trained. */
import type { Keyed } from './examples.ts';
import { readerTask } from './attention_over_attention.ts';
import { graphTask } from './graph_attention.ts';
import { wordTask } from './bahdanau.ts';
import { reviewTask } from './hierarchical_attention.ts';
import { storyTask } from './key_value_memory.ts';
import { reportTask } from './pointer_generator.ts';
import { sortingTask } from './pointer_network.ts';
import { inductionTask } from './self_attention.ts';
import type { Task } from './task.ts';

export { trainedFiles } from './files.ts';

export const TASKS = [
  readerTask,
  wordTask,
  graphTask,
  reviewTask,
  storyTask,
  reportTask,
  sortingTask,
  inductionTask,
] as unknown as readonly Task<Keyed>[];
