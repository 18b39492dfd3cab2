/** The calls of attention: { FUNCTION: [how many of about 2000, (context) => results] }. */
import { label } from './record.mjs';
import { drawAsked, drawRules, drawSizes, drawVariant, given, maybe } from './options.mjs';

/** q, k and v in one of the layouts, and the options that say so. */
export function drawInputs(c, { B, H, Hkv, Tq, Tk, D, Dv }, Dk = D) {
  const Bk = B > 1 && c.chance(0.2) ? 1 : B;
  const scale = c.pick(1, 1, 1, 3);
  const layout = c.pick('bhtd', 'bhtd', 'bthd', 'packed', ...(H === 1 ? ['btd', 'short'] : []), ...(B === 1 ? ['htd'] : []));
  const shapes = {
    bhtd: (b, h, t, d) => [b, h, t, d],
    htd: (b, h, t, d) => [h, t, d],
    short: (b, h, t, d) => (B === 1 ? [t, d] : [b, 1, t, d]),
    bthd: (b, h, t, d) => [b, t, h, d],
    btd: (b, h, t, d) => [b, t, d],
    packed: (b, h, t, d) => [b, t, h * d],
  };
  const shape = shapes[layout];
  const inputs = [c.array(shape(B, H, Tq, D), scale), c.array(shape(Bk, Hkv, Tk, Dk), scale), c.array(shape(Bk, Hkv, Tk, Dv))];
  const named = {
    bthd: { layout: 'bthd' },
    btd: { layout: 'btd' },
    packed: given({ heads: H, kvHeads: Hkv === H ? undefined : Hkv }),
  };
  const leading = { htd: [H], btd: [B], short: B === 1 ? [] : [B, 1] }[layout] ?? [B, H];
  return { inputs, layout: named[layout] ?? {}, output: shape(B, H, Tq, Dv), rows: [...leading, Tq] };
}

function zeros(shape) {
  return { data: new Float32Array(shape.reduce((product, n) => product * n, 1)), shape };
}

/** Targets for results; a target that is written to is a result. */
function drawTargets(c, shapes) {
  const target = (shape) => (c.chance(0.5) ? zeros(shape) : c.fovea.tensor(zeros(shape)));
  const chosen = Object.entries(shapes).filter(([, shape], n) => shape !== undefined && (n === 0 || c.chance(0.5)));
  return c.chance(0.1) ? Object.fromEntries(chosen.map(([name, shape]) => [name, target(shape)])) : undefined;
}

function attention(c) {
  const sizes = drawSizes(c);
  const rules = drawRules(c, sizes);
  const { options, Dk, isSoftmax } = drawVariant(c, sizes, rules);
  const asked = drawAsked(c, sizes, isSoftmax);
  const { inputs, layout, output, rows } = drawInputs(c, sizes, Dk);
  const isSparse = options.pattern !== undefined || asked.returnWeights === 'sparse';
  const weights = isSparse ? undefined : [...rows, sizes.Tk];
  const out = drawTargets(c, { output, weights, lse: isSoftmax ? rows : undefined });
  const result = c.call('attention', ...inputs, given({ ...rules, ...options, ...asked, ...layout, out }));
  return { ...result, out };
}

/** One choice alone, at sizes at which the core takes its fast paths. */
function plainAttention(c) {
  const sizes = { ...drawSizes(c), D: c.pick(64, 80), B: c.pick(1, 2) };
  const { inputs, layout } = drawInputs(c, sizes);
  const rules = drawRules(c, sizes);
  const { options, isSoftmax } = drawVariant(c, sizes, {}, { mayWiden: false });
  const one = c.pick(...Object.entries(given({ ...rules, ...options })), ['causal', false]);
  const asked = c.pick({}, {}, { returnWeights: true }, isSoftmax || one[0] !== 'normalize' ? { returnLse: true } : {});
  return c.call('attention', ...inputs, { [one[0]]: one[1], ...asked, ...layout });
}

/** Sizes, params and options that selfAttention and multiHeadAttention share. */
function drawProjected(c, { B, H, Hkv, D, Dv }, widths) {
  const out = c.chance(0.4);
  const matrix = (rows, columns) => c.form(c.floats(out ? [columns, rows] : [rows, columns], 1 / Math.sqrt(rows)));
  const vector = (length) => c.form(c.floats([length], 0.5));
  const [Eq, Ek, Ev] = widths;
  const Wo = maybe(c, 0.6, () => c.pick(8, 5, 64));
  const params = given({
    Wq: matrix(Eq, H * D),
    Wk: matrix(Ek, Hkv * D),
    Wv: matrix(Ev, Hkv * Dv),
    Wo: Wo === undefined ? undefined : matrix(H * Dv, Wo),
    bq: maybe(c, 0.4, () => vector(H * D)),
    bk: maybe(c, 0.4, () => vector(Hkv * D)),
    bv: maybe(c, 0.4, () => vector(Hkv * Dv)),
    bo: Wo === undefined ? undefined : maybe(c, 0.5, () => vector(Wo)),
  });
  const names = Object.keys(params).join(' ');
  return { params, names, batch: B > 1 || c.chance(0.5) ? [B] : [], weightLayout: out ? 'outIn' : undefined };
}

function selfAttention(c) {
  const drawn = drawSizes(c);
  const T = Math.min(drawn.Tk, 300);
  const sizes = { ...drawn, Tq: T, Tk: T, D: c.pick(1, 7, 8, 16), Dv: c.pick(1, 8, 16) };
  const rules = drawRules(c, sizes);
  const { options, isSoftmax } = drawVariant(c, sizes, rules, { mayWiden: false });
  const width = c.pick(1, 7, 8, 64);
  const { params, names, batch, weightLayout } = drawProjected(c, sizes, [width, width, width]);
  const x = c.array([...batch, sizes.Tk, width]);
  const heads = sizes.H === 1 && c.chance(0.5) ? undefined : sizes.H;
  const kvHeads = sizes.H === sizes.Hkv || heads === undefined ? undefined : sizes.Hkv;
  const own = given({ ...rules, ...options, ...drawAsked(c, sizes, isSoftmax), heads, kvHeads, weightLayout });
  return c.call('selfAttention', x, label(params, names, []), own);
}

