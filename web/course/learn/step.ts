import type { Fovea } from 'fovea';
import type { Prediction } from '../../lessons/lesson.ts';
import type { Localized } from '../../shell/localized.ts';

/** The texts and the question of a step of the course. Its picture is the component of the same name, in CamelCase, beside it. */
export interface Step {
  readonly title: Localized;
  /** At most 60 English words or 120 Chinese characters. */
  readonly body: Localized;
  /** One thing to do on the picture. */
  readonly doThis: Localized;
  /** Answered, or skipped, before going on. */
  readonly check: Prediction;
  /** Where to read on. */
  readonly further?: readonly { readonly path: string; readonly text: Localized }[];
}

export interface PictureProps {
  readonly fovea: Fovea;
}
