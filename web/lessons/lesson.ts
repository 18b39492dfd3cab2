import type { Fovea, TraceStage } from 'fovea';
import type { Language, Localized } from '../shell/localized.ts';

/**
 * A lesson about a mechanism, written by a person: lessons/STEM.ts has the lesson of the catalog's entry STEM. Each text has at most 60 English words or
 * 120 Chinese characters.
 */
export interface Lesson {
  /** The one question that its page opens with; no two lessons ask the same. */
  readonly question: Localized;
  /** One thing to do on the page's picture. */
  readonly doThis: Localized;
  /** The catalog's claim with a number of the run that the page shows, which is on the sample of `language`. */
  readonly live: (trace: readonly TraceStage[], language: Language) => Localized;
  /** How it differs from a sibling, which the page links to. */
  readonly contrast: { readonly id: string; readonly text: Localized };
  /** Against which weakness it was invented, and what replaced it, in a sentence. */
  readonly history: Localized;
  readonly predictions?: readonly Prediction[];
  /** "Your textbook writes …": where a textbook that learners read differs. */
  readonly textbook?: readonly { readonly writes: Localized; readonly means: Localized }[];
}

/**
 * A part of a page that gives an answer away. 'live' and 'textbook' are the lesson's, 'stages' is all below it; the others belong to the
 * pictures that wrap them in a Covered.
 */
export type Part =
  'live' | 'textbook' | 'stages' | 'picture' | 'seen' | 'weights' | 'outputs' | 'beside' | 'edge' | 'pairs' | 'kept' | 'count';

/** A question that the visitor answers before the page computes. Nothing is stored, and there are no points. */
export interface Prediction {
  readonly id: string;
  readonly question: Localized;
  /** Parts of its page that are covered until it is answered. All other texts and pictures of the page leave the answer open. */
  readonly covers?: readonly Part[];
  /** The page adds "not sure". */
  readonly choices: readonly Localized[];
  /** Computes it, on the sample of `language` where it takes that: the index of the right choice, and a sentence with the numbers. */
  readonly reveal: (fovea: Fovea, language: Language) => { readonly right: number; readonly shown: Localized };
}
