/** The calls of the entries ops and position: { FUNCTION: [how many of about 2000, (context) => results] }. */
import { given, maybe } from './options.mjs';

const LENGTHS = [1, 3, 5, 63, 64, 65, 130];
const WIDTHS = [1, 7, 8, 64, 80];

function shapeOf(c, most = 3) {
  return [...c.list(c.integer(0, most - 1), () => c.pick(1, 2, 3, 5)), c.pick(...LENGTHS), c.pick(...WIDTHS)].slice(
    -c.integer(1, most),
  );
}

function axisOf(c, shape) {
  return maybe(c, 0.6, () => c.integer(-shape.length, shape.length - 1));
}

function alongAxis(name) {
  return (c) => {
    const shape = shapeOf(c);
    return { y: c.call(name, c.array(shape, 3), given({ axis: axisOf(c, shape) })) };
  };
}

function activation(name, options = () => ({})) {
  return (c) => ({ y: c.call(name, c.array(shapeOf(c), c.pick(1, 4, 30)), given(options(c))) });
}

function gate(name) {
  return (c) => {
    const shape = shapeOf(c);
    const axis = axisOf(c, shape);
    shape[(axis ?? -1) < 0 ? shape.length + (axis ?? -1) : axis] *= 2;
    const kind = name === 'geglu' ? maybe(c, 0.5, () => c.pick('erf', 'tanh')) : undefined;
    return { y: c.call(name, c.array(shape, 2), given({ axis, kind })) };
  };
}

function matmul(c) {
  const [M, K, N] = [c.pick(...LENGTHS), c.pick(...WIDTHS, 130), c.pick(...WIDTHS)];
  const lead = c.pick([], [2], [3, 2]);
  const a = c.pick([K], [M, K], [...lead, M, K], [1, M, K]);
  const b = c.pick([K], [K, N], [...lead, K, N], [1, K, N]);
  return { y: c.call('matmul', c.array(a), c.array(b)) };
}

const ACTIVATIONS = ['relu', 'gelu', 'geluTanh', 'silu', 'elu', 'leakyRelu', 'tanh', 'sigmoid'];

function linear(c) {
  const [inner, out] = [c.pick(...WIDTHS), c.pick(...WIDTHS, 130)];
  const bias = c.chance(0.6) ? c.array([out]) : undefined;
  const options = c.chance(0.5) ? [{ activation: c.pick(...ACTIVATIONS) }] : [];
  return { y: c.call('linear', c.array([...shapeOf(c).slice(0, -1), inner]), c.array([out, inner]), bias, ...options) };
}

function add(c) {
  const shape = shapeOf(c);
  const b = c.array(shape.slice(c.integer(0, shape.length - 1)));
  return { y: c.call('add', c.array(shape), b, given({ scale: maybe(c, 0.4, () => c.normal()) })) };
}

function norm(name) {
  return (c) => {
    const shape = shapeOf(c);
    const axis = axisOf(c, shape);
    const normalized = [shape.at(axis ?? -1)];
    const options = {
      axis,
      weight: maybe(c, 0.6, () => c.array(normalized)),
      bias: name === 'layerNorm' ? maybe(c, 0.6, () => c.array(normalized)) : undefined,
      eps: maybe(c, 0.4, () => c.pick(1e-6, 1e-3)),
      residual: maybe(c, 0.4, () => c.array(shape)),
    };
    return { y: c.call(name, c.array(shape, 2), given(options)) };
  };
}

/** Padding of a window of `kernel` entries. */
function paddingOf(c, kernel) {
  const most = Math.max(0, kernel - 1);
  return c.chance(0.5) ? c.integer(0, most) : [c.integer(0, most), c.integer(0, most)];
}

function pool(name) {
  return (c) => {
    const shape = shapeOf(c);
    const axis = axisOf(c, shape);
    const at = axis ?? (shape.length === 1 ? -1 : -2);
    const length = shape.at(at);
    const kernel = maybe(c, 0.7, () => c.integer(1, Math.min(9, length)));
    const windows =
      kernel === undefined
        ? {}
        : { kernel, stride: maybe(c, 0.5, () => c.integer(1, 4)), padding: maybe(c, 0.5, () => paddingOf(c, kernel)) };
    const countPadding = name === 'meanPool' && kernel !== undefined ? maybe(c, 0.4, () => c.chance(0.5)) : undefined;
    return { y: c.call(name, c.array(shape), given({ axis, ...windows, countPadding })) };
  };
}

