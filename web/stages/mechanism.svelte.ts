import type { Fovea, TraceStage } from 'fovea';
import type { Arguments, CatalogEntry, CatalogResult, Defaults, Provenance } from 'fovea/catalog';
import { run } from 'fovea/catalog';
import type { Localized } from '../shell/localized.ts';
import { local } from '../shell/settings.svelte.ts';
import type { OwnText } from '../text/own_text.ts';
import type { Index, Source } from './arithmetic/expr.ts';
import { ownWords, type OwnWords } from './own_words.ts';
import { shapeOf } from './shapes.ts';
import type { Told } from './told.ts';
import { withNumber } from './with_number.ts';

export type Part = 'inputs' | 'params' | 'options';

/** Arguments in place of those of a sample. The sample of another language, where it has others, is shown as it is. */
export interface Given {
  readonly values: Arguments;
  readonly inPlaceOf: Arguments;
}

/** A mechanism of the catalog on the page: its arguments, which the visitor may change, and what the package computes of them. */
export class Mechanism implements Told {
  readonly fovea: Fovea;
  readonly entry: CatalogEntry;
  #given: Readonly<Record<Part, Given | null>> = $state.raw({ inputs: null, params: null, options: null });
  #ownWords: OwnWords | null = $state.raw(null);
  /** By their texts: what an undone step stood in place of is the sample that comes back with its text. */
  readonly #texts = new WeakMap<OwnText, OwnWords>();
  /** Why the package computes nothing of the visitor's text; the sample's words stand then. */
  textError: string | null = $state(null);
  /** Arguments that the picture has in place of the mechanism's own, as JavaScript. */
  written: Readonly<Record<string, string>> = $state.raw({});
  readonly #presetBySwitch = new WeakSet<object>();
  readonly #own = new WeakSet<object>();
  readonly #computed = $derived.by((): { result: CatalogResult | null; error: string | null } => {
    try {
      return { result: run(this.fovea, this.entry.id, this.inputs, this.params, this.options), error: null };
    } catch (error) {
      return { result: null, error: error instanceof Error ? error.message : String(error) };
    }
  });

  constructor(fovea: Fovea, entry: CatalogEntry) {
    this.fovea = fovea;
    this.entry = entry;
  }

  get id(): string {
    return this.entry.id;
  }

  /** The catalog's, or those of the visitor's text. */
  get samples(): Localized<Defaults> {
    return this.#ownWords?.samples ?? this.entry.samples;
  }
  /** In the reader's language. */
  get sample(): Defaults {
    return local(this.samples);
  }

  /** The visitor's text and its words; null while the words of the sample are there. */
  get ownWords(): OwnWords | null {
    return this.#ownWords;
  }
  /** Whether the words of a visitor's text are in place of the sample's. */
  get hasOwnWords(): boolean {
    return this.#ownWords?.samples != null;
  }
  get text(): OwnText | null {
    return this.#ownWords?.own ?? null;
  }
  /** Takes a visitor's text in place of the sample's words, or goes back to them. Inputs and params begin anew, options stay. */
  set text(text: OwnText | null) {
    if (isSame(text, this.text)) return;
    const next = text && (this.#texts.get(text) ?? ownWords(this.entry, text));
    if (text && next) this.#texts.set(text, next);
    this.textError = next?.samples ? this.#refusalOf(next.samples.en) : null;
    this.#ownWords = next && this.textError !== null ? { ...next, samples: null } : next;
    this.#given = { ...this.#given, inputs: null, params: null };
  }

  /** The package's message where it does not compute a sample with the options of now. */
  #refusalOf({ inputs, params }: Defaults): string | null {
    try {
      run(this.fovea, this.entry.id, inputs, params, this.options);
      return null;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  get inputs(): Arguments {
    return this.#argumentsOf('inputs');
  }
  set inputs(values: Arguments) {
    this.replace('inputs', values);
  }
  get params(): Arguments {
    return this.#argumentsOf('params');
  }
  set params(values: Arguments) {
    this.replace('params', values);
  }
  get options(): Arguments {
    return this.#argumentsOf('options');
  }
  set options(values: Arguments) {
    this.replace('options', values);
  }

  #argumentsOf(part: Part): Arguments {
    const [own, given] = [this.sample[part], this.#given[part]];
    return given?.inPlaceOf === own ? given.values : own;
  }

  /** The arguments in place of a sample's, of whichever language; null while the samples are shown as they are. */
  given(part: Part): Given | null {
    return this.#given[part];
  }

  give(part: Part, given: Given | null): void {
    this.#given = { ...this.#given, [part]: given };
  }

  /** Null while the arguments are refused; `error` says why. */
  get result(): CatalogResult | null {
    return this.#computed.result;
  }
  get error(): string | null {
    return this.#computed.error;
  }
  get trace(): readonly TraceStage[] {
    return this.result?.trace ?? [];
  }

  get labels(): Defaults['labels'] {
    return this.sample.labels;
  }

  traceOf(inputs: Arguments, params: Arguments): readonly TraceStage[] {
    return run(this.fovea, this.entry.id, inputs, params, this.options).trace;
  }

  /** The visitor's number in place of one of an input's or a parameter's; undefined for what is not a list of numbers. */
  editOf({ kind, name }: Source, index: Index): ((value: number) => void) | undefined {
    if (kind !== 'inputs' && kind !== 'params') return undefined;
    const [first = '', ...inner] = name.split('.');
    if (!withNumber(this[kind][first], inner, index, 0)) return undefined;
    return (value) => {
      const changed = withNumber(this[kind][first], inner, index, value);
      if (changed && this.#takes(kind, { [first]: changed })) this.change(kind, { [first]: changed }, { own: true });
    };
  }

  /** Whether the mechanism can be computed of these: numbers of words and edges have their limits. */
  #takes(part: Part, values: Arguments): boolean {
    try {
      const given = { inputs: this.inputs, params: this.params, [part]: { ...this[part], ...values } };
      this.traceOf(given.inputs, given.params);
      return true;
    } catch {
      return false;
    }
  }

  stage(name: string): TraceStage | undefined {
    return this.trace.find((stage) => stage.name === name);
  }

  /** Whether the catalog's sentence holds for what is computed now. */
  get claimHolds(): boolean {
    return this.result !== null && this.sample.claim.holds(this.trace);
  }

  /**
   * Takes other arguments in place of those of the same names; `presetBySwitch` where a switch of the page brings them, `own` where they are
   * matrices that the visitor brought.
   */
  change(part: Part, values: Arguments, { presetBySwitch = false, own = false } = {}): void {
    if (presetBySwitch) this.markPresetBySwitch(values);
    if (own) this.markOwn(values);
    this.replace(part, { ...this[part], ...values });
  }

  /** Takes these arguments and no others. */
  replace(part: Part, values: Arguments, { presetBySwitch = false } = {}): void {
    if (presetBySwitch) this.markPresetBySwitch(values);
    const own = this.sample[part];
    this.give(part, values === own ? null : { values, inPlaceOf: own });
  }

  /** Names of values that a switch of the page brought. */
  presetBySwitch(values: Arguments): string[] {
    return marked(values, this.#presetBySwitch);
  }

  /** Names of values that the visitor brought. */
  own(values: Arguments): string[] {
    return marked(values, this.#own);
  }

  /** Whether matrices that the visitor brought have other sizes than the mechanism's, which its picture and its lesson are made for. */
  get hasOtherSizes(): boolean {
    return (['inputs', 'params'] as const).some((part) =>
      this.own(this[part]).some((name) => String(shapeOf(this[part][name])) !== String(shapeOf(this.sample[part][name]))),
    );
  }

  /** Marks values as brought by a switch of the page. */
  markPresetBySwitch(values: Arguments): void {
    for (const value of Object.values(values)) if (isObject(value)) this.#presetBySwitch.add(value);
  }

  /** Marks values as brought by the visitor. */
  markOwn(values: Arguments): void {
    for (const value of Object.values(values)) if (isObject(value)) this.#own.add(value);
  }

  edited(part: Part): boolean {
    return this[part] !== this.sample[part];
  }

  /** Where the weights come from: the visitor's once a number is theirs, set by hand where a switch of the page chose them. */
  get provenance(): Provenance {
    const { params, provenance, contrast } = this.sample;
    const given = Object.entries(this.params);
    if (given.length === 0 && Object.keys(params).length > 0) return 'random';
    if (given.every(([name, value]) => isSame(value, params[name]))) return provenance;
    const isKnown = ([name, value]: [string, unknown]): boolean =>
      [params[name], contrast.params?.[name]].some((known) => isSame(value, known)) ||
      (isObject(value) && this.#presetBySwitch.has(value));
    return given.every(isKnown) ? 'designed' : 'yours';
  }

  reset(): void {
    this.text = null;
    this.#given = { inputs: null, params: null, options: null };
  }
}

const marked = (values: Arguments, marks: WeakSet<object>): string[] =>
  Object.entries(values).flatMap(([name, value]) => (isObject(value) && marks.has(value) ? [name] : []));
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const isSame = (a: unknown, b: unknown): boolean =>
  a === b || (isObject(a) && isObject(b) && JSON.stringify(a) === JSON.stringify(b));
