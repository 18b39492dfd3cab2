/** The public types of the catalog's entries. */
import type { Fovea } from '../../fovea/fovea.ts';
import type { TraceAxis, TraceStage } from '../../trace/stages.ts';

/** A text, or what has texts, in English and in simplified Chinese. */
export interface Localized<T = string> {
  readonly en: T;
  readonly zh: T;
}

export type Family =
  'basics' | 'alignment' | 'selfAttention' | 'pooling' | 'sparse' | 'linear' | 'memory' | 'pointing' | 'beyondText';

/** The choices of the one formula: out = Σ weightScale · normalizer(softcap(score) + bias) · (value + relativeValue) over mask. */
export type Slot = 'score' | 'softcap' | 'bias' | 'mask' | 'normalizer' | 'weightScale' | 'value' | 'relativeValue';

/** Where weights come from: 'random' is never a default. */
export type Provenance = 'none' | 'designed' | 'trained' | 'random' | 'yours';

export interface Paper {
  readonly authors: string;
  readonly title: string;
  readonly year: number;
  /** An address: arXiv, DOI, or where it was published. */
  readonly url?: string;
  /** The equations that the mechanism is built from, as 'eq. 5 to 8'. */
  readonly equations?: string;
}

/** How another text writes what the package writes otherwise. */
export interface Notation {
  /** Names and formulas that are the same in every language are plain. */
  readonly text: string | Localized;
  readonly writes: string | Localized;
  /** In the package's letters. */
  readonly means: string | Localized;
}

/** Work for sizes of these letters. */
export interface Complexity {
  readonly letters: readonly string[];
  /** The letters' sizes in the defaults. */
  readonly sizes: Readonly<Record<string, number>>;
  /** Pairs of a query and a key whose score is computed, of all heads. */
  pairs(sizes: Readonly<Record<string, number>>): number;
  /** Multiply-adds of all products, projections included. */
  multiplyAdds(sizes: Readonly<Record<string, number>>): number;
}

/** From and to are included. */
export interface ParameterRange {
  readonly from: number;
  readonly to: number;
  readonly step: number;
}

/** A sentence that the defaults show. */
export interface Claim {
  readonly text: Localized;
  /** The most by which a number may miss what `text` says. */
  readonly tolerance: number;
  /** Whether the stages of a run show it. */
  holds(trace: readonly TraceStage[]): boolean;
}

export type Arguments = Readonly<Record<string, unknown>>;

export interface Defaults {
  readonly inputs: Arguments;
  readonly params: Arguments;
  readonly options: Arguments;
  /** Where the params come from. */
  readonly provenance: Provenance;
  /** Whether a seed of the options chooses something, as random features or samples: random by definition. */
  readonly seeded: boolean;
  /** Names of the entries along the axes of inputs and params, null where an axis has none. */
  readonly labels: Readonly<Record<string, readonly (readonly string[] | null)[]>>;
  readonly claim: Claim;
  /** Sizes of the letters of its complexity, where they are not those of the entry. */
  readonly sizes?: Readonly<Record<string, number>>;
  /** Arguments in place of the defaults' for which the claim does not hold. */
  readonly contrast: { readonly inputs?: Arguments; readonly params?: Arguments; readonly options?: Arguments };
}

/** Whether a word has a feature, as "noun", "animate" or "negative". */
export type HasFeature = (word: string, feature: string) => boolean;

/** Makes the sample of a text's words. */
export type SampleOf = (words: readonly string[], has?: HasFeature) => Localized<Defaults>;

/** How a result is shown as a stage. */
export interface ResultStage {
  /** LaTeX. */
  readonly formula: string;
  readonly axes: readonly TraceAxis[];
}

