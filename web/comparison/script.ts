import { scriptOfSeveral, type Script } from '../stages/script.ts';
import type { Contract } from './contract.ts';
import { argumentsFor, type SharedInput } from './shared_input.ts';

/** Stages of a trace as arrays: their names are the page's. */
function asArray(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('data' in value && 'shape' in value)) return value;
  return { data: value.data, shape: value.shape };
}

/** A comparison as a script for Node: each mechanism's call on the same input. */
export function comparisonScript(contracts: readonly Contract[], input: SharedInput): Script {
  const calls = contracts.map((contract) => {
    const { inputs, params, options } = argumentsFor(contract, input);
    const arrays = Object.fromEntries(Object.entries(inputs).map(([name, value]) => [name, asArray(value)]));
    return { entry: contract.entry, inputs: arrays, params, options: { ...contract.entry.defaults.options, ...options } };
  });
  return scriptOfSeveral('compare', calls);
}
