// The results as Markdown.
//   node bench/report.mjs [results.json]

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { cliffs } from './cliffs.mjs';
import { decoderRatio, decoders, decoderValue } from './decoders.mjs';
import { contestants } from './contestants/index.mjs';
import { layers } from './layers.mjs';
import { judge } from './goals.mjs';
import { bestPeerWay, embedRatio, questions, titleOf } from './models.mjs';
import { models } from './models/models.mjs';
import { resultsFile } from './paths.mjs';
import {
  bestPeer,
  contestantOf,
  efficiencyOf,
  growthOf,
  nanosecondsPerPair,
  nanosecondsPerToken,
  rateOf,
  resultOf,
  shapeOf,
  slowdownOf,
  shareOfLimit,
  timesFaster,
} from './results.mjs';
import { densityOf, isOf } from './shapes.mjs';
import { bestPeerOf, tasks, titles, ways } from './training.mjs';

const digits = (x) => (x >= 100 ? x.toFixed(0) : x >= 10 ? x.toFixed(1) : x.toFixed(2));
const percent = (x) => (x === undefined ? '' : `${(100 * x).toFixed(0)} %`);
const megabytes = (bytes) => (bytes / 1e6).toFixed(0);
const engineTitles = { chromium: 'Chromium', firefox: 'Firefox', node20: 'Node', node24: 'Node' };

const notes = `Times are medians in ms, ± half the distance of the quartiles; rates are GFLOP/s of the pairs that the rules allow (4 · H · D · pairs),
for decoding GB/s of keys and values. "fovea" and the peers have their data in tensors of their own and leave the output
there, save onnxruntime-web, whose API copies in and out at every call ("constant k and v" is its way around that).
"plain arrays" is fovea with copies both ways, for decoding of 17 MB that the best peer has lying there. The limit is relaxed madd for relaxed variants, mul + add for simd128, reading
for decoding, each measured between the calls. Sparse: "density" is the part of all pairs that the pattern keeps, "efficiency" what
it leaves of the dense work by what it leaves of the dense time in the same rounds, and the first call compiles the pattern.
onnxruntime-web knows no patterns and gets the mask of all pairs; its time does not depend on what is in it. Linear: the limit is of
4 · D · Dv operations per token, whatever the rule; wasm memory is that before the first call and that at the end. Encoder: the
operations are those of attention and of the products with weights; of onnxruntime-web's three graphs, and of the three with weights of
8 bits, the fastest is shown; cosines are those of all numbers of the output with the definition's in double.`;

export function report(results) {
  const { machine, versions, quick, seconds, legs } = results;
  const packages = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return [
    `# fovea bench${quick ? ' (quick)' : ''}`,
    `${machine.date}, ${machine.processors} × ${machine.processor}, commit ${machine.commit ?? 'unknown'}, ${seconds} s; ${packages.join(', ')}`,
    ...legs.flatMap(legText),
    goalText(results),
    notes,
  ]
    .filter(Boolean)
    .join('\n\n');
}

function legText(leg) {
  const threads = leg.threads === 1 ? 'one thread' : `${leg.threads} threads`;
  return [
    `## ${engineTitles[leg.engine]} ${leg.version}, ${threads}`,
    leg.failure && `It failed: ${leg.failure}`,
    foveaTable(usual(leg)),
    everyoneTable(usual(leg)),
    memoryTable(usual(leg)),
    sparseTable(leg),
    linearTable(leg),
    growthText(leg),
    encoderTable(leg),
    int8Table(leg),
    cliffTable(leg),
    layerTable(leg),
    decoderTable(leg),
    ...modelTables(leg),
    trainingTable(leg),
    failures(leg),
    coldTable(leg),
  ];
}

const usual = (leg) => ({ ...leg, shapes: leg.shapes.filter(({ shape }) => shapeOf(shape).group === null) });
const family = (leg, name) => leg.shapes.filter(({ shape }) => isOf(name, shapeOf(shape)));

