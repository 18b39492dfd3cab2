/**
 * Objects that other entries make for the attention functions, as their parameters declare them. Each is known by its internals, so that neither
 * side imports the other.
 */
import type { Carrier } from '../../runtime/internals.ts';

/** The pairs that may attend: a Pattern of `fovea/pattern`. */
export interface AttentionPattern extends Carrier<'pattern'> {}

/** How a query and a key are compared: a Score of `fovea/score`. */
export interface AttentionScore extends Carrier<'score'> {}

/** A summand of the logits: a Bias of `fovea/score`. */
export interface AttentionBias extends Carrier<'bias'> {}

/** How logits become weights: what a builder of `fovea/score` has made. */
export interface AttentionNormalizer extends Carrier<'normalizer'> {}

/** The keys and values of the tokens so far: a KvCache of `fovea/cache`. */
export interface KeyValueCache extends Carrier<'cache'> {}