function conv1d(c) {
  const groups = c.pick(1, 1, 2, 3);
  const [perGroup, outPer, T] = [c.pick(1, 3, 8, 21), c.pick(1, 4, 17), c.pick(5, 63, 64, 130)];
  const [kernel, dilation] = [c.integer(1, 5), c.pick(1, 1, 2)];
  const isBtd = c.chance(0.5);
  const shape = isBtd ? [T, groups * perGroup] : [groups * perGroup, T];
  const stride = maybe(c, 0.4, () => c.integer(1, 3));
  const options = {
    bias: maybe(c, 0.5, () => c.array([groups * outPer])),
    stride,
    padding: maybe(c, 0.7, () => (stride === undefined ? c.pick('same', 'causal', 2, [1, 3]) : c.pick('causal', 2, [1, 3]))),
    dilation: dilation === 1 ? undefined : dilation,
    groups: groups === 1 ? undefined : groups,
    layout: isBtd ? 'btd' : 'bct',
  };
  const batch = c.pick([], [1], [2]);
  return {
    y: c.call('conv1d', c.array([...batch, ...shape]), c.array([groups * outPer, perGroup, kernel], 0.5), given(options)),
  };
}

/** Weights of recurrent layers under PyTorch's names. */
function recurrentParams(c, gates, { I, Hd, layers, both, projection }) {
  const P = projection ?? Hd;
  const hasBias = c.chance(0.7);
  const params = {};
  for (let layer = 0; layer < layers; layer++) {
    for (const suffix of both ? ['', '_reverse'] : ['']) {
      const name = `_l${layer}${suffix}`;
      const inner = layer === 0 ? I : P * (both ? 2 : 1);
      params[`weight_ih${name}`] = c.floats([gates * Hd, inner], 1 / Math.sqrt(inner));
      params[`weight_hh${name}`] = c.floats([gates * Hd, P], 1 / Math.sqrt(P));
      if (hasBias) for (const bias of ['bias_ih', 'bias_hh']) params[`${bias}${name}`] = c.floats([gates * Hd], 0.3);
      if (projection !== undefined) params[`weight_hr${name}`] = c.floats([P, Hd], 1 / Math.sqrt(Hd));
    }
  }
  return params;
}

const GATES = { rnn: 1, gru: 3, lstm: 4 };

function recurrentLayers(name) {
  return (c) => {
    const [B, T, I, Hd] = [c.pick(1, 2, 3, 5), c.pick(1, 3, 5, 33), c.pick(1, 7, 8, 64), c.pick(1, 7, 8, 33)];
    const [layers, both] = [c.pick(1, 1, 2), c.chance(0.3)];
    const projection = name === 'lstm' && c.chance(0.3) ? c.integer(1, Hd) : undefined;
    const params = recurrentParams(c, GATES[name], { I, Hd, layers, both, projection });
    const layout = c.pick(undefined, undefined, 'btd', 'tbd', 'none');
    const states = [layers * (both ? 2 : 1), ...(layout === 'none' ? [] : [B])];
    const options = {
      layout: layout === 'none' ? undefined : layout,
      initialState: maybe(c, 0.4, () =>
        given({ hidden: c.array([...states, projection ?? Hd]), cell: name === 'lstm' ? c.array([...states, Hd]) : undefined }),
      ),
      lengths: layout === 'none' ? undefined : maybe(c, 0.3, () => c.list(B, () => c.integer(0, T))),
      nonlinearity: name === 'rnn' ? maybe(c, 0.5, () => c.pick('tanh', 'relu')) : undefined,
      resetAfter: name === 'gru' ? maybe(c, 0.4, () => c.chance(0.4)) : undefined,
    };
    const x = c.array(layout === 'none' ? [T, I] : layout === 'tbd' ? [T, B, I] : [B, T, I]);
    return c.call(name, x, params, given(options));
  };
}