/** fovea against the best peer and the limit. */
function foveaTable(leg) {
  const rows = leg.shapes.flatMap((entry) => {
    const fovea = resultOf(entry, 'fovea');
    if (!fovea) return [];
    const peer = bestPeer(entry);
    const ratio = (id) => {
      const result = resultOf(entry, id);
      return result && peer ? timesFaster(result, peer).toFixed(2) : '';
    };
    const share = (id) => resultOf(entry, id) && percent(shareOfLimit(entry, resultOf(entry, id)));
    return [
      [
        shapeOf(entry.shape).title,
        time(fovea) + (fovea.threads < leg.threads ? ` (${fovea.threads} thread)` : ''),
        digits(rateOf(entry.shape, fovea)),
        share('fovea'),
        ratio('fovea'),
        ratio('fovea-arrays'),
        share('fovea-simd128') ?? '',
        peer ? `${digits(peer.median)}, ${contestantOf(peer.id).title}` : '',
      ],
    ];
  });
  const head = ['', `fovea`, 'rate', 'of the limit', '× best peer', '× with plain arrays', 'simd128 of its limit', 'best peer'];
  return table(head, rows);
}

function everyoneTable(leg) {
  const ids = idsOf(leg);
  const limitText = ({ limits }) =>
    ['mulAdd', 'madd', 'read'].map((kind) => (limits[kind] ? digits(limits[kind].median) : '–')).join(' / ');
  const cell = (entry, id) => {
    const result = entry.results[id];
    if (!result) return '';
    return result.failure ? 'fails' : `${time(result)} (${digits(rateOf(entry.shape, result))})${threadMark(result, leg)}`;
  };
  const rows = leg.shapes.map((entry) => [shapeOf(entry.shape).title, ...ids.map((id) => cell(entry, id)), limitText(entry)]);
  return table(['ms (rate)', ...ids.map((id) => contestantOf(id).short), 'limits: mul + add / madd / GB/s'], rows);
}

const threadMark = (result, leg) => (result.threads < leg.threads ? ' ¹' : '');

function failures(leg) {
  const lines = new Map(); // reason → where
  for (const { shape, results } of leg.shapes) {
    for (const [id, { failure }] of Object.entries(results)) {
      if (!failure) continue;
      const key = `${contestantOf(id).title}: ${failure}`;
      lines.set(key, [...(lines.get(key) ?? []), shapeOf(shape).title]);
    }
  }
  const threads = leg.threads > 1 ? ['¹ with one thread only', ...reasons(leg)] : [];
  return [
    ...[...lines].map(([reason, where]) => `- fails (${where.join('; ')}): ${reason}`),
    ...threads.map((line) => `- ${line}`),
  ].join('\n');
}

/** Why fewer threads ran than asked for, where a package says so. */
function reasons(leg) {
  const all = leg.shapes.flatMap(({ results }) => Object.values(results).map(({ note }) => note));
  return [...new Set(all.filter(Boolean))];
}

function memoryTable(leg) {
  const ids = idsOf(leg).filter((id) => contestantOf(id).role !== 'floor');
  const cell = (entry, id) => (resultOf(entry, id) ? megabytes(resultOf(entry, id).bytes) : '');
  const rows = leg.shapes.map((entry) => [shapeOf(entry.shape).title, ...ids.map((id) => cell(entry, id))]);
  return table(['wasm memory, MB', ...ids.map((id) => contestantOf(id).short)], rows);
}

/** fovea with patterns, each beside the dense call of its rounds. */
function sparseTable(leg) {
  const rows = family(leg, 'sparse').flatMap((entry) => {
    const fovea = resultOf(entry, 'fovea');
    if (!fovea) return [];
    const density = densityOf(shapeOf(entry.shape));
    const peer = bestPeer(entry);
    return [
      [
        shapeOf(entry.shape).title,
        `${(100 * density).toPrecision(3)} %`,
        time(fovea) + threadMark(fovea, leg),
        nanosecondsPerPair(entry.shape, fovea).toPrecision(3),
        percent(efficiencyOf(leg, entry.shape)),
        percent(shareOfLimit(entry, fovea)),
        digits(fovea.first),
        megabytes(fovea.bytes),
        peer ? time(peer) : '',
        peer ? megabytes(peer.bytes) : '',
      ],
    ];
  });
  const head = [
    'sparse',
    'density',
    'fovea, ms',
    'ns per pair',
    'efficiency',
    'of the limit',
    'first call, ms',
    'wasm memory, MB',
  ];
  return table([...head, 'onnxruntime-web with a mask, ms', 'its wasm memory, MB'], rows);
}

