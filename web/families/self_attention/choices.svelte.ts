import { shortestFloat32 } from '../../figures/format.ts';
import type { Matrix } from '../../figures/matrix.ts';
import { sameNumbers, withCell } from '../../figures/matrix.ts';
import type { Painting } from '../../patterns/painting.ts';
import { readPainting, writePainting } from '../../patterns/painting.ts';
import type { Joint, Part } from '../../patterns/patterns.ts';
import { part } from '../../patterns/patterns.ts';
import { readParts, writeParts } from '../../patterns/written.ts';
import { local } from '../../shell/settings.svelte.ts';
import { merge, readEnds, split, type Ends } from '../../text/division.ts';
import { HEADS, type HeadName } from '../../text/named_heads.ts';
import { TEXT_LIMIT } from '../../text/own_text.ts';
import { TOKEN_LIMIT, type Splitting } from '../../text/tokens.ts';
import { EXAMPLE, PRESETS, type Example, type Preset } from './example.ts';
import { FAVOR_FIELDS, MAP_NAMES, type ChosenMap, type MapName } from './feature_maps.ts';

export type InputKind = 'example' | 'text';
export const KINDS = ['dense', 'sparse', 'linear'] as const;
export type AttentionKind = (typeof KINDS)[number];

const NAMES = ['X', 'Wq', 'Wk', 'Wv'] as const;

/** All that can be set of self-attention, number by number, as the address has it. */
export class Choices {
  input: InputKind = $state('example');
  example: Example = $state.raw(EXAMPLE);
  #text: string | null = $state(null);
  splitting: Splitting = $state('word');
  /** Tokens that the visitor has split and merged. */
  ends: Ends = $state.raw([]);
  head: HeadName = $state('pronoun');
  positions = $state(true);
  causal = $state(false);
  /** Whether scores are divided by √d. Source 004 leaves its example unscaled. */
  #scaled = $state({ example: false, text: true });
  kind: AttentionKind = $state('dense');
  /** Sparse attention: whether the pairs are those of the parts, or painted. */
  isPainted = $state(false);
  parts: readonly Part[] = $state.raw([part('local')]);
  joint: Joint = $state('or');
  /** Null until something is painted: painting begins with the parts. */
  painting: Painting | null = $state.raw(null);
  /** Linear attention. */
  map: MapName = $state('elu1');
  features: number = $state(FAVOR_FIELDS.features.usual);
  seed: number = $state(FAVOR_FIELDS.seed.usual);

  /** The first sentence of the page's language until the visitor has a text of their own. */
  get text(): string {
    return this.#text ?? local(PRESETS)[0]!.text;
  }

  get scaled(): boolean {
    return this.#scaled[this.input];
  }
  set scaled(scaled: boolean) {
    this.#scaled[this.input] = scaled;
  }

  /** The map that is shown. Efficient Attention looks at all keys at once and has no causal form. */
  get shownMap(): ChosenMap {
    const map = this.causal && this.map === 'softmax' ? 'elu1' : this.map;
    return { map, features: this.features, seed: this.seed };
  }

  setText(text: string, splitting = this.splitting): void {
    [this.#text, this.splitting, this.ends] = [text, splitting, []];
  }

  /** Joins a token to the next one, or divides it. */
  regroup(how: 'merge' | 'split', token: number): void {
    this.ends = (how === 'merge' ? merge : split)(this.text, this.splitting, this.ends, token);
  }

  choosePreset({ text, splitting, head }: Preset): void {
    this.setText(text, splitting);
    this.head = head;
  }

  /** The preset whose text this is, if it is one. */
  get preset(): Preset | undefined {
    return [...PRESETS.en, ...PRESETS.zh].find((preset) => preset.text === this.text);
  }

  /** Puts a number into the worked example. */
  edit(name: keyof Example, row: number, col: number, value: number): void {
    this.example = { ...this.example, [name]: withCell(this.example[name], row, col, value) };
  }

  edited(name: keyof Example): boolean {
    return !sameNumbers(this.example[name], EXAMPLE[name]);
  }
  get anyEdited(): boolean {
    return NAMES.some((name) => this.edited(name));
  }

  write(params: URLSearchParams): void {
    params.set('input', this.input);
    if (this.input === 'text') {
      params.set('text', this.text);
      params.set('head', this.head);
      if (this.splitting !== 'word') params.set('split', this.splitting);
      if (this.ends.length > 0) params.set('ends', this.ends.join('.'));
      if (!this.positions) params.set('positions', 'off');
    } else {
      for (const name of NAMES)
        if (this.edited(name)) params.set(name, Array.from(this.example[name].data, shortestFloat32).join(','));
    }
    params.set('scale', this.scaled ? 'sqrt' : '1');
    if (this.causal) params.set('causal', 'on');
    if (this.kind === 'sparse') {
      const painted = this.isPainted ? this.painting : null;
      params.set('pattern', painted ? `paint.${writePainting(painted)}` : writeParts(this.parts));
      if (!painted && this.joint === 'and' && this.parts.length > 1) params.set('join', 'and');
    }
    if (this.kind === 'linear') params.set('linear', this.map === 'favor' ? `favor.${this.features}.${this.seed}` : this.map);
  }

  /** `pattern=local.1_not.causal&join=and`, `pattern=paint.9.…`, `linear=elu1`, `linear=favor.16.1`. */
  read(params: URLSearchParams): void {
    this.input = params.get('input') === 'text' ? 'text' : 'example';
    this.#text = params.get('text')?.slice(0, TEXT_LIMIT) ?? this.#text;
    this.head = HEADS.find((head) => head === params.get('head')) ?? this.head;
    this.splitting = params.get('split') === 'character' ? 'character' : 'word';
    this.ends = readEnds(params.get('ends') ?? '', this.text);
    this.positions = params.get('positions') !== 'off';
    this.causal = params.get('causal') === 'on';
    const scale = params.get('scale');
    if (scale) this.scaled = scale === 'sqrt';
    const examples = NAMES.map((name) => [name, readMatrix(params.get(name), EXAMPLE[name])]);
    this.example = Object.fromEntries(examples) as unknown as Example;

    const pattern = params.get('pattern') ?? '';
    this.painting = pattern.startsWith('paint.') ? readPainting(pattern.slice(6), TOKEN_LIMIT) : null;
    this.isPainted = this.painting !== null;
    const parts = readParts(pattern);
    if (parts.length > 0) [this.parts, this.joint] = [parts, params.get('join') === 'and' ? 'and' : 'or'];

    const [name, features, seed] = (params.get('linear') ?? '').split('.');
    const map = MAP_NAMES.find((candidate) => candidate === name);
    this.map = map ?? this.map;
    if (map === 'favor') [this.features, this.seed] = [fitting('features', features), fitting('seed', seed)];
    this.kind = map ? 'linear' : this.isPainted || parts.length > 0 ? 'sparse' : 'dense';
  }
}

function readMatrix(text: string | null, usual: Matrix): Matrix {
  const numbers = text?.split(',').map(Number);
  if (numbers?.length !== usual.rows * usual.cols || !numbers.every(Number.isFinite)) return usual;
  return { ...usual, data: Float32Array.from(numbers) };
}

function fitting(name: keyof typeof FAVOR_FIELDS, text: string | undefined): number {
  const { usual, least, most } = FAVOR_FIELDS[name];
  return text !== undefined && /^\d{1,9}$/.test(text) ? Math.min(most, Math.max(least, Number(text))) : usual;
}
