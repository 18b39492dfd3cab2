/** How many calls used each function and each option. */

export function printCoverage(records) {
  const byFunction = group(records, ({ fn }) => [fn]);
  const rows = [...byFunction].map(([fn, own]) => {
    const errors = own.filter(({ error }) => error !== undefined);
    const codes = [...group(errors, ({ error }) => [error])].map(([code, list]) => `${code} ${list.length}`);
    return [fn, String(own.length), String(own.length - errors.length), codes.join(', ')];
  });
  printRows([['function', 'calls', 'gave results', 'errors'], ...rows]);
  console.log('\nOptions, by the calls that used them and gave results:');
  const gave = records.filter(({ error }) => error === undefined);
  const options = [...group(gave, (record) => record.options)].sort(([a], [b]) => (a < b ? -1 : 1));
  printColumns(options.map(([name, own]) => `${String(own.length).padStart(4)} ${name}`));
}

function group(records, keysOf) {
  const groups = new Map();
  for (const record of records) for (const key of keysOf(record)) groups.set(key, [...(groups.get(key) ?? []), record]);
  return groups;
}

function printRows(rows) {
  const widths = rows[0].map((_, n) => Math.max(...rows.map((row) => row[n].length)));
  for (const row of rows)
    console.log(
      row
        .map((cell, n) => (n === 1 || n === 2 ? cell.padStart(widths[n]) : cell.padEnd(widths[n])))
        .join('  ')
        .trimEnd(),
    );
}

function printColumns(cells) {
  const width = 2 + Math.max(...cells.map((cell) => cell.length));
  const columns = Math.max(1, Math.floor(128 / width));
  const height = Math.ceil(cells.length / columns);
  for (let row = 0; row < height; row++) {
    const line = Array.from({ length: columns }, (_, n) => (cells[n * height + row] ?? '').padEnd(width));
    console.log(line.join('').trimEnd());
  }
}
