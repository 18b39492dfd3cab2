// The chart of the README: long sequences, decoding and an encoder, in Chromium on one thread. The same results give the same bytes; colors
// are readable on light and on dark ground.
//   node bench/chart.mjs [results.json]

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chartFile, resultsFile } from './paths.mjs';
import { bestOf, entryOf, legOf, limitOf, rateOf, shapeOf } from './results.mjs';
import { isOf, shapes } from './shapes.mjs';

const bars = [
  { title: 'fovea', color: '#2f81f7', isOurs: ({ id }) => id === 'fovea' },
  { title: 'onnxruntime-web', color: '#d08a1d', isOurs: (one) => one.package === 'onnxruntime-web' && !one.int8 },
  { title: 'TensorFlow.js', color: '#a371f7', isOurs: ({ id }) => id === 'tfjs' },
  { title: 'jax-js', color: '#35a04a', isOurs: ({ id }) => id === 'jax-js' },
  { title: 'plain JavaScript', color: '#8b949e', isOurs: ({ id }) => id === 'plain' },
];
const idsOf = (isShown) => shapes.filter(isShown).map(({ id }) => id);
const long = {
  title: 'Attention over long sequences, H = 8, D = 64, GFLOP/s',
  ids: ['n128', 'n512', 'n1024', 'n2048', 'n4096'],
  name: ({ title }) => title,
};
const decoding = {
  title: 'Decoding over 4096 keys, GB/s of keys and values',
  ids: idsOf(({ decode, keys }) => decode && keys === 4096),
  name: ({ heads, kvHeads }) => (heads === kvHeads ? `${heads} heads` : `${heads} heads over ${kvHeads}`),
};
const encoder = {
  title: 'Encoder of 6 layers, E = 384, GFLOP/s',
  ids: idsOf((shape) => isOf('encoder', shape)),
  name: ({ queries }) => `N = ${queries}`,
};

const text = '#7d8590';
const page = { width: 760, height: 560 };
const plots = [
  { ...long, x: 40, y: 76, width: 708, height: 180 },
  { ...decoding, x: 40, y: 330, width: 330, height: 180 },
  { ...encoder, x: 418, y: 330, width: 330, height: 180 },
];

/** @returns {string} an SVG document */
export function drawChart(results) {
  const leg = legOf(results, 'chromium', 1);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${page.width} ${page.height}" width="${page.width}" height="${page.height}" role="img" font-family="system-ui, sans-serif" font-size="12">`,
    '<title>Attention over long sequences, decoding and an encoder in Chromium on one thread</title>',
    label(8, 14, 'start', 'float32, Chromium, one thread; higher is faster; dashed: the limit of one core'),
    ...bars.map(
      ({ title, color }, i) =>
        `<rect x="${8 + i * 136}" y="26" width="10" height="10" fill="${color}"/>${label(23 + i * 136, 35, 'start', title)}`,
    ),
    ...plots.flatMap((plot) => drawPlot(plot, leg)),
    '</svg>',
    '',
  ].join('\n');
}

/** One picture: a group of bars for each shape, under the limit measured with it. */
function drawPlot({ title, ids, name, ...area }, leg) {
  const groups = ids.map((id) => ({ id, entry: entryOf(leg, id) })).filter(({ entry }) => entry);
  const shown = groups.map(({ id, entry }) => ({ shape: shapeOf(id), limit: limitOf(entry), bars: barsOf(id, entry) }));
  const most = Math.max(1, ...shown.flatMap(({ limit, bars }) => [limit ?? 0, ...bars.map(({ rate }) => rate)]));
  const tick = most > 60 ? 20 : most > 30 ? 10 : 5;
  const top = Math.ceil(most / tick) * tick;
  const y = (rate) => round(area.y + area.height * (1 - rate / top));

  const parts = [label(area.x - 32, area.y - 14, 'start', title)];
  for (let rate = 0; rate <= top; rate += tick) {
    parts.push(line(area.x, area.x + area.width, y(rate), `stroke="${text}" stroke-opacity="0.25"`));
    parts.push(label(area.x - 6, y(rate) + 4, 'end', rate));
  }
  const step = area.width / Math.max(1, shown.length);
  shown.forEach(({ shape, limit, bars }, g) => {
    const start = area.x + (g + 0.1) * step;
    const slot = (0.8 * step) / bars.length;
    bars.forEach(({ title, color, rate }, b) => {
      const x = round(start + b * slot);
      const tip = `<title>${title}, ${shape.title}: ${rate.toFixed(1)}</title>`;
      parts.push(
        `<rect x="${x}" y="${y(rate)}" width="${round(slot * 0.9)}" height="${round(y(0) - y(rate))}" fill="${color}">${tip}</rect>`,
        label(round(start + (b + 0.45) * slot), y(rate) - 4, 'middle', rate.toFixed(rate < 10 ? 1 : 0), 10),
      );
    });
    if (limit) parts.push(line(round(start), round(start + 0.8 * step), y(limit), `stroke="${text}" stroke-dasharray="4 3"`));
    parts.push(label(round(start + 0.4 * step), area.y + area.height + 18, 'middle', name(shape)));
  });
  return parts;
}

/** Who has a result, each with the fastest of its ways. */
function barsOf(id, entry) {
  return bars.flatMap(({ title, color, isOurs }) => {
    const best = bestOf(entry, isOurs);
    return best ? [{ title, color, rate: rateOf(id, best) }] : [];
  });
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