function rotary(c) {
  const [B, H, T, D] = [c.pick(1, 2), c.pick(1, 2, 3), c.pick(...LENGTHS), c.pick(2, 6, 8, 64, 80)];
  const width = maybe(c, 0.3, () => 2 * c.integer(1, D / 2));
  const pairs = (width ?? D) / 2;
  const layout = c.pick('bhtd', 'bthd', 'packed', 'td');
  const shape = { bhtd: [B, H, T, D], bthd: [B, T, H, D], packed: [B, T, H * D], td: [T, D] }[layout];
  const ids = c.list(T, () => c.integer(0, 200));
  const isBatched = layout !== 'td' && c.chance(0.4);
  const way = c.pick('base', 'scale', 'ntk', 'llama3', 'tables', 'plain');
  const table = () => c.uniforms([201, pairs], -1, 1);
  const options = {
    form: maybe(c, 0.6, () => c.pick('halves', 'interleaved')),
    rotaryWidth: width,
    ...(c.chance(0.5) ? { positions: isBatched ? c.list(B, () => [...ids].reverse()) : ids } : { start: c.integer(0, 70) }),
    ...(way === 'base' ? { base: 500 } : {}),
    ...(way === 'scale' ? { scale: 0.25 } : {}),
    ...(way === 'ntk' ? { ntk: 2 } : {}),
    ...(way === 'llama3' ? { llama3: { factor: 8, originalTokens: 64 } } : {}),
    ...(way === 'tables' ? { cos: table(), sin: table() } : {}),
    layout: layout === 'bthd' ? 'bthd' : undefined,
    heads: layout === 'packed' ? H : undefined,
  };
  return { y: c.call('rotary', c.array(shape), given(options)) };
}

function sinusoidal(c) {
  const options = {
    tokens: c.pick(0, ...LENGTHS),
    width: c.pick(2, ...WIDTHS),
    base: maybe(c, 0.4, () => 100),
    start: maybe(c, 0.4, () => c.integer(0, 9000)),
    form: maybe(c, 0.7, () => c.pick('interleaved', 'halves', 'tensor2tensor')),
  };
  return { y: c.call('sinusoidal', given(options)) };
}

function learned(c) {
  const [rows, D] = [c.pick(130, 65), c.pick(...WIDTHS)];
  const [T, B] = [c.pick(1, 3, 63), c.pick(1, 2)];
  const any = () => c.integer(0, rows - 1);
  const options = c.pick(
    { tokens: T },
    { tokens: T, start: c.integer(0, rows - T) },
    { positions: c.list(T, any) },
    { positions: c.list(B, () => c.list(T, any)) },
    { positions: Int32Array.from(c.list(T, any)) },
  );
  return { y: c.call('learned', c.array([rows, D]), options) };
}

function recurrent(c) {
  const name = c.pick('rnn', 'gru', 'lstm');
  const Hd = c.pick(2, 7, 8, 33);
  const params = recurrentParams(c, GATES[name], { I: 1, Hd, layers: 1, both: false });
  const options = {
    tokens: c.pick(1, 5, 63),
    params,
    initialState: maybe(c, 0.5, () => given({ hidden: c.floats([Hd]), cell: name === 'lstm' ? c.floats([Hd]) : undefined })),
    nonlinearity: name === 'rnn' ? maybe(c, 0.5, () => c.pick('tanh', 'relu')) : undefined,
    resetAfter: name === 'gru' ? maybe(c, 0.5, () => c.chance(0.5)) : undefined,
  };
  return { y: c.call('recurrent', given(options)) };
}

const each = (weight, names, make) => Object.fromEntries(names.map((name) => [name, [weight, make(name)]]));

export const calls = {
  ...each(14, ['softmax', 'logSoftmax', 'logSumExp'], alongAxis),
  ...each(8, ['relu', 'tanh', 'sigmoid'], (name) => activation(name)),
  gelu: [8, activation('gelu')],
  geluTanh: [6, activation('geluTanh')],
  quickGelu: [6, activation('quickGelu')],
  silu: [12, activation('silu', (c) => ({ beta: maybe(c, 0.5, () => 1.702) }))],
  elu: [12, activation('elu', (c) => ({ alpha: maybe(c, 0.5, () => 0.5) }))],
  leakyRelu: [12, activation('leakyRelu', (c) => ({ slope: maybe(c, 0.5, () => 0.2) }))],
  ...each(10, ['glu', 'geglu', 'swiglu', 'reglu'], gate),
  matmul: [24, matmul],
  linear: [24, linear],
  add: [12, add],
  ...each(22, ['layerNorm', 'rmsNorm'], norm),
  ...each(24, ['maxPool', 'meanPool'], pool),
  conv1d: [30, conv1d],
  ...each(24, ['rnn', 'gru', 'lstm'], recurrentLayers),
  rotary: [40, rotary],
  sinusoidal: [16, sinusoidal],
  learned: [12, learned],
  recurrent: [15, recurrent],
};