/** fovea's linear attention, beside the peer that has it. */
function linearTable(leg) {
  const rows = family(leg, 'linear').flatMap((entry) => {
    const fovea = resultOf(entry, 'fovea');
    if (!fovea) return [];
    const peer = bestPeer(entry);
    return [
      [
        shapeOf(entry.shape).title,
        time(fovea) + threadMark(fovea, leg),
        digits(nanosecondsPerToken(entry.shape, fovea)),
        percent(shareOfLimit(entry, fovea)),
        digits(fovea.first),
        `${megabytes(fovea.before)} → ${megabytes(fovea.bytes)}`,
        peer ? time(peer) : '',
        peer ? timesFaster(fovea, peer).toFixed(2) : '',
        peer ? megabytes(peer.bytes) : '',
      ],
    ];
  });
  const head = ['linear', 'fovea, ms', 'ns per token', 'of the limit', 'first call, ms', 'wasm memory, MB'];
  return table([...head, 'onnxruntime-web, ms', '× onnxruntime-web', 'its wasm memory, MB'], rows);
}

/** fovea's encoder, beside the best graph of the peer. */
function encoderTable(leg) {
  const rows = family(leg, 'encoder').flatMap((entry) => {
    const fovea = resultOf(entry, 'fovea');
    if (!fovea) return [];
    const peer = bestPeer(entry);
    const arrays = resultOf(entry, 'fovea-arrays');
    return [
      [
        shapeOf(entry.shape).title,
        time(fovea) + threadMark(fovea, leg),
        digits(rateOf(entry.shape, fovea)),
        percent(shareOfLimit(entry, fovea)),
        arrays ? time(arrays) : '',
        megabytes(fovea.bytes),
        peer ? `${time(peer)}, ${contestantOf(peer.id).title}` : '',
        peer ? timesFaster(fovea, peer).toFixed(2) : '',
        peer ? megabytes(peer.bytes) : '',
      ],
    ];
  });
  const head = ['encoder', 'fovea, ms', 'GFLOP/s', 'of the limit', 'plain arrays, ms', 'wasm memory, MB'];
  return table([...head, 'onnxruntime-web, ms', '× onnxruntime-web', 'its wasm memory, MB'], rows);
}

/** The encoder with weights of 8 bits, beside those of 8 bits and of float32. */
function int8Table(leg) {
  const rows = family(leg, 'encoder').flatMap((entry) => {
    const int8 = resultOf(entry, 'fovea-int8');
    if (!int8) return [];
    const beside = (other) => (other ? [time(other), timesFaster(int8, other).toFixed(2)] : ['', '']);
    const peer = bestPeer(entry, true);
    return [
      [
        shapeOf(entry.shape).title,
        time(int8) + threadMark(int8, leg),
        int8.cosine.toFixed(5),
        ...beside(resultOf(entry, 'fovea')),
        ...beside(bestPeer(entry)),
        ...beside(peer),
        peer ? peer.cosine.toFixed(5) : '',
        peer ? contestantOf(peer.id).title : '',
        `${megabytes(int8.bytes)}, ${peer ? megabytes(peer.bytes) : ''}`,
      ],
    ];
  });
  const head = ['encoder, int8', 'fovea int8, ms', 'its cosine', 'fovea f32, ms', '×', 'onnxruntime-web f32, ms', '×'];
  return table([...head, 'its int8, ms', '×', 'its cosine', 'by', 'wasm memory, MB'], rows);
}

