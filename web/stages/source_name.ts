import type { Localized } from '../shell/localized.ts';
import type { Source } from './arithmetic/expr.ts';
import { argumentName } from './argument_words.ts';
import { stageName } from './stage_words.ts';

/** An array of a mechanism's run in words. */
export const sourceName = ({ kind, name }: Source, mechanism: string): Localized =>
  kind === 'stage' ? stageName(name, mechanism) : argumentName(name, kind);
