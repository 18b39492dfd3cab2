/** Random options of attention. Sizes: B, H, Hkv, Tq, Tk, D, Dv; letters as in the package's types. */
import { drawPattern } from './patterns.mjs';
import { label } from './record.mjs';
import { nested } from './draw.mjs';

const LENGTHS = [1, 3, 5, 63, 64, 65, 130];
const WIDTHS = [1, 7, 8, 64, 80];

/** Ragged sizes: few queries in near half of the calls, and now and then so many keys that the core cuts them into ranges. */
export function drawSizes(c) {
  const Hkv = c.pick(1, 1, 2, 3);
  const isFar = c.chance(0.03);
  const Tk = isFar ? c.integer(1025, 2300) : c.chance(0.08) ? c.integer(257, 700) : c.pick(...LENGTHS);
  const D = c.pick(...WIDTHS);
  return {
    B: c.pick(1, 1, 2),
    Hkv,
    H: Hkv * c.pick(1, 1, 2, 4),
    Tq: isFar || c.chance(0.45) ? c.integer(1, 8) : c.chance(0.4) ? Tk : c.pick(...LENGTHS),
    Tk,
    D,
    Dv: c.chance(0.6) ? D : c.pick(...WIDTHS),
  };
}

export function maybe(c, p, value) {
  return c.chance(p) ? value() : undefined;
}

/** causal, causalAlign or causalOffset, window, keyLengths, mask. */
export function drawRules(c, { B, H, Tq, Tk }) {
  const offset = c.chance(0.25) ? c.pick('align', 'one', 'each') : '';
  const any = () => c.integer(-3, Math.max(1, Tk - Tq + 3));
  return {
    causal: maybe(c, 0.3, () => c.chance(0.9)),
    causalAlign: offset === 'align' ? c.pick('bottom-right', 'top-left') : undefined,
    causalOffset: offset === 'one' ? any() : offset === 'each' ? c.list(B, any) : undefined,
    window: maybe(c, 0.2, () => [c.integer(-1, 66), c.integer(-1, 6)]),
    keyLengths: maybe(c, 0.2, () => {
      const lengths = c.list(B, () => (c.chance(0.1) ? 0 : c.integer(0, Tk)));
      return c.chance(0.5) ? lengths : Int32Array.from(lengths);
    }),
    mask: maybe(c, 0.3, () => drawMask(c, [B, H, Tq, Tk])),
  };
}

/** A boolean or a float mask that broadcasts to `pairs`, [B, H, Tq, Tk]. */
export function drawMask(c, [B, H, Tq, Tk]) {
  const shape = c.pick(
    [Tq, Tk],
    [1, Tk],
    [Tq, 1],
    [Tk],
    [H, Tq, Tk],
    [1, Tq, Tk],
    [B, H, Tq, Tk],
    [B, 1, Tq, Tk],
    [B, 1, 1, Tk],
    [1, H, Tq, 1],
  );
  const text = `[${shape}]`;
  if (c.chance(0.5)) {
    const { data } = c.booleans(shape, 0.7);
    const isTrue = Array.from(data, Boolean);
    const mask = c.pick({ data, shape }, { data: isTrue, shape }, nested(Uint8Array.from(data), shape));
    return label(Array.isArray(mask) ? asBooleans(mask) : mask, `boolean${text}`, ['boolean', `rank ${shape.length}`]);
  }
  const mask = c.floats(shape);
  for (let n = 0; n < mask.data.length; n++) if (c.chance(0.15)) mask.data[n] = -Infinity;
  return label(c.form(mask), `float${text}`, ['float', `rank ${shape.length}`]);
}

function asBooleans(list) {
  return list.map((one) => (Array.isArray(one) ? asBooleans(one) : Boolean(one)));
}

/** One to three kinds of bias. */
export function drawBiases(c, { B, H, Tq, Tk }) {
  const { bias } = c.api;
  const clip = c.pick(0, 1, 4, 16, 70);
  const makers = {
    alibi: () => bias.alibi(c.chance(0.4) ? undefined : Array.from(c.floats([H]).data)),
    distance: () => bias.distance(c.chance(0.5) ? 0.25 : c.list(H, () => c.normal())),
    relative: () => bias.relative(c.floats(c.chance(0.5) ? [2 * clip + 1] : [H, 2 * clip + 1]), clip),
    t5: () =>
      bias.t5(c.floats([c.pick(4, 8, 32), H]), { bidirectional: c.chance(0.6), maxDistance: c.pick(undefined, 64, 200) }),
    gaussian: () =>
      bias.gaussian(
        c.chance(0.5) ? Tk / 2 : c.uniforms(c.pick([Tq], [H, Tq], [B, H, Tq], [H, 1]), 0, Tk),
        c.chance(0.5) ? 3.5 : c.uniforms(c.pick([Tq], [H, Tq], [B, 1, Tq]), 0.5, 9),
      ),
    direction: () => bias.direction(c.pick('forward', 'backward')),
  };
  const kinds = Object.keys(makers);
  const chosen = [...new Set(c.list(c.pick(1, 1, 1, 2, 3), () => c.pick(...kinds)))];
  const list = chosen.map((kind) => makers[kind]());
  return list.length === 1 && c.chance(0.5) ? list[0] : list;
}

