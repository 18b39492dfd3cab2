/** Conversations as the template of a folder writes them. */
import { describe, fail, messageOf } from '../../errors/errors.ts';
import { isPlainObject } from '../../errors/options.ts';

export interface ChatTemplate {
  /** In Jinja. */
  readonly source: string;
  /** The tokens that it may use: bos_token, eos_token, … */
  readonly tokens: Readonly<Record<string, string>>;
}

/** The template of tokenizer_config.json, or of the file chat_template.jinja; null where there is none. */
export function chatTemplateOf(config: Readonly<Record<string, unknown>>, file: string | null): ChatTemplate | null {
  const own = Object.hasOwn(config, 'chat_template') ? config['chat_template'] : undefined;
  const named = Array.isArray(own) ? (own as readonly unknown[]).find(isDefault) : undefined;
  const source = file ?? (isPlainObject(named) ? named['template'] : own);
  if (typeof source !== 'string') return null;
  const tokens = Object.entries(config).flatMap(([name, token]) => {
    const text = isPlainObject(token) ? token['content'] : token;
    return name.endsWith('_token') && typeof text === 'string' ? [[name, text] as const] : [];
  });
  return { source, tokens: Object.fromEntries(tokens) };
}

const isDefault = (one: unknown): boolean => isPlainObject(one) && one['name'] === 'default';

/** The text of a conversation, with the beginning of the answer. */
export async function renderMessages(fn: string, template: ChatTemplate | null, messages: readonly object[]): Promise<string> {
  if (template === null) return fail('option', fn, 'the folder must have a chat template for messages; pass a text');
  messages.forEach((message, n) => {
    if (!isPlainObject(message) || typeof message['role'] !== 'string' || typeof message['content'] !== 'string')
      fail('value', fn, `prompt[${n}] must be a message { role, content }, got ${describe(message)}`);
  });
  const { Template } = await import('@huggingface/jinja');
  try {
    return new Template(template.source).render({ ...template.tokens, messages, add_generation_prompt: true });
  } catch (error) {
    return fail('value', fn, `the chat template refuses these messages: ${messageOf(error)}`, error);
  }
}
