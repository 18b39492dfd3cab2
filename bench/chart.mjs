// The chart of the README: GFLOP/s by number of tokens, in Chromium on one thread. The same results give the same bytes; colors
// are readable on light and on dark ground.
//   node bench/chart.mjs [results.json]

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chartFile, resultsFile } from './paths.mjs';
import { bestOf, entryOf, legOf, rateOf, shapeOf } from './results.mjs';

const shapeIds = ['n128', 'n512', 'n1024', 'n2048', 'n4096'];
const bars = [
  { title: 'fovea', color: '#2f81f7', isOurs: ({ id }) => id === 'fovea' },
  { title: 'onnxruntime-web', color: '#d08a1d', isOurs: (one) => one.package === 'onnxruntime-web' },
  { title: 'TensorFlow.js', color: '#a371f7', isOurs: ({ id }) => id === 'tfjs' },
  { title: 'jax-js', color: '#35a04a', isOurs: ({ id }) => id === 'jax-js' },
  { title: 'plain JavaScript', color: '#8b949e', isOurs: ({ id }) => id === 'plain' },
];
const text = '#7d8590';
const size = { width: 760, height: 340, left: 44, top: 52, bottom: 40, right: 12 };

/** @returns {string} an SVG document */
export function drawChart(results) {
  const leg = legOf(results, 'chromium', 1);
  const groups = shapeIds.map((id) => ({ id, entry: entryOf(leg, id) })).filter(({ entry }) => entry);
  const limits = groups.map(({ entry }) => (entry.limits.madd ?? entry.limits.mulAdd).median);
  const top = Math.ceil(Math.max(10, ...limits) / 10) * 10;
  const plot = { width: size.width - size.left - size.right, height: size.height - size.top - size.bottom };
  const y = (rate) => round(size.top + plot.height * (1 - rate / top));
  const step = plot.width / Math.max(1, groups.length);
  const bar = (step * 0.8) / bars.length;

  const parts = [];
  for (let rate = 0; rate <= top; rate += 10) {
    parts.push(line(size.left, size.width - size.right, y(rate), `stroke="${text}" stroke-opacity="0.25"`));
    parts.push(label(size.left - 6, y(rate) + 4, 'end', rate));
  }
  groups.forEach(({ id, entry }, g) => {
    const start = size.left + g * step + step * 0.1;
    bars.forEach(({ title, color, isOurs }, b) => {
      const best = bestOf(entry, isOurs);
      if (!best) return;
      const rate = rateOf(id, best);
      const x = round(start + b * bar);
      const tip = `<title>${title}, ${shapeOf(id).title}: ${rate.toFixed(1)} GFLOP/s</title>`;
      parts.push(
        `<rect x="${x}" y="${y(rate)}" width="${round(bar * 0.9)}" height="${round(y(0) - y(rate))}" fill="${color}">${tip}</rect>`,
      );
      parts.push(label(round(start + (b + 0.45) * bar), y(rate) - 4, 'middle', rate.toFixed(rate < 10 ? 1 : 0), 10));
    });
    parts.push(line(round(start), round(start + 0.8 * step), y(limits[g]), `stroke="${text}" stroke-dasharray="4 3"`));
    parts.push(label(round(start + 0.4 * step), size.height - size.bottom + 18, 'middle', shapeOf(id).title));
  });
  return document(parts);
}

function document(parts) {
  const { width, height } = size;
  const title = 'Attention in Chromium on one thread, GFLOP/s by number of tokens';
  const entries = bars.map(
    ({ title, color }, i) =>
      `<rect x="${size.left + i * 136}" y="22" width="10" height="10" fill="${color}"/>${label(size.left + 15 + i * 136, 31, 'start', title)}`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" font-family="system-ui, sans-serif" font-size="12">`,
    `<title>${title}</title>`,
    label(size.left, 12, 'start', 'GFLOP/s, H = 8, D = 64, float32, one thread, Chromium; dashed: the limit of one core'),
    ...entries,
    ...parts,
    '</svg>',
    '',
  ].join('\n');
}

function label(x, y, anchor, content, fontSize = 12) {
  return `<text x="${x}" y="${round(y)}" text-anchor="${anchor}" font-size="${fontSize}" fill="${text}">${content}</text>`;
}

function line(x1, x2, y, style) {
  return `<line x1="${x1}" x2="${x2}" y1="${y}" y2="${y}" ${style}/>`;
}

function round(x) {
  return Math.round(x * 10) / 10;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(chartFile, drawChart(JSON.parse(readFileSync(process.argv[2] ?? resultsFile, 'utf8'))));
}
