/** How numbers are written on the page, with a true minus sign throughout. 0 is written only for what is exactly 0. */

const tidy = (text: string): string => text.replaceAll('-', '−').replace(/e\+?/, 'e');

/** A fixed number of decimals, and no minus before a number that rounds to 0. */
export const decimals = (x: number, digits: number): string => tidy(x.toFixed(digits).replace(/^-(?=0\.?0*$)/, ''));

/** Up to `digits` decimals, trailing zeros kept only for `fixed`; tiny and huge numbers with `mantissa` decimals and an exponent. */
export function short(x: number, digits = 4, fixed = false, mantissa = Math.max(0, Math.min(2, digits - 1))): string {
  if (Number.isNaN(x)) return 'NaN';
  if (!Number.isFinite(x)) return x > 0 ? '∞' : '−∞';
  if (x === 0) return '0';
  if (Number.isInteger(x) && Math.abs(x) < 1e6 && !fixed) return tidy(String(x));
  const size = Math.abs(x);
  if (size >= 1e6 || size < 0.5 * 10 ** -digits) return tidy(x.toExponential(mantissa));
  const text = x.toFixed(digits);
  return tidy(fixed || !text.includes('.') ? text : text.replace(/\.?0+$/, ''));
}

/** All the digits of a float32: the shortest decimal that reads back to the same bits. */
export function full(x: number): string {
  if (!Number.isFinite(x)) return short(x);
  return tidy(shortestFloat32(x));
}

/** `full` with an ASCII minus: for code, CSV and permalinks. */
export function shortestFloat32(x: number): string {
  if (Object.is(x, -0)) return '0';
  if (Math.fround(x) !== x) return String(x);
  for (let digits = 1; digits < 10; digits++) {
    const text = x.toPrecision(digits);
    if (Math.fround(Number(text)) === x) return String(Number(text));
  }
  return String(x);
}

/** All weights with one number of decimals: a column of them lines up. In two decimals or fewer a tiny one reads 0.00. */
export function weight(x: number, digits = 4, mantissa = 2): string {
  if (x === 0 || x === 1) return String(Math.abs(x));
  return digits <= 2 && Number.isFinite(x) ? decimals(x, digits) : short(x, digits, true, mantissa);
}

// Intl.NumberFormat writes the same, but takes 14 ms (a desk; four times that on a phone) when a page makes its first.

/** A count with its thousands parted: 65,536, in English and Chinese alike. */
export function whole(x: number): string {
  return tidy(String(x)).replace(/\B(?<!\.\d*)(?=(\d{3})+(?!\d))/g, ',');
}

/** A part of a whole, 0.51 as 51%. What would round to 0 keeps one digit that counts: 0.3%. A dash where there is no whole. */
export function percent(part: number, digits = 0): string {
  if (Number.isNaN(part)) return '–';
  const value = 100 * part;
  const roundsToZero = Math.abs(value) < 0.5 * 10 ** -digits;
  return `${roundsToZero ? short(Number(value.toPrecision(1)), 4, false, 0) : short(value, digits)}%`;
}

/** At most three digits that count, written out: 0.0123, 12.3, 1,230. A dash for what is no number. */
export function significant(x: number): string {
  if (Number.isNaN(x)) return '–';
  return whole(Number(x.toPrecision(3)));
}

/** 1st, 2nd, 3rd, 11th. */
export function ordinal(n: number): string {
  const tens = n % 100;
  const ending = tens > 10 && tens < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th');
  return `${n}${ending}`;
}

const UNITS = {
  en: [1e3, ['', 'K', 'M', 'B', 'T']],
  zh: [1e4, ['', '万', '亿', '万亿']],
} as const;

/** A large count in three digits and its unit: 1.23M, 123万. A dash for what is no number. */
export function compact(x: number, language: keyof typeof UNITS): string {
  if (Number.isNaN(x)) return '–';
  const [step, names] = UNITS[language];
  const rounded = Number(x.toPrecision(3));
  let unit = 0;
  while (unit < names.length - 1 && Math.abs(rounded) >= step ** (unit + 1)) unit++;
  return `${Number((rounded / step ** unit).toPrecision(3))}${names[unit]}`;
}

const SUBSCRIPTS = '₀₁₂₃₄₅₆₇₈₉';
const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** 12 becomes ₁₂. */
export function subscript(n: number): string {
  return String(n).replace(/\d/g, (digit) => SUBSCRIPTS[Number(digit)] ?? digit);
}

/** −12 becomes ⁻¹². */
export function superscript(n: number): string {
  return String(n).replace(/[-\d]/g, (sign) => SUPERSCRIPTS[Number(sign)] ?? '⁻');
}
