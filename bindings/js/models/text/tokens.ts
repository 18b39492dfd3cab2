/** Texts as the ids of tokens: with their special tokens, and cut to what a model takes. */
import { describe, fail } from '../../errors/errors.ts';
import { checkBoolean, isList } from '../../errors/options.ts';
import { readIntegerArray } from '../../tensor/integer_arrays.ts';
import type { TokenizerLike } from '../types/index.ts';

export interface TokenizedText {
  readonly ids: readonly number[];
  /** The kind of each token: 0, or 1 of a pair's second text. */
  readonly types: readonly number[];
  readonly truncated: boolean;
}

export interface TokenLimits {
  readonly vocabSize: number;
  /** How many kinds of tokens the model tells apart. */
  readonly types: number;
  readonly maxTokens: number;
  /** False: longer texts are a `value` error. */
  readonly truncate: boolean;
}

/** One text, or a list of texts, pairs and ids. `before` stands before each text. */
export function tokenizeAll(
  fn: string,
  tokenizer: TokenizerLike | null,
  texts: unknown,
  before: string,
  { truncate = true, ...rest }: Omit<TokenLimits, 'truncate'> & { readonly truncate: boolean | undefined },
): readonly TokenizedText[] {
  checkBoolean(fn, 'truncate', truncate);
  const limits = { ...rest, truncate };
  if (typeof texts === 'string') return [tokenize(fn, 'texts', tokenizer, before + texts, limits)];
  if (!isList(texts)) return fail('value', fn, `texts must be a text or a list, got ${describe(texts)}`);
  return Array.from(texts, (text, n) =>
    tokenize(fn, `texts[${n}]`, tokenizer, typeof text === 'string' ? before + text : text, limits),
  );
}

/** A text, a pair of texts, or ids, which are taken as they are. `name` is what messages call it. */
function tokenize(
  fn: string,
  name: string,
  tokenizer: TokenizerLike | null,
  input: unknown,
  { vocabSize, types, maxTokens, truncate }: TokenLimits,
): TokenizedText {
  if (isPair(input) || typeof input === 'string') {
    const [text, pair = null] = typeof input === 'string' ? [input] : input;
    const encoded = encode(fn, tokenizer, text, pair);
    const cut = encoded.ids.length > maxTokens;
    if (cut && !truncate)
      fail('value', fn, `${name} must have at most ${maxTokens} tokens, got ${encoded.ids.length}; truncate: true cuts it`);
    const fitting = cut ? cutTo(fn, tokenizer!, encoded, text, pair, maxTokens) : encoded;
    checkIds(fn, name, fitting.ids, vocabSize);
    return { ids: fitting.ids, types: kindsOf(fn, name, fitting, types), truncated: cut };
  }
  const { ids: given, shape } = readIntegerArray(fn, name, input as readonly number[], 0, vocabSize - 1);
  if (shape.length !== 1 || given.length === 0 || given.length > maxTokens)
    fail('value', fn, `${name} must be a text, or 1 to ${maxTokens} ids of tokens, got ${describe(input)}`);
  return { ids: Array.from(given), types: Array.from(given, () => 0), truncated: false };
}

function isPair(input: unknown): input is readonly [string, string] {
  return isList(input) && input.length === 2 && input.every((text) => typeof text === 'string');
}

interface Encoded {
  readonly ids: readonly number[];
  readonly types: readonly number[];
}

function encode(fn: string, tokenizer: TokenizerLike | null, text: string, pair: string | null): Encoded {
  if (tokenizer === null)
    return fail('value', fn, 'this model was loaded with tokenizer: null: it takes ids of tokens, not texts');
  const { ids, token_type_ids: types } = tokenizer.encode(text, {
    text_pair: pair,
    add_special_tokens: true,
    return_token_type_ids: true,
  });
  if (ids.length === 0) fail('value', fn, `the tokenizer made no token of ${describe(text)}`);
  return { ids, types: types ?? ids.map(() => 0) };
}

/** Takes tokens from the end of the longer text, never special tokens, until the whole fits. */
function cutTo(
  fn: string,
  tokenizer: TokenizerLike,
  { ids, types }: Encoded,
  text: string,
  pair: string | null,
  most: number,
): Encoded {
  const bare = (one: string): readonly number[] => tokenizer.encode(one, { add_special_tokens: false }).ids;
  const bodies = [bare(text), ...(pair === null ? [] : [bare(pair)])];
  let at = 0;
  const starts = bodies.map((body) => {
    const start = indexOf(ids, body, at);
    at = start + body.length;
    return start;
  });
  const special = ids.length - bodies.reduce((sum, { length }) => sum + length, 0);
  if (starts.includes(-1) || special >= most)
    fail('value', fn, `a text of ${ids.length} tokens cannot be cut to ${most} between its special tokens: pass its ids`);
  const lengths = bodies.map(({ length }) => length);
  for (let over = ids.length - most; over > 0; over--) {
    const longest = lengths.length === 2 && lengths[1]! > lengths[0]! ? 1 : 0;
    lengths[longest]!--;
  }
  const isKept = (index: number): boolean =>
    !starts.some((start, n) => index >= start + lengths[n]! && index < start + bodies[n]!.length);
  return { ids: ids.filter((_, index) => isKept(index)), types: types.filter((_, index) => isKept(index)) };
}

/** Where `part` is within `whole`, from `from` on; -1 where it is not. */
function indexOf(whole: readonly number[], part: readonly number[], from: number): number {
  for (let start = from; start + part.length <= whole.length; start++)
    if (part.every((id, n) => whole[start + n] === id)) return start;
  return -1;
}

function checkIds(fn: string, name: string, ids: readonly number[], vocabSize: number): void {
  const wrong = ids.find((id) => !Number.isInteger(id) || id < 0 || id >= vocabSize);
  if (wrong !== undefined)
    fail(
      'value',
      fn,
      `the tokenizer must give ids from 0 to ${vocabSize - 1}, the rows of the embedding, got ${wrong} for ${name}`,
    );
}

/** The kinds as rows of the model's table: a model that has one kind, or none, takes all tokens as that. */
function kindsOf(fn: string, name: string, { ids, types }: Encoded, count: number): readonly number[] {
  if (count < 2) return ids.map(() => 0);
  const wrong = types.length === ids.length ? types.find((kind) => !Number.isInteger(kind) || kind < 0 || kind >= count) : NaN;
  if (wrong !== undefined)
    fail(
      'value',
      fn,
      `the tokenizer must give a kind from 0 to ${count - 1} for each token, got ${describe(types)} for ${name}`,
    );
  return types;
}
