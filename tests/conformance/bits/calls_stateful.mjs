/** The calls of caches, patterns and Tensors: { FUNCTION: [how many of about 2000, (context) => results] }. */
import { member } from './names.mjs';
import { drawAsked, drawMask, drawSizes, drawVariant, given, maybe } from './options.mjs';
import { drawPattern } from './patterns.mjs';
import { label, tagsOf } from './record.mjs';

/** Decoding: a prompt, then tokens one by one or a few at once, with attention after each append. */
function kvCache(c) {
  const { B, H, Hkv, D, Dv } = drawSizes(c);
  const window = maybe(c, 0.45, () => c.integer(4, 40));
  const keepFirst = window === undefined ? undefined : maybe(c, 0.6, () => c.integer(0, 5));
  const store = maybe(c, 0.6, () => c.pick('f32', 'f16', 'f16'));
  const isFar = window === undefined && c.chance(0.1);
  const options = {
    batch: B === 1 ? undefined : B,
    heads: Hkv,
    width: D,
    valueWidth: Dv === D ? undefined : Dv,
    capacity: isFar ? 1400 : window === undefined ? 260 : window + (keepFirst ?? 0) + 130,
    store,
    window,
    keepFirst,
  };
  const cache = c.own(c.call('kvCache', given(options)));
  label(cache, 'cache', []);
  const append = (own, T) => own.append(c.array([B, Hkv, T, D]), c.array([B, Hkv, T, Dv]));
  const attend = (own, T) => {
    const sizes = { B, H, Hkv, Tq: T, Tk: own.length, D, Dv };
    const free = window === undefined && c.chance(0.3);
    const rules = {
      causal: T > 1 ? maybe(c, 0.8, () => true) : undefined,
      causalOffset: free && c.chance(0.5) ? own.length - T - c.integer(0, 2) : undefined,
      window: maybe(c, 0.2, () => [c.integer(0, 40), 0]),
      mask: maybe(c, 0.2, () => drawMask(c, [B, H, T, own.length])),
    };
    const aligned = { ...rules, causalAlign: rules.causalOffset === undefined ? 'bottom-right' : undefined };
    const variant = drawVariant(c, sizes, aligned, { mayWiden: false });
    const { score, ...others } = variant.options;
    const asked = drawAsked(c, sizes, variant.isSoftmax);
    if (window !== undefined || store === 'f16') delete asked.trace;
    // A cache's keys are compared as they are.
    const compared = score !== undefined && /dot/i.test(tagsOf(score)[0]) ? score : undefined;
    return c.call('attention', c.array([B, H, T, D]), own, given({ ...rules, ...others, score: compared, ...asked }));
  };
  const results = c.list(c.integer(2, 4), (_, n) => {
    const T = n === 0 ? (isFar ? 1100 : c.pick(1, 5, 33, 65)) : c.pick(1, 1, 1, 4);
    append(cache, T);
    return attend(cache, T < 1000 && c.chance(0.3) ? T : 1);
  });
  const copy = c.own(member(cache, 'clone')());
  label(copy, 'copy', []);
  append(copy, 1);
  results.push(attend(copy, 1));
  if (window === undefined && c.chance(0.5)) {
    cache.truncate(c.integer(1, cache.length));
    results.push(attend(cache, 1));
  }
  return { results, length: cache.length, visible: member(cache, 'visibleLength') };
}

/** A pattern's own answers. */
function pattern(c) {
  const { B, H, Tq, Tk } = drawSizes(c);
  const built = drawPattern(c, { B, H, Tq, Tk, first: 0, last: Tq - 1 });
  c.note('pattern', [{ pattern: built, queries: Tq, keys: Tk }]);
  const sizes = { queries: Tq, keys: Tk, heads: H, batch: B };
  return { mask: built.toMask(c.fovea, sizes), density: built.density(c.fovea, sizes), pairs: built.pairs(c.fovea, sizes) };
}

/** Views and copies of a Tensor. */
function tensor(c) {
  const shape = [c.integer(1, 3), c.pick(1, 3, 5, 64), c.pick(2, 8, 7)];
  const x = c.fovea.tensor(c.floats(shape));
  const axis = c.integer(0, 2);
  const from = c.integer(0, shape[axis] - 1);
  c.note('tensor', [x]);
  const slice = x.slice(axis, from, c.integer(from, shape[axis]));
  const copy = x.clone();
  copy.set(c.floats(shape));
  return { x, slice, copy, flat: x.reshape([shape[0] * shape[1], shape[2]]), last: x.slice(-1, 0, 1) };
}

export const calls = {
  kvCache: [130, kvCache],
  pattern: [45, pattern],
  tensor: [12, tensor],
};
