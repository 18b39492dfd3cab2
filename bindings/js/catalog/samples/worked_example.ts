/** Queries, keys and values of the example in "Self-Attention的学习记录以及代码"; the scores are 2 4 4, 4 16 12 and 4 12 10. */
export const workedExample = {
  q: [[1, 0, 2], [2, 2, 2], [2, 1, 3]],
  k: [[0, 1, 1], [4, 4, 0], [2, 3, 1]],
  v: [[1, 2, 3], [2, 8, 0], [2, 6, 3]],
}; // prettier-ignore

const tokens = ['token 1', 'token 2', 'token 3'];

export const workedLabels = { q: [tokens, null], k: [tokens, null], v: [tokens, null] } as const;

export const workedSizes = { H: 1, Tq: 3, Tk: 3, D: 3, Dv: 3 } as const;
