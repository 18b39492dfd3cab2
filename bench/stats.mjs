// Medians and quartiles.

/** Quantile p of numbers, linear between neighbors. */
export function quantile(values, p) {
  const sorted = [...values].sort((a, b) => a - b);
  const place = (sorted.length - 1) * p;
  const below = sorted[Math.floor(place)];
  return below + (sorted[Math.ceil(place)] - below) * (place - Math.floor(place));
}

/** @returns {{ median: number, q1: number, q3: number, least: number, most: number, samples: number } | null} null of nothing */
export function summary(values) {
  if (values.length === 0) return null;
  const [least, q1, median, q3, most] = [0, 0.25, 0.5, 0.75, 1].map((p) => quantile(values, p));
  return { median, q1, q3, least, most, samples: values.length };
}