/** Inputs of one shape, the slow one beside the ordinary one. */
function cliffTable(leg) {
  const rows = cliffs
    .filter(({ id }) => leg.cliffs?.[id])
    .map(({ id, title, beside, goal }) => {
      const { failure, slow, ordinary } = leg.cliffs[id];
      const times = failure ? ['fails', failure, ''] : [time(slow), time(ordinary), slowdownOf(leg, id).toFixed(2)];
      return [title, beside, ...times, goal.toFixed(0)];
    });
  return table(['slowest input of a shape', 'beside', 'ms', 'beside it, ms', 'times', 'wanted at most'], rows);
}

/** Layers around attention, beside the peer that has them. */
function layerTable(leg) {
  const rows = layers
    .filter(({ id }) => leg.layers?.[id])
    .map(({ id, title }) => {
      const { failure, fovea, peer } = leg.layers[id];
      if (failure) return [title, 'fails', failure, ''];
      return [title, time(fovea), peer ? time(peer) : '', peer ? timesFaster(fovea, peer).toFixed(2) : ''];
    });
  return table(['around attention', 'fovea, ms', 'onnxruntime-web, ms', '× onnxruntime-web'], rows);
}

/** Decoders token by token, in one run. */
function decoderTable(leg) {
  const rows = decoders
    .filter(({ id }) => leg.decoders?.[id])
    .flatMap(({ id, title, goals }) => {
      const { failure, ...results } = leg.decoders[id];
      if (failure) return [[title, '', 'fails', failure, '', '', '', '']];
      return Object.entries(results).map(([way, result]) => {
        if (result.failure) return [title, way, 'fails', result.failure, '', '', '', ''];
        const beside = (other) => decoderRatio(leg, id, way, other)?.toFixed(2) ?? '';
        const cosine = result.cosine === undefined ? '' : result.cosine.toFixed(5);
        const rate = [(1000 * result.median).toFixed(0), digits(1000 / result.median)];
        return [
          title,
          way,
          ...rate,
          beside(results.loops ? 'loops' : 'model'),
          goals[way] ?? '',
          beside('onnxruntime'),
          cosine,
        ];
      });
    });
  const head = ['decoder', 'by', 'µs a token', 'tokens/s', '× the first way', 'wanted'];
  return table([...head, '× onnxruntime-web', 'cosine of logits'], rows);
}

/** Whole models beside transformers.js: from text to vector, from ids to ids, and from the import to the first vector. */
function modelTables(leg) {
  if (!leg.models) return [];
  return [embedTable(leg), generateTable(leg), startTable(leg)];
}

function embedTable({ models: results }) {
  const asked = models
    .filter(({ id, kind }) => kind === 'encoder' && results[id])
    .flatMap((model) => questions.map((question) => ({ model, question, ways: results[model.id][question.id] })));
  const failed = models
    .filter(({ id, kind }) => kind === 'encoder' && results[id]?.failure)
    .map(({ id, title }) => [title, 'fails', results[id].failure, '', '', '', '', '']);
  const measured = asked
    .filter(({ ways }) => ways)
    .map(({ model, question, ways }) => {
      const [best, bestInt8] = [false, true].map((int8) => bestPeerWay(ways, int8));
      return [
        `${model.title}, ${question.title}`,
        time(ways.fovea),
        timeAndName(best),
        digits(embedRatio(leg, model.id, question.id, false)),
        `${time(ways['fovea-int8'])}, ${ways['fovea-int8'].cosine.toFixed(5)}`,
        `${timeAndName(bestInt8)}, ${bestInt8[1].cosine.toFixed(5)}`,
        digits(embedRatio(leg, model.id, question.id, true)),
        ways.layers ? percent(ways.fovea.median / ways.layers.median - 1) : '',
      ];
    });
  const head = [
    'embed, text to vector',
    'fovea, ms',
    'transformers.js, ms',
    '×',
    'fovea int8, ms, cosine',
    'q8, ms, cosine',
    '×',
  ];
  return table([...head, 'beyond the layers'], [...measured, ...failed]);
}

