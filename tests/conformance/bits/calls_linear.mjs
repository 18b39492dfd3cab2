/** The calls of the entry of linear attention: { FUNCTION: [how many of about 2000, (context) => results] }. */
import { drawInputs } from './calls_attention.mjs';
import { member } from './names.mjs';
import { drawRules, drawSizes, given, maybe } from './options.mjs';
import { drawPattern } from './patterns.mjs';

const MAPS = ['elu1', 'relu', 'squaredRelu', 'identity', 'exp', 'softmax', 'favor+', 'taylor', 'precomputed'];

/** taylor's features are 1 + D + D², so its width stays small. */
function drawLinearSizes(c) {
  const drawn = drawSizes(c);
  const D = c.pick(1, 7, 8, 16, 64);
  return { ...drawn, Tk: Math.min(drawn.Tk, D > 16 ? 260 : 1300), D, Dv: c.pick(1, 7, 8, 64) };
}

/** A feature map with its options; `maps`: those that the call takes. */
function drawFeatures(c, D, maps) {
  const featureMap = c.pick(...maps.filter((map) => map !== 'taylor' || D <= 16));
  if (featureMap !== 'favor+') return { featureMap };
  if (c.chance(0.3)) return { featureMap, projection: c.floats([c.pick(5, 16), D]) };
  return given({
    featureMap,
    features: D === 64 || c.chance(0.5) ? c.pick(8, 16, 33) : undefined,
    seed: maybe(c, 0.5, () => c.integer(0, 1e6)),
    redraw: maybe(c, 0.3, () => c.integer(0, 9)),
  });
}

/** An update rule with its gates; `perToken` draws { decay, beta } of tokens, or null for numbers alone. */
function drawRule(c, Hkv, perToken) {
  const updateRule = c.pick('linear', 'gated', 'delta', 'gatedDelta');
  const [gated, delta] = [updateRule.startsWith('gated'), updateRule.toLowerCase().endsWith('delta')];
  const gates = perToken?.() ?? {};
  const retention =
    gated && c.chance(0.3)
      ? c.pick(
          0.9,
          c.list(Hkv, () => 0.5 + 0.5 * c.uniform()),
        )
      : undefined;
  const isNamed = retention === undefined || delta || c.chance(0.5);
  return given({
    updateRule: isNamed ? updateRule : undefined,
    retention,
    decay: gated && retention === undefined ? (gates.decay ?? -0.1) : undefined,
    beta: delta ? (gates.beta ?? 0.4) : undefined,
    qkNormalize: delta || c.chance(0.2) ? 'l2' : undefined,
  });
}

function drawCommon(c) {
  return given({
    normalize: maybe(c, 0.25, () => c.chance(0.5)),
    scale: maybe(c, 0.25, () => c.pick(0.3, 1)),
    eps: maybe(c, 0.3, () => 1e-3),
    chunkSize: maybe(c, 0.3, () => c.pick(1, 5, 16, 48, 64)),
  });
}

/** Gates of the tokens of [B?, Hkv, T] keys, for layouts with the heads before the tokens. */
function tokenGates(c, lead, T, features) {
  return () => ({
    decay: c.chance(0.5) ? c.uniforms([...lead, T], -1, 0) : c.uniforms([...lead, T, features], -1, 0),
    beta: c.uniforms([...lead, T], 0, 1),
  });
}

function linearAttention(c) {
  const drawn = drawLinearSizes(c);
  const isRule = c.chance(0.45);
  const causal = isRule || c.chance(0.45);
  const sizes = causal ? { ...drawn, Tq: drawn.Tk } : drawn;
  const { B, Hkv, Tk, D } = sizes;
  const { inputs, layout } = drawInputs(c, sizes);
  const keys = inputs[1].shape;
  const lead = Object.keys(layout).length === 0 && keys?.length > 2 ? keys.slice(0, -2) : null;
  const gates = lead === null || c.chance(0.3) ? null : tokenGates(c, lead, Tk, D);
  const returnState = c.chance(0.4);
  const maps = isRule
    ? ['identity', 'elu1', 'relu']
    : causal || returnState
      ? MAPS.filter((map) => map !== 'softmax')
      : [...MAPS, 'softmax', 'favor+'];
  const features = isRule && c.chance(0.6) ? {} : drawFeatures(c, D, maps);
  const options = {
    ...features,
    ...(isRule ? drawRule(c, Hkv, gates) : { causal: causal || undefined, qkNormalize: maybe(c, 0.15, () => 'l2') }),
    ...drawCommon(c),
    ...layout,
    keyLengths: maybe(c, 0.25, () => c.list(B, () => c.integer(0, Tk))),
    returnState: returnState || undefined,
    trace: maybe(c, 0.1, () => true),
  };
  const first = c.call('linearAttention', ...inputs, given(options));
  if (!returnState || !c.chance(0.6)) return first;
  const { trace, keyLengths, ...rest } = options;
  return { first, second: c.call('linearAttention', ...inputs, given({ ...rest, initialState: first.state })) };
}

