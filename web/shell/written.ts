/**
 * The words of a text without case, accents, hyphens, punctuation and the s of a plural: those of letters and digits, and each run of Chinese
 * characters.
 */
export const wordsOf = (text: string): readonly string[] =>
  (
    text
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .replace(/\p{Script=Han}+/gu, ' $& ')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).map((word) => word.replace(/(?<=..[^s])s$/u, ''));

export const isHan = (word: string): boolean => /^\p{Script=Han}/u.test(word);