const timeAndName = ([way, result]) => `${time(result)} (${titleOf(way)})`;

function generateTable({ models: results }) {
  const rows = models
    .filter(({ id, kind }) => kind === 'decoder' && results[id])
    .flatMap(({ id, title }) => {
      const { failure, generate } = results[id];
      if (failure) return [[title, 'fails', failure, '', '']];
      return Object.entries(generate).map(([way, result]) => [
        title,
        titleOf(way),
        time(result),
        digits(result.first),
        result.cosine?.toFixed(5) ?? '',
      ]);
    });
  const head = [
    'generate: a prompt of 128 tokens, 128 more',
    'by',
    'new tokens a second, the prompt included',
    'first token, ms',
  ];
  return table([...head, 'cosine of logits'], rows);
}

function startTable({ models: results }) {
  const rows = Object.entries(results.cold ?? {}).map(([way, { start, code, weights }]) => [
    titleOf(way),
    time(start),
    (code / 1e6).toFixed(2),
    megabytes(weights),
  ]);
  const head = ['from the import to the first vector, files in the HTTP cache', 'ms', 'code, MB gzipped', 'weights, MB'];
  return table(head, rows);
}

/** Steps of training and gradients, beside the fastest peer. */
function trainingTable({ training }) {
  if (!training) return '';
  const rows = tasks
    .filter(({ id }) => training[id])
    .map(({ id, title }) => {
      const { failure, ...results } = training[id];
      if (failure) return [title, 'fails', failure];
      const best = bestPeerOf(results);
      const cells = ways.map((way) => (results[way] ? time(results[way]) : ''));
      const ratio = best ? timesFaster(results.fovea, best[1]).toFixed(2) : '';
      return [title, ...cells, ratio, ways.map((way) => (results[way] ? digits(results[way].first) : '–')).join(' / ')];
    });
  const head = ['training, ms', ...ways.map((way) => titles[way]), '× best peer', 'first call, in the same order'];
  return table(head, rows);
}

function growthText(leg) {
  const growth = growthOf(leg);
  if (!growth) return '';
  const { a, b, from, to } = growth;
  return `elu1, N = ${from.toFixed(0)} to ${to.toFixed(0)}: time = ${digits(a)} ns · N^${b.toFixed(3)}`;
}

function coldTable(leg) {
  if (!leg.cold) return '';
  const show = (summary) => (summary ? time(summary) : '');
  const rows = Object.entries(leg.cold).map(([id, cold]) => [
    contestantOf(id).title,
    ...(cold.failure
      ? ['fails', cold.failure, '', '']
      : [show(cold.ready), show(cold.result), show(cold.first), show(cold.start)]),
  ]);
  const head = [
    'cold, ms',
    'page start to ready',
    'to first result (N = 512)',
    'first call, N = 2048',
    'load to first small result',
  ];
  return table(head, rows);
}

function goalText(results) {
  const rows = judge(results).map(({ goal, wanted, here, runs, reached }) => [
    goal,
    wanted,
    here,
    runs,
    reached ? 'yes' : 'no',
  ]);
  return rows.length === 0 ? '' : `## Goals\n\n${table(['', 'wanted', 'median of the runs', 'runs', 'reached'], rows)}`;
}

/** All that have a result somewhere in a leg, in the usual order. */
function idsOf(leg) {
  return [...new Set(leg.shapes.flatMap(({ results }) => Object.keys(results)))].sort((a, b) => order(a) - order(b));
}

const order = (id) => contestants.findIndex((contestant) => contestant.id === id);

function time({ median, q1, q3 }) {
  return `${digits(median)} ±${digits((q3 - q1) / 2)}`;
}

function table(head, rows) {
  if (rows.length === 0) return '';
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_, i) => (i === 0 ? '---' : '--:'))), ...rows.map(line)].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log(report(JSON.parse(readFileSync(process.argv[2] ?? resultsFile, 'utf8'))));
}