export interface CatalogEntry {
  /** In snake_case; of a system, the name of its function. */
  readonly id: string;
  /** 'option': a call of functions of the package with options; 'system': a function of fovea/mechanisms. */
  readonly kind: 'option' | 'system';
  readonly family: Family;
  readonly title: Localized;
  /** Other names, those of textbooks among them. */
  readonly aliases: readonly string[];
  readonly notations: readonly Notation[];
  /** Null where no paper introduced it. */
  readonly paper: Paper | null;
  readonly year: number;
  /** LaTeX, row notation. */
  readonly equation: string;
  /** The id of the entry that it was made from, null for the roots of the family tree. */
  readonly parent: string | null;
  /** The slots in which it differs from its parent, each in LaTeX. */
  readonly slots: Readonly<Partial<Record<Slot, string>>>;
  readonly complexity: Complexity;
  /** By 'inputs.NAME', 'params.NAME' or 'options.NAME', each a number of the defaults. */
  readonly ranges: Readonly<Record<string, ParameterRange>>;
  /**
   * JavaScript that computes it, with `fovea` and the names of inputs, params and options as variables; `inputs`, `params` and
   * `options` as a whole where an input and a param have the same name.
   */
  readonly code: string;
  /** The sample in English: what `run` computes unless told otherwise. */
  readonly defaults: Defaults;
  /** The sample in the words of each language; `en` is `defaults`. Other inputs stand in `zh` where its text has another number of words. */
  readonly samples: Localized<Defaults>;
  /**
   * The sample with other words: inputs, params and labels in the sizes that they need, made as those of `samples`. Each distinct word has an axis of
   * its own; its features are those of the catalog's list, and those that `has` gives it. The claim stays that of `samples`. Null where the inputs are
   * no text, and where the weights know the words of `samples` alone.
   *
   * @param words 1 to 256 words, none of them empty; equal but for case and width, they are one word.
   * @throws AttentionError `value` for other words; `option` where `has` is no function.
   */
  readonly sampleOf: SampleOf | null;
}

/** Fields of an entry that `option` and `system` fill where its file leaves them out. */
type Filled = 'notations' | 'slots' | 'ranges';

type WithOptional<T, Names extends keyof T> = Omit<T, Names> & Partial<Pick<T, Names>>;

/** Defaults as an entry's file has them. Left out, `provenance` is 'designed' where there are params, and 'none' where there are none. */
export type EntryDefaults = WithOptional<Defaults, 'params' | 'options' | 'provenance' | 'seeded' | 'labels'>;

/** The paper, and the year where no paper has it. */
type Origin = { readonly paper: Paper } | { readonly paper: null; readonly year: number };

/** How an entry is computed. Results named in `stages` are shown as stages, before those of a trace among the results. */
interface Computed {
  readonly compute: (fovea: Fovea, inputs: never, params: never, options: never) => object;
  readonly stages?: Readonly<Record<string, ResultStage>>;
}

export interface RunnableEntry extends CatalogEntry, Computed {}

/** The sample of other words as an entry's file has it: what differs from `defaults`. `sizes` are those that differ. */
export type OtherWords = Pick<Defaults, 'inputs' | 'labels'> &
  Partial<Pick<Defaults, 'params' | 'contrast' | 'sizes'>> & {
    /** The Chinese of labels that are no words of the text. */
    readonly chineseLabels?: Readonly<Record<string, string>>;
  };

/** An entry as its file has it, fields of `Left` being left out or not. `samples` follow from `defaults` and what is said of Chinese here. */
export type EntryFile<Left extends keyof CatalogEntry = never> = Omit<
  WithOptional<CatalogEntry, Filled | Left>,
  'kind' | 'paper' | 'year' | 'defaults' | 'samples' | 'sampleOf'
> &
  Origin &
  Computed & {
    readonly defaults: EntryDefaults;
    /** The sample in Chinese differs from `defaults` in these, all of its labels included. */
    readonly chinese?: Partial<Defaults> & Pick<Defaults, 'labels'>;
    /** The sample of other words. */
    readonly sampleOf?: (words: readonly string[], has: HasFeature) => OtherWords;
    /** Without `chinese`: the Chinese of the labels of `defaults`, beside those that `labels.ts` has for all entries. */
    readonly chineseLabels?: Readonly<Record<string, string>>;
  };
