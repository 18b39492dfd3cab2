import type { Figure } from './figure.ts';
import { shortestFloat32 } from './format.ts';
import { show } from './layout.ts';
import { escaped } from './svg.ts';

export interface Drawn {
  readonly svg: string;
  readonly caption: readonly string[];
  readonly transposed: boolean;
}

/** One HTML file with a picture and all digits of its numbers. It has no script and asks for nothing: its policy forbids both. */
export function standaloneHtml(figure: Figure, title: string, language: string, { svg, caption, transposed }: Drawn): string {
  const shown = show(figure, transposed);
  const head = shown.cols.map((label) => `<th scope="col">${escaped(label)}</th>`).join('');
  const body = shown.rows
    .map((label, r) => {
      const cells = shown.cols.map((_, c) => `<td>${escaped(shortestFloat32(shown.value(r, c)))}</td>`).join('');
      return `<tr><th scope="row">${escaped(label)}</th>${cells}</tr>`;
    })
    .join('\n');
  return `<!doctype html>
<html lang="${escaped(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>
body { max-width: 1000px; margin: 24px auto; padding: 0 16px; font: 16px/1.5 sans-serif; }
div { overflow-x: auto; }
table { border-collapse: collapse; font-size: 13px; }
th, td { padding: 3px 8px; border: 1px solid #ccc; text-align: right; }
</style>
</head>
<body>
<h1>${escaped(title)}</h1>
<div>${svg}</div>
<ul>
${caption.map((line) => `<li>${escaped(line)}</li>`).join('\n')}
</ul>
<div><table>
<thead><tr><td></td>${head}</tr></thead>
<tbody>
${body}
</tbody>
</table></div>
</body>
</html>
`;
}
