import type { Fovea } from 'fovea';
import type { Component } from 'svelte';
import type { Prediction } from '../../lessons/lesson.ts';
import type { Localized } from '../../shell/localized.ts';

/** A step of the course: steps/NAME.ts has its texts, steps/Name.svelte its picture. */
export interface Step {
  readonly title: Localized;
  /** At most 60 English words or 120 Chinese characters. */
  readonly body: Localized;
  /** One thing to do on the picture. */
  readonly doThis: Localized;
  readonly picture: () => Promise<{ default: Component<PictureProps> }>;
  /** Answered, or skipped, before going on. */
  readonly check: Prediction;
  /** Where to read on. */
  readonly further?: readonly { readonly path: string; readonly text: Localized }[];
}

export interface PictureProps {
  readonly fovea: Fovea;
}
