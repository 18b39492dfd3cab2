/** Three numbers from 0 to 1, red, green and blue, as a color that is drawn. */
export function rgb([r = 0, g = 0, b = 0]: readonly number[]): string {
  const [x, y, z] = [r, g, b].map((channel) => Math.round(255 * Math.max(0, Math.min(1, channel))));
  return `rgb(${x} ${y} ${z})`;
}
