/** Text to the pieces of Universal Sentence Encoder lite: SentencePiece's unigram model with the pieces and scores of its own file. */
import { Tokenizer } from '@huggingface/tokenizers';

export type Pieces = (text: string) => { readonly ids: number[]; readonly tokens: string[] };

/** The first pieces are never cut from text: unknown, begin, end and three spares. */
const RESERVED = 6;

export function makePieces(pieces: readonly string[], scores: ArrayLike<number>): Pieces {
  const vocab = pieces.map((piece, id) => [id > 0 && id < RESERVED ? `\u0000${id}` : piece, scores[id]]);
  const space = { type: 'Metaspace', replacement: '▁', prepend_scheme: 'always', split: false };
  const tokenizer = new Tokenizer(
    {
      ...{ version: '1.0', truncation: null, padding: null, added_tokens: [], post_processor: null },
      model: { type: 'Unigram', unk_id: 0, vocab },
      normalizer: {
        type: 'Sequence',
        normalizers: [
          { type: 'NFKC' },
          { type: 'Replace', pattern: { Regex: '[\\s\\u0000]+' }, content: ' ' },
          { type: 'Strip', strip_left: true, strip_right: true },
        ],
      },
      pre_tokenizer: space,
      decoder: space,
    },
    { unk_token: pieces[0], eos_token: pieces[2] },
  );
  return (text) => {
    const { ids, tokens } = tokenizer.encode(text);
    return { ids, tokens };
  };
}
