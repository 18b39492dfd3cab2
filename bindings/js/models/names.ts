/** How the families name their weights: tables for `rename` of `loadStateDict`, for models that are put together by hand of fovea/nn. */
export { BERT_NAMES } from './families/bert.ts';
export { DISTILBERT_NAMES } from './families/distilbert.ts';
export { GPT2_NAMES } from './families/gpt2.ts';
export { GEMMA2_NAMES, LLAMA_NAMES } from './families/llama.ts';
export { MODERNBERT_NAMES } from './families/modernbert.ts';
export { NOMIC_BERT_NAMES } from './families/nomic_bert.ts';
export type { RenameTable } from './families/family.ts';