function linearState(c) {
  const { B, H, Hkv, D, Dv } = { ...drawLinearSizes(c), D: c.pick(1, 7, 8, 64) };
  const isRule = c.chance(0.5);
  const batch = c.chance(0.5) ? B : undefined;
  const options = {
    ...(isRule
      ? drawRule(c, Hkv, null)
      : drawFeatures(
          c,
          D,
          MAPS.filter((map) => map !== 'softmax'),
        )),
    ...drawCommon(c),
    batch,
    heads: H,
    kvHeads: Hkv === H ? undefined : Hkv,
    width: D,
    valueWidth: Dv === D ? undefined : Dv,
  };
  const state = c.own(c.call('linearState', given(options)));
  const lead = batch === undefined ? [] : [batch];
  const step = (own, T) => {
    const gates = {
      decay: options.decay !== undefined ? maybe(c, 0.5, () => c.uniforms([...lead, Hkv, T], -1, 0)) : undefined,
      beta: options.beta !== undefined ? maybe(c, 0.5, () => c.uniforms([...lead, Hkv, T], 0, 1)) : undefined,
    };
    const args = [c.array([...lead, H, T, D]), c.array([...lead, Hkv, T, D]), c.array([...lead, Hkv, T, Dv])];
    if (gates.decay !== undefined || gates.beta !== undefined) args.push(given(gates));
    return own.step(...args);
  };
  const outputs = c.list(c.integer(1, 4), () => step(state, c.pick(1, 1, 3, 65)));
  const copy = c.own(c.chance(0.5) ? member(state, 'clone')() : c.call('linearStateFrom', JSON.parse(JSON.stringify(state))));
  const results = { outputs, state: state.state(), length: member(state, 'length'), next: step(copy, 2), copied: copy.state() };
  member(state, 'clear')();
  return { ...results, cleared: state.state() };
}

function linformer(c) {
  const sizes = drawLinearSizes(c);
  const { inputs, layout } = drawInputs(c, sizes);
  const r = c.integer(1, 40);
  const isDrawn = c.chance(0.4);
  const options = {
    ...(isDrawn
      ? { rank: r, seed: c.integer(0, 999) }
      : { E: c.array([r, sizes.Tk]), F: maybe(c, 0.5, () => c.array([r, sizes.Tk])) }),
    ...layout,
    scale: maybe(c, 0.3, () => 0.3),
    keyLengths: maybe(c, 0.3, () => c.list(sizes.B, () => c.integer(0, sizes.Tk))),
    returnWeights: maybe(c, 0.3, () => true),
    returnLse: maybe(c, 0.2, () => true),
    returnLogits: maybe(c, 0.2, () => 'raw'),
    trace: maybe(c, 0.1, () => true),
  };
  return c.call('linformer', ...inputs, given(options));
}

function approximation(c) {
  const { Tk: long, ...drawn } = drawLinearSizes(c);
  drawn.Tk = Math.min(long, 130);
  const kind = c.pick('linear', 'linear', 'linformer', 'pattern');
  const causal = c.chance(0.4) && kind === 'linear';
  const sizes = { ...drawn, Tq: causal ? drawn.Tk : drawn.Tq };
  const { inputs, layout } = drawInputs(c, sizes);
  const { B, H, Tq, Tk, D } = sizes;
  const rules = kind === 'pattern' ? drawRules(c, sizes) : {};
  const place = { B, H, Tq, Tk, first: 0, last: Tq - 1 };
  const method = {
    linear: () => ({
      linear: given({
        ...drawFeatures(c, D, causal ? ['elu1', 'exp', 'favor+'] : MAPS),
        causal: causal || undefined,
        ...layout,
      }),
    }),
    linformer: () => ({ linformer: { rank: c.integer(1, 20), ...layout } }),
    pattern: () => given({ causal: rules.causal, mask: rules.mask, ...layout, pattern: drawPattern(c, place) }),
  }[kind]();
  return c.call('approximation', ...inputs, method);
}

function favorProjection(c) {
  const width = c.pick(1, 7, 8, 64, 80);
  const options = {
    width,
    features: maybe(c, 0.5, () => c.integer(1, 100)),
    seed: maybe(c, 0.6, () => c.integer(0, 1e9) * 4096),
    redraw: maybe(c, 0.3, () => c.integer(0, 2047)),
  };
  return { projection: c.call('favorProjection', given(options)) };
}

export const calls = {
  linearAttention: [170, linearAttention],
  linearState: [70, linearState],
  linformer: [40, linformer],
  approximation: [50, approximation],
  favorProjection: [12, favorProjection],
};
