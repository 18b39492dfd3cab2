/** Results go to stdout, progress and complaints to stderr. */

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

export type Progress = (text: string) => void;

export function progressOf(quiet: boolean): Progress {
  return quiet ? () => {} : (text) => process.stderr.write(`fovea: ${text}\n`);
}

/** Columns of texts, two blanks apart; wide characters count as two. */
export function table(rows: readonly (readonly string[])[]): string {
  const columns = Math.max(...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, n) => Math.max(...rows.map((row) => widthOf(row[n] ?? ''))));
  const pad = (text: string, n: number) => text + ' '.repeat((widths[n] as number) - widthOf(text));
  return rows.map((row) => row.map(pad).join('  ').trimEnd()).join('\n');
}

function widthOf(text: string): number {
  return [...text].reduce((sum, sign) => sum + (/[\u1100-\uFFDC]/.test(sign) && sign > '\u2E7F' ? 2 : 1), 0);
}

/** Four significant digits. */
export function digits(value: number): string {
  return Number.isFinite(value) ? String(Number(value.toPrecision(4))) : String(value);
}