function drawRelative(c, H, width) {
  const clip = c.pick(0, 1, 4, 16, 70);
  return { table: c.floats(c.chance(0.5) ? [2 * clip + 1, width] : [H, 2 * clip + 1, width], 0.5), clip };
}

/** A score, and the width of its keys. */
export function drawScore(c, { H, Hkv, Tk, D }, mayWiden = true) {
  const { score } = c.api;
  const A = c.pick(1, 7, 16, 64);
  const kind = c.pick('dot', 'scaledDot', 'bilinear', 'bilinear', 'additive', 'additive', 'concat', 'cosine', 'location');
  const Dk = mayWiden && c.chance(0.4) && ['bilinear', 'additive', 'concat'].includes(kind) ? c.pick(...WIDTHS) : D;
  const out = c.chance(0.3);
  const matrix = (heads, rows, columns) => {
    const shape = out ? [columns, rows] : [rows, columns];
    return c.form(c.floats(c.chance(0.3) && heads !== null ? [heads, ...shape] : shape, 1 / Math.sqrt(rows)));
  };
  const vector = () => c.floats(c.chance(0.3) ? [H, A] : [A], 0.5);
  const layout = out ? { weightLayout: 'outIn' } : undefined;
  const make = {
    dot: () => score.dot(),
    scaledDot: () => score.scaledDot(),
    cosine: () => score.cosine(),
    bilinear: () => score.bilinear(matrix(H, D, Dk), layout),
    additive: () =>
      score.additive({ Wq: matrix(H, D, A), Wk: matrix(Hkv, Dk, A), w: vector(), bias: maybe(c, 0.5, vector) }, layout),
    concat: () =>
      score.concat({ W: matrix(H === Hkv ? H : null, D + Dk, A), w: vector(), bias: maybe(c, 0.5, vector) }, layout),
    location: () => score.location(c.floats(c.chance(0.3) ? [Hkv, Tk + 2, D] : [Tk + c.integer(0, 3), D])),
  }[kind];
  return { score: label(make(), kind), Dk, isAdditive: kind === 'additive' || kind === 'concat' };
}

export function drawNormalize(c) {
  return c.pick(
    'softmax',
    'relu',
    'sigmoid',
    'hard',
    'sampled',
    'sparsemax',
    'entmax15',
    { kind: 'relu', scaled: false },
    { kind: 'sigmoid', bias: -1.5 },
    { kind: 'topK', k: c.integer(1, 9) },
    { kind: 'topK', k: c.integer(1, 90) },
    { kind: 'sampled', seed: c.integer(0, 1e6) },
  );
}

/** How scores become weights: scale to pattern. `of.score`, `of.pattern`: whether the call takes them. Returns Dk beside the options. */
export function drawVariant(c, sizes, rules, of = {}) {
  const { B, H, Tq, Tk, Dv } = sizes;
  const { mayWiden = true, withPattern = true } = of;
  const { score, Dk = sizes.D, isAdditive = false } = maybe(c, 0.22, () => drawScore(c, sizes, mayWiden)) ?? {};
  const normalize = maybe(c, 0.3, () => drawNormalize(c));
  const isSoftmax = normalize === undefined || normalize === 'softmax';
  const offsets = offsetsOf(rules, sizes);
  const place = { B, H, Tq, Tk, first: Math.min(...offsets), last: Math.max(...offsets) + Tq - 1 };
  const options = {
    score,
    scale: maybe(c, 0.2, () => c.pick(0, -0.5, 0.3, 1, 2.5)),
    softcap: maybe(c, 0.18, () => c.pick(0, 1, 5, 30)),
    bias: maybe(c, 0.28, () => drawBiases(c, sizes)),
    relativeKeys: isAdditive ? undefined : maybe(c, 0.12, () => drawRelative(c, H, score === undefined ? sizes.D : Dk)),
    relativeValues: maybe(c, 0.12, () => drawRelative(c, H, Dv)),
    normalize,
    temperature: maybe(c, 0.12, () => c.pick(0.5, 1, 3)),
    sinks: isSoftmax ? maybe(c, 0.15, () => (c.chance(0.5) ? 0.7 : c.list(H, () => c.normal()))) : undefined,
    pattern: withPattern ? maybe(c, 0.25, () => drawPattern(c, place)) : undefined,
  };
  return { options, Dk, isSoftmax };
}

/** The position of the first query of each batch entry. */
function offsetsOf({ causalAlign, causalOffset, keyLengths }, { B, Tq, Tk }) {
  return Array.from({ length: B }, (_, b) => {
    if (causalAlign === 'bottom-right') return (keyLengths?.[b] ?? Tk) - Tq;
    return typeof causalOffset === 'number' ? causalOffset : (causalOffset?.[b] ?? 0);
  });
}

/** The options that ask for results besides the output. */
export function drawAsked(c, { B, H, Tq }, isSoftmax) {
  return {
    returnWeights: maybe(c, 0.4, () => c.pick(true, true, 'dense', 'sparse', false)),
    returnLse: isSoftmax ? maybe(c, 0.25, () => true) : undefined,
    returnLogits: maybe(c, 0.2, () => c.pick('raw', 'capped', 'biased')),
    trace: maybe(c, 0.12, () => (c.chance(0.5) ? true : { batch: B - 1, head: H - 1, rows: [0, Math.min(Tq, 3)] })),
  };
}

/** Without the options that are undefined. */
export function given(options) {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}