function multiHeadAttention(c) {
  const sizes = { ...drawSizes(c), D: c.pick(1, 7, 8, 16), Dv: c.pick(1, 8, 16) };
  const appends = c.chance(0.35);
  const rules = drawRules(c, sizes);
  const { options, isSoftmax } = drawVariant(c, sizes, rules, { mayWiden: false, withPattern: !appends });
  const widths = c.list(3, () => c.pick(1, 7, 8, 64));
  const { params, names, batch, weightLayout } = drawProjected(c, sizes, widths);
  const extra = appends ? c.pick('biasK', 'zero', 'both') : '';
  if (extra === 'biasK' || extra === 'both')
    Object.assign(params, { biasK: c.floats([sizes.Hkv * sizes.D]), biasV: c.floats([sizes.Hkv * sizes.Dv]) });
  // Appended keys have no position: tables of distances cannot be combined with them.
  if (appends)
    Object.assign(options, { relativeKeys: undefined, relativeValues: undefined, bias: options.bias && c.api.bias.alibi() });
  const inputs = widths.map((width, n) => c.array([...batch, n === 0 ? sizes.Tq : sizes.Tk, width]));
  if (extra === 'biasK' || extra === 'both') c.options.add('biasK, biasV');
  const { H, Hkv } = sizes;
  const asked = drawAsked(c, sizes, isSoftmax);
  const isDense = options.pattern === undefined && asked.returnWeights !== 'sparse';
  const own = given({
    ...rules,
    ...options,
    ...asked,
    heads: H,
    kvHeads: H === Hkv ? undefined : Hkv,
    weightLayout,
    addZeroAttention: extra === 'zero' || extra === 'both' ? true : undefined,
    averageWeights: isDense ? maybe(c, 0.3, () => true) : undefined,
  });
  return c.call('multiHeadAttention', ...inputs, label(params, `${names} ${extra}`, []), own);
}

function combine(c) {
  const { B, H, Tq, Dv } = drawSizes(c);
  const layout = c.pick('bhtd', 'bthd', 'packed', 'td');
  const output = { bhtd: [B, H, Tq, Dv], bthd: [B, Tq, H, Dv], packed: [B, Tq, H * Dv], td: [Tq, Dv] }[layout];
  const rows = layout === 'td' ? [Tq] : [B, H, Tq];
  const parts = c.list(c.integer(1, 4), () => {
    const lse = c.floats(rows, 3);
    for (let n = 0; n < lse.data.length; n++) if (c.chance(0.1)) lse.data[n] = -Infinity;
    return { output: c.array(output), lse: c.form(lse) };
  });
  const options = {
    sinks: maybe(c, 0.4, () => (c.chance(0.5) ? 0.3 : c.list(layout === 'td' ? 1 : H, () => c.normal()))),
    layout: layout === 'bthd' ? 'bthd' : undefined,
    heads: layout === 'packed' ? H : undefined,
    out: drawTargets(c, { output, lse: rows }),
  };
  return { ...c.call('combine', parts, given(options)), out: options.out };
}

function multiDimensionalAttention(c) {
  const drawn = drawSizes(c);
  const sizes = { ...drawn, Tk: Math.min(drawn.Tk, 130), Dv: c.pick(1, 7, 8, 16) };
  const withQueries = c.chance(0.7);
  const rules = drawRules(c, withQueries ? sizes : { ...sizes, H: sizes.Hkv, Tq: 1 });
  if (!withQueries) sizes.H = sizes.Hkv;
  const { inputs, layout } = drawInputs(c, sizes);
  const { H, Hkv, D, Dv } = sizes;
  const general = c.chance(0.5);
  const E = general ? c.pick(1, 7, 16) : Dv;
  const out = c.chance(0.3);
  const matrix = (heads, rows, columns) => {
    const shape = out ? [columns, rows] : [rows, columns];
    return c.form(c.floats(heads > 0 && c.chance(0.3) ? [heads, ...shape] : shape, 1 / Math.sqrt(rows)));
  };
  const params = given({
    Wq: withQueries ? matrix(H, D, E) : undefined,
    Wk: matrix(Hkv, D, E),
    bias: maybe(c, 0.5, () => c.floats(c.chance(0.3) ? [H, E] : [E])),
    W: general ? matrix(0, E, Dv) : undefined,
    b: general ? maybe(c, 0.5, () => c.floats([Dv])) : undefined,
  });
  const options = {
    ...rules,
    ...layout,
    c: general ? undefined : maybe(c, 0.5, () => c.pick(1, 8)),
    activation: general ? maybe(c, 0.6, () => c.pick('tanh', 'elu')) : undefined,
    weightLayout: out ? 'outIn' : undefined,
    returnWeights: maybe(c, 0.4, () => true),
    trace: maybe(c, 0.15, () => true),
  };
  const [q, k, v] = inputs;
  return c.call(
    'multiDimensionalAttention',
    withQueries ? q : null,
    k,
    v,
    label(params, Object.keys(params).join(' '), []),
    given(options),
  );
}

export const calls = {
  attention: [600, attention],
  'attention, one option': [160, plainAttention],
  selfAttention: [90, selfAttention],
  multiHeadAttention: [150, multiHeadAttention],
  combine: [60, combine],
  multiDimensionalAttention: [100, multiDimensionalAttention],
};
