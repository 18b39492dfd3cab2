/** Prompts as the ids of tokens. */
import { describe, fail } from '../../errors/errors.ts';
import { isList } from '../../errors/options.ts';
import { readIntegerArray } from '../../tensor/integer_arrays.ts';
import type { Prompt, TokenizerLike } from '../types/index.ts';
import { renderMessages, type ChatTemplate } from './chat_template.ts';

export interface PromptReader {
  readonly tokenizer: TokenizerLike | null;
  readonly template: ChatTemplate | null;
  readonly vocabSize: number;
}

/** The ids of a prompt, special tokens included. */
export async function promptIds(
  fn: string,
  prompt: Prompt,
  { tokenizer, template, vocabSize }: PromptReader,
): Promise<number[]> {
  const isMessages = isList(prompt) && prompt.length > 0 && typeof prompt[0] === 'object';
  if (typeof prompt !== 'string' && !isMessages) {
    const { ids, shape } = readIntegerArray(fn, 'prompt', prompt as readonly number[], 0, vocabSize - 1);
    if (shape.length !== 1 || ids.length === 0) fail('value', fn, `prompt must have at least one id, got ${describe(prompt)}`);
    return Array.from(ids);
  }
  if (tokenizer === null)
    return fail('value', fn, 'this model was loaded with tokenizer: null: it takes ids of tokens, not texts');
  const text = isMessages ? await renderMessages(fn, template, prompt as readonly object[]) : (prompt as string);
  const { ids } = tokenizer.encode(text, { add_special_tokens: !isMessages });
  if (ids.length === 0) fail('value', fn, `the tokenizer made no token of ${describe(prompt)}`);
  return [...ids];
}
