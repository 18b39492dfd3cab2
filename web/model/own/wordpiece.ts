/** The tokenizer of BERT from its vocab.txt, a token a line, as the tokenizer.json that such models have since. */

const [UNKNOWN, BEGIN, END] = ['[UNK]', '[CLS]', '[SEP]'];
const SPECIAL = ['[PAD]', UNKNOWN, BEGIN, END, '[MASK]'];

/**
 * @param options tokenizer_config.json, where it was given: `do_lower_case` of it. Without it a vocabulary that has no capital letter is one of
 *   text in lower case.
 * @throws Error where `text` is no such vocabulary
 */
export function wordPieceOf(text: string, options: { readonly do_lower_case?: unknown } | null): object {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  const missing = [UNKNOWN, BEGIN, END].filter((token) => !lines.includes(token));
  if (missing.length > 0) throw new Error(`vocab.txt must have BERT's tokens, one a line; ${missing.join(', ')} not found`);
  const ids = new Map(lines.map((token, id) => [token, id]));
  const isLower = options?.do_lower_case ?? !lines.some((token) => !token.startsWith('[') && /\p{Lu}/u.test(token));
  const special = (id: string): object => ({ SpecialToken: { id, type_id: 0 } });
  return {
    added_tokens: SPECIAL.flatMap((content) => {
      const id = ids.get(content);
      const plain = { single_word: false, lstrip: false, rstrip: false, normalized: false };
      return id === undefined ? [] : [{ id, content, special: true, ...plain }];
    }),
    normalizer: {
      type: 'BertNormalizer',
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase: isLower === true,
    },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: {
      type: 'TemplateProcessing',
      single: [special(BEGIN), { Sequence: { id: 'A', type_id: 0 } }, special(END)],
      pair: [special(BEGIN), { Sequence: { id: 'A', type_id: 0 } }, special(END), { Sequence: { id: 'B', type_id: 1 } }],
      special_tokens: Object.fromEntries([BEGIN, END].map((id) => [id, { id, ids: [ids.get(id)], tokens: [id] }])),
    },
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
    model: {
      type: 'WordPiece',
      unk_token: UNKNOWN,
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(ids),
    },
  };
}
