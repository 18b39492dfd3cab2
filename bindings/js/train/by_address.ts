/** Searches in lists that are in the order of their addresses. */

/** The last of a list that begins at the address or before it. */
export function lastFrom<T extends { readonly from: number }>(list: readonly T[], address: number): T | undefined {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (list[middle]!.from <= address) low = middle + 1;
    else high = middle;
  }
  return list[low - 1];
}
