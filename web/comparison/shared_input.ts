import type { Fovea, TraceStage } from 'fovea';
import type { Arguments } from 'fovea/catalog';
import { run } from 'fovea/catalog';
import type { Contract } from './contract.ts';
import { sequenceName } from './contract.ts';

/** One input for several mechanisms: that of its owner, and what is computed of it. */
export interface SharedInput {
  readonly owner: Contract;
  /** Null where queries, keys and values are not one sequence. */
  readonly x: unknown;
  readonly q: unknown;
  readonly k: unknown;
  readonly v: unknown;
  /** Whether the owner's own steps made queries, keys and values of x. */
  readonly projected: boolean;
  readonly queries: readonly string[];
  readonly keys: readonly string[];
}

export interface Compared {
  readonly contract: Contract;
  readonly trace: readonly TraceStage[];
  readonly error: string | null;
}

export function sharedInput(fovea: Fovea, owner: Contract): SharedInput {
  const { inputs, labels } = owner.entry.defaults;
  const [asking, asked] = owner.roles ?? (owner.takes === 'sequence' ? [sequenceName(owner), sequenceName(owner)] : ['q', 'k']);
  /** Words of the mechanism's own input; numbers count the rows of another. */
  const namesOf = (of: string): readonly string[] => {
    const count = owner.shapes[of]?.at(-2) ?? 0;
    const names = labels[of]?.at(-2) ?? [];
    return names.length === count ? names : Array.from({ length: count }, (_, n) => `${n + 1}`);
  };
  const words = { owner, queries: namesOf(asking), keys: namesOf(asked) };
  const x = owner.isOneSequence ? inputs[asking] : null;
  if (owner.takes === 'queries') return { ...words, x, q: inputs['q'], k: inputs['k'], v: inputs['v'], projected: false };
  if (owner.roles) return { ...words, x, q: inputs[asking], k: inputs[asked], v: inputs[asked], projected: false };
  const { trace } = run(fovea, owner.entry.id, inputs, owner.entry.defaults.params);
  const [q, k, v] = ['query', 'key', 'value'].map((stage) => trace.find((one) => one.name === stage));
  return q && k && v ? { ...words, x, q, k, v, projected: true } : { ...words, x, q: x, k: x, v: x, projected: false };
}

/** By what scores are multiplied: undefined where they are divided by √d. */
export const scaleOf = ({ entry }: Contract): unknown => entry.defaults.options['scale'];

/** The scale of a guest that has one to choose: the owner's, and its own where that differs; else null. */
export function changedScale(
  { entry }: Contract,
  { owner }: SharedInput,
): { readonly used: unknown; readonly own: unknown } | null {
  const [used, own] = [scaleOf(owner), entry.defaults.options['scale']];
  return 'scale' in entry.defaults.options && used !== own ? { used, own } : null;
}

/** A mechanism's arguments in place of its defaults. The owner is computed as on its own page, guests with the owner's scale where they have one. */
export function argumentsFor(
  taker: Contract,
  input: SharedInput,
): { readonly inputs: Arguments; readonly params: Arguments; readonly options: Arguments } {
  const isOwner = taker.entry.id === input.owner.entry.id;
  const { defaults } = isOwner ? input.owner.entry : taker.entry;
  if (isOwner) return { inputs: defaults.inputs, params: defaults.params, options: {} };
  const options = 'scale' in defaults.options ? { scale: scaleOf(input.owner) } : {};
  const inputs = taker.takes === 'sequence' ? { [sequenceName(taker)]: input.x } : { q: input.q, k: input.k, v: input.v };
  return { inputs, params: { ...defaults.params, ...(taker.projections && input.owner.projections) }, options };
}

/** Runs mechanisms on the owner's input, in their order. */
export function runCompared(fovea: Fovea, contracts: readonly Contract[], input: SharedInput): readonly Compared[] {
  return contracts.map((contract) => {
    const { inputs, params, options } = argumentsFor(contract, input);
    try {
      return { contract, trace: run(fovea, contract.entry.id, inputs, params, options).trace, error: null };
    } catch (error) {
      return { contract, trace: [], error: error instanceof Error ? error.message : String(error) };
    }
  });
}
