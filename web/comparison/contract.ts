import type { Arguments, CatalogEntry } from 'fovea/catalog';
import { shapeOf, type Shape } from '../stages/shapes.ts';

/** Which mechanisms can be laid side by side: read from their entries in the catalog, from the names and shapes of what they take. */

/** Queries, keys and values; one sequence that looks at itself; what only this mechanism takes; nothing. */
export type Takes = 'queries' | 'sequence' | 'own' | 'nothing';

export interface Contract {
  readonly entry: CatalogEntry;
  readonly takes: Takes;
  /** Whether its queries, keys and values are one sequence. */
  readonly isOneSequence: boolean;
  /** Shapes of its own inputs, by their names. */
  readonly shapes: Readonly<Record<string, Shape>>;
  /** Params and options that fit inputs of these shapes alone; Wq, Wk and Wv are not among them. */
  readonly bound: readonly string[];
  /** Wq, Wk and Wv, where it has them. */
  readonly projections: Arguments | null;
  /** Roles in a mechanism with inputs of its own: the sequence that asks, and the one that is asked. */
  readonly roles: readonly [asking: string, asked: string] | null;
}

/** Why one does not take what the other brings. */
export type Reason = 'inputs' | 'two sequences' | 'params' | 'width' | 'tokens' | 'heads' | 'pairs';

const PROJECTIONS = ['Wq', 'Wk', 'Wv'];
/** Names of two sequences, of which the first asks the second. */
const ROLES = [
  ['decoder', 'source'],
  ['a', 'b'],
  ['g', 'z'],
] as const;
/** Options that count along an axis of the input: a grid of so many tokens, a slope for each head. */
const SIZED_OPTIONS = ['shape', 'slopes'];

const sameShape = (a: Shape | undefined, b: Shape | undefined): boolean =>
  a !== undefined && b !== undefined && a.length === b.length && a.every((size, axis) => size === b[axis]);

export function contractOf(entry: CatalogEntry): Contract {
  const { inputs, params, options } = entry.defaults;
  const names = Object.keys(inputs);
  const shapes = Object.fromEntries(names.map((name) => [name, shapeOf(inputs[name]) ?? []]));
  const hasQueries = names.length === 3 && ['q', 'k', 'v'].every((name) => names.includes(name));
  const isSequence = names.length === 1 && shapes[names[0]!]!.length === 2;
  const hasProjections = PROJECTIONS.every((name) => shapeOf(params[name])?.length === 2);
  const fixed = Object.keys(params).filter((name) => !hasProjections || !PROJECTIONS.includes(name));
  return {
    entry,
    isOneSequence: isSequence || (hasQueries && areOne(inputs)),
    takes: names.length === 0 ? 'nothing' : hasQueries ? 'queries' : isSequence ? 'sequence' : 'own',
    shapes,
    bound: [...fixed, ...SIZED_OPTIONS.filter((name) => name in options)],
    projections: hasProjections ? Object.fromEntries(PROJECTIONS.map((name) => [name, params[name]])) : null,
    roles: ROLES.find((pair) => pair.every((name) => name in shapes) && shapes[pair[0]]![1] === shapes[pair[1]]![1]) ?? null,
  };
}

/** A mechanism with the visitor's matrices in place of its own. */
export const withArguments = ({ entry }: Contract, inputs: Arguments, params: Arguments): Contract =>
  contractOf({ ...entry, defaults: { ...entry.defaults, inputs, params } });

const areOne = ({ q, k, v }: Arguments): boolean => [k, v].every((one) => JSON.stringify(one) === JSON.stringify(q));

/** The one input of a mechanism that takes a sequence. */
export const sequenceName = ({ shapes }: Contract): string => Object.keys(shapes)[0]!;

/** Whether others can be given its input. */
const offers = ({ takes, roles }: Contract): boolean => takes === 'queries' || takes === 'sequence' || roles !== null;

/** The shapes of the queries, keys and values that it brings; null where steps of its own make them. */
export function broughtShapes({ takes, shapes, projections, entry, roles }: Contract): readonly Shape[] | null {
  const { options } = entry.defaults;
  if (takes === 'queries') return [shapes['q']!, shapes['k']!, shapes['v']!];
  if (roles) return [shapes[roles[0]]!, shapes[roles[1]]!, shapes[roles[1]]!];
  const x = Object.values(shapes)[0]!;
  const heads = Number(options['heads'] ?? 1);
  if (!projections) return heads > 1 ? null : [x, x, x];
  return PROJECTIONS.map((name) => {
    const width = shapeOf(projections[name])![1]!;
    return heads > 1 ? [heads, x[0]!, width / heads] : [x[0]!, width];
  });
}

/** Why `taker` cannot take the input of `owner`; null where it can. */
export function refusalOf(taker: Contract, owner: Contract): Reason | null {
  if (taker.entry.id === owner.entry.id) return null;
  if ((taker.takes !== 'queries' && taker.takes !== 'sequence') || !offers(owner)) return 'inputs';
  return taker.takes === 'sequence' ? refusalOfSequence(taker, owner) : refusalOfQueries(taker, owner);
}

function refusalOfSequence(taker: Contract, owner: Contract): Reason | null {
  if (!owner.isOneSequence) return 'two sequences';
  const brought = owner.shapes[owner.takes === 'queries' ? 'q' : sequenceName(owner)]!;
  if (brought.length !== 2) return 'heads';
  const own = taker.shapes[sequenceName(taker)]!;
  if (taker.bound.length > 0 && !sameShape(brought, own)) return 'params';
  // Projections are the owner's, where it has them; one's own fit vectors of their width.
  return taker.projections && !owner.projections && brought[1] !== own[1] ? 'width' : null;
}

function refusalOfQueries(taker: Contract, owner: Contract): Reason | null {
  const { options } = taker.entry.defaults;
  const brought = broughtShapes(owner);
  if (taker.bound.length > 0)
    return brought && ['q', 'k', 'v'].every((name, n) => sameShape(brought[n], taker.shapes[name])) ? null : 'params';
  // The heads of a second stage stand apart already.
  if (!brought) return 'heads' in options ? 'heads' : null;
  const [q = [], k = []] = brought;
  const isInOrder = 'causal' in options || 'updateRule' in options;
  if (isInOrder && q.at(-2) !== k.at(-2)) return 'tokens';
  // RoPE begins to count at `start`, and rotates two components at a time.
  if ('start' in options && q.at(-1)! % 2 === 1) return 'pairs';
  const heads = Number(options['heads'] ?? 1);
  const isSplit = brought.every((shape) => shape.length === 2 && shape[1]! % heads === 0);
  return heads > 1 && !isSplit ? 'heads' : null;
}

/** The `contracts` whose input all the others take: the first is the one that the page opens with. */
export function ownersOf(contracts: readonly Contract[]): readonly Contract[] {
  return contracts.filter((owner) => contracts.every((taker) => refusalOf(taker, owner) === null));
}

export const compares = (a: Contract, b: Contract): boolean => a.entry.id !== b.entry.id && ownersOf([a, b]).length > 0;
