// Text to ids by a unigram model of pieces, as SentencePiece has it: of all ways to cut a text, the one whose pieces' log
// probabilities have the largest sum.

/** How many of the first pieces are never cut from text: unknown, begin, end and three spares. */
const reserved = 6;

const space = '\u2581';

/**
 * @param {[string, number][]} vocabulary - pieces with their log probabilities; the position is the id, 0 is the unknown piece
 * @returns {(text: string) => number[]}
 */
export function makeTokenizer(vocabulary) {
  const ids = new Map(vocabulary.map(([piece], id) => [piece, id]).slice(reserved));
  const longest = Math.max(...[...ids.keys()].map((piece) => [...piece].length));
  const unknownScore = Math.min(...vocabulary.map(([, score]) => score)) - 10;

  return (text) => {
    const letters = [...(space + text.normalize('NFKC').trim().replace(/\s+/g, space))];
    const best = [{ score: 0, from: 0, id: null }]; // of the text up to each letter
    for (let end = 1; end <= letters.length; ++end) {
      best[end] = { score: best[end - 1].score + unknownScore, from: end - 1, id: 0 };
      for (let from = Math.max(0, end - longest); from < end; ++from) {
        const id = ids.get(letters.slice(from, end).join(''));
        const score = id === undefined ? -Infinity : best[from].score + vocabulary[id][1];
        if (score > best[end].score) best[end] = { score, from, id };
      }
    }
    const found = [];
    for (let end = letters.length; end > 0; end = best[end].from) found.unshift(best[end].id);
    return found.filter((id, n) => id !== 0 || found[n - 1] !== 0); // unknown letters side by side are one piece
  };
}
