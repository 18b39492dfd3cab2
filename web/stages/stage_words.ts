/** What the stages of a trace are called on the page: a trace's own names are those of the package's API. */
import * as texts from '../../build/generated/texts/stage_names.ts';
import type { Localized } from '../shell/localized.ts';

type Words = Readonly<Record<string, Localized>>;

const STAGES: Words = texts.stages;
const OF_MECHANISM: Readonly<Record<string, Words>> = texts.mechanisms;

/** A stage of a mechanism's trace in words; the name itself only for a stage that is not known here, which a test finds. */
export const stageName = (name: string, mechanism: string): Localized =>
  OF_MECHANISM[mechanism]?.[name] ?? STAGES[name] ?? { en: name, zh: name };
