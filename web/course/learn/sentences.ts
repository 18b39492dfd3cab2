/** Sentences that steps of the course compute with: their words are in the word list of `text/words.ts`. */

export const HEADS_SENTENCE = {
  en: ['cat', 'chases', 'dog', 'until', 'it', 'sleeps'],
  zh: ['猫', '追', '狗', '直到', '它', '睡觉'],
};

export const MATRIX_SENTENCE = {
  en: ['the', 'cat', 'chases', 'a', 'mouse'],
  zh: ['小', '猫', '追', '老鼠', '了'],
};

/** The shorter sentence of a batch: its end is filled up. Both repeat their first word, and so have the same numbers. */
export const MASKED_SENTENCE = {
  en: ['the', 'cat', 'chases', 'the', 'mouse', '[pad]'],
  zh: ['那', '猫', '追', '那', '老鼠', '[填充]'],
};
