/** Options that are numbers or switches, checked. */
import { checkBoolean, checkFinite, checkInteger } from '../../errors/options.ts';
import type { System } from './system.ts';

/** An integer option; without a default it is required. */
export function integerOption(system: System, name: string, from: number, to: number, byDefault?: number): number {
  const value = system.options[name] ?? byDefault;
  checkInteger(system.fn, name, value, from, to);
  return value;
}

/** A finite number. */
export function numberOption(system: System, name: string, byDefault: number): number {
  const value = system.options[name] ?? byDefault;
  checkFinite(system.fn, name, value);
  return value;
}

export function booleanOption(system: System, name: string, byDefault = false): boolean {
  const value = system.options[name] ?? byDefault;
  checkBoolean(system.fn, name, value);
  return value as boolean;
}
