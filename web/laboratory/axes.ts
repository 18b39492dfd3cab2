import { significant, superscript, whole } from '../figures/format.ts';

/** The numbers of logarithmic axes: tokens double from one to the next, work and time go by powers of ten. */
export const tokensOf = (log2: number): string => whole(Math.round(2 ** log2));
export const powerOf = (log10: number): string =>
  Number.isInteger(log10) ? `10${superscript(log10)}` : significant(10 ** log10);
