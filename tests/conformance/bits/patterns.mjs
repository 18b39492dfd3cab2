/** Random patterns of the algebra, labelled with the leaves that they are made of. */
import { member } from './names.mjs';
import { label, tagsOf } from './record.mjs';

/** sizes: B, H, Tq, Tk, and `first`, the position of the first query. */
const LEAVES = {
  all: (p) => p.all(),
  causal: (p) => p.causal(),
  window: (p, c) => p.window(c.integer(-1, 70), c.integer(-1, 5)),
  local: (p, c) => p.local(c.integer(0, 9)),
  atrous: (p, c) => p.atrous(c.integer(1, 9)),
  block: (p, c) => p.block(c.integer(1, 40)),
  globalTokens: (p, c) => p.globalTokens(c.list(c.integer(0, 5), () => c.integer(0, 140))),
  random: (p, c) => p.random({ perQuery: c.integer(1, 6), block: c.integer(1, 10), seed: c.integer(0, 1e9) * 4096 }),
  strided: (p, c) => p.strided(c.integer(1, 12)),
  fixed: (p, c) => {
    const stride = c.integer(1, 12);
    return p.fixed(stride, c.integer(1, stride));
  },
  longformer: (p, c) =>
    p.longformer({
      window: 2 * c.integer(0, 8),
      dilation: c.integer(1, 3),
      globalTokens: c.list(c.integer(0, 2), () => c.integer(0, 20)),
    }),
  bigBird: (p, c) =>
    p.bigBird({
      block: c.integer(1, 9),
      window: 2 * c.integer(0, 2) + 1,
      global: c.integer(0, 2),
      random: c.integer(0, 3),
      seed: c.integer(0, 99),
    }),
  graph: (p, c, { Tq, Tk }) => {
    const edges = c.list(c.integer(1, 40), () => [c.integer(0, Tq - 1), c.integer(0, Tk - 1)]);
    const once = [...new Map(edges.map((edge) => [edge.join(), edge])).values()];
    return p.graph({ edges: once, bias: c.chance(0.5) ? once.map(() => c.normal()) : undefined });
  },
  lists: (p, c, { last, Tk }) => {
    const lists = c.list(last + 1, () => c.list(c.integer(0, 4), () => c.integer(0, Tk - 1)));
    const indptr = lists.reduce((starts, list) => [...starts, starts.at(-1) + list.length], [0]);
    return p.graph({ indptr, indices: lists.flat() });
  },
  fromMask: (p, c, { B, H, last, Tk }) => p.fromMask(c.booleans([...c.pick([], [H], [B, H]), last + 1, Tk], 0.4)),
  fromFunction: (p, c) =>
    p.fromFunction(
      c.pick(
        (i, j) => (i * 7 + j * 3) % 5 < 2,
        (i, j, h) => (i * 7 + j * 3 + h) % 5 < 2,
        (i, j, h, b) => (i * 7 + j * 3 + h + 2 * b) % 5 < 2,
      ),
    ),
  perHead: (p, c, { H }) => p.perHead(c.list(H, () => p.window(c.integer(0, 30), c.integer(0, 5)))),
  axial: (p, c, { Tk }) => {
    const columns = c.pick(...[1, 2, 3, 5, 7, 13, Tk].filter((n) => Tk % n === 0));
    return p.axial({ shape: [Tk / columns, columns], axis: c.integer(0, 1) });
  },
  neighbors2d: (p, c, { Tk }) => {
    const columns = c.pick(...[1, 3, 5, 13, Tk].filter((n) => Tk % n === 0));
    return member(p, 'neighbors2d')({ shape: [Tk / columns, columns], radius: [c.integer(0, 3), c.integer(0, 3)] });
  },
  blockDiagonal: (p, c, { Tk }) => {
    const cut = c.integer(0, Tk);
    return p.blockDiagonal([cut, Tk - cut]);
  },
  lsh: (p, c, { B, H, Tq, Tk }) => {
    const of = p.lsh({ buckets: 2 * c.integer(1, 4), rounds: c.integer(1, 2), seed: c.integer(0, 99) });
    return of.bind(c.fovea, c.floats([B, H, Tq, 8]), c.floats([B, H, Tk, 8]));
  },
};

/** FROM_0 need queries at positions from 0 on, WITHIN at positions below the number of keys. */
const FROM_0 = ['graph', 'lists', 'fromMask', 'fromFunction', 'lsh'];
const WITHIN = ['axial', 'neighbors2d', 'blockDiagonal'];

export function drawLeaf(c, sizes) {
  const { first, last, Tk } = sizes;
  const names = Object.keys(LEAVES).filter(
    (name) =>
      (first >= 0 || !FROM_0.includes(name)) &&
      ((first === 0 && last === sizes.Tq - 1) || !['graph', 'lsh'].includes(name)) &&
      ((first >= 0 && last < Tk) || !WITHIN.includes(name)),
  );
  const name = c.pick(...names);
  return label(LEAVES[name](c.api.pattern, c, sizes), name);
}

/** A leaf, or leaves joined by or, and, not. */
export function drawPattern(c, sizes) {
  const leaf = drawLeaf(c, sizes);
  if (c.chance(0.4)) return leaf;
  const other = drawLeaf(c, sizes);
  const join = c.pick('or', 'and', 'not', 'or not');
  const joined = {
    or: () => leaf.or(other),
    and: () => leaf.and(other),
    not: () => leaf.not(),
    'or not': () => leaf.or(other.not()),
  }[join]();
  const [a, b] = [tagsOf(leaf)[0], tagsOf(other)[0]];
  return label(
    joined,
    join === 'not' ? `not ${a}` : `${a} ${join} ${b}`,
    join === 'not' ? [a, 'not'] : [a, b, ...join.split(' ')],
  );
}
