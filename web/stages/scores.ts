import { score, type Score } from 'fovea/score';

/** Scores without parameters, which switches of the page put in place of a mechanism's own: a link holds their names. */
export const SCORES: Readonly<Record<'dot' | 'cosine' | 'scaledDot', Score>> = {
  dot: score.dot(),
  cosine: score.cosine(),
  scaledDot: score.scaledDot(),
};

/** Its name among them; undefined for all else. */
export const nameOfScore = (value: unknown): keyof typeof SCORES | undefined =>
  (Object.keys(SCORES) as (keyof typeof SCORES)[]).find(
    (name) => value instanceof SCORES[name].constructor && (value as Score).kind === SCORES[name].kind,
  );
