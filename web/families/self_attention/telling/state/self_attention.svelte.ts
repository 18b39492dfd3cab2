import { EXAMPLE, PRESETS } from '../model/example.ts';
import type { Example, Preset } from '../model/example.ts';
import type { HeadName } from '../../../../text/named_heads.ts';
import { HEADS } from '../../../../text/named_heads.ts';
import type { MatrixId, Selection } from '../model/matrices.ts';
import { MATRICES } from '../model/matrices.ts';
import { shortestFloat32 } from '../../../../figures/format.ts';
import type { Matrix } from '../../../../figures/matrix.ts';
import { local } from '../../../../shell/settings.svelte.ts';
import { sameNumbers, withCell } from '../../../../figures/matrix.ts';
import { merge, readEnds, split, type Ends } from '../../../../text/division.ts';
import type { Splitting } from '../../../../text/tokens.ts';
import { LinearState } from './self_attention_linear.svelte.ts';
import { PatternState } from './self_attention_pattern.svelte.ts';

export type InputKind = 'example' | 'text';
export type AttentionKind = 'dense' | 'sparse' | 'linear';

/** More characters than this are not taken from the text field or a link. */
export const TEXT_LIMIT = 2000;

const EXAMPLE_CELL: Selection = { id: 'weights', row: 0, col: 1 };

/** All that can be set in the room "Self-attention"; what is shown follows from it. */
export class SelfAttentionState {
  input: InputKind = $state('example');
  example: Example = $state.raw(EXAMPLE);
  #text: string | null = $state(null);
  splitting: Splitting = $state('word');
  /** Tokens that the visitor has split and merged. */
  ends: Ends = $state.raw([]);
  head: HeadName = $state('pronoun');
  positions = $state(true);
  causal = $state(false);
  readonly pattern = new PatternState();
  readonly linear = new LinearState();
  allDigits = $state(false);
  /** Whether scores are divided by √d. Source 004 leaves its example unscaled. */
  #scaled = $state({ example: false, text: true });
  /** The cell that was chosen; pointing at another one shows that one for as long as it lasts. */
  #chosen: Record<InputKind, Selection | null> = $state({ example: EXAMPLE_CELL, text: null });
  pointed: Selection | null = $state.raw(null);
  /** Whether a heatmap has the focus or the pointer. */
  gazing = $state(false);

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

  get kind(): AttentionKind {
    return this.linear.on ? 'linear' : this.pattern.sparse ? 'sparse' : 'dense';
  }
  set kind(kind: AttentionKind) {
    this.linear.on = kind === 'linear';
    this.pattern.sparse = kind === 'sparse';
  }

  get chosen(): Selection | null {
    return this.#chosen[this.input];
  }
  set chosen(selection: Selection | null) {
    this.#chosen[this.input] = selection;
  }

  setText(text: string, splitting = this.splitting): void {
    [this.#text, this.splitting, this.ends] = [text, splitting, []];
  }

  /** Joins a token to the next one, or divides it. */
  regroup(how: 'merge' | 'split', token: number): void {
    this.ends = (how === 'merge' ? merge : split)(this.text, this.splitting, this.ends, token);
  }

  choosePreset(preset: Preset): void {
    this.setText(preset.text, preset.splitting);
    this.head = preset.head;
    this.#chosen.text = null;
  }

  /** The preset whose text this is, if it is one. */
  get preset(): Preset | undefined {
    return [...PRESETS.en, ...PRESETS.zh].find((preset) => preset.text === this.text);
  }

  /** Puts a number into the worked example. */
  edit({ id, row, col }: Selection, value: number): void {
    if (id !== 'X' && id !== 'Wq' && id !== 'Wk' && id !== 'Wv') return;
    this.example = { ...this.example, [id]: withCell(this.example[id], row, col, value) };
  }

  edited(name: keyof Example): boolean {
    return !sameNumbers(this.example[name], EXAMPLE[name]);
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
      for (const name of ['X', 'Wq', 'Wk', 'Wv'] as const) {
        if (this.edited(name)) params.set(name, Array.from(this.example[name].data, shortestFloat32).join(','));
      }
    }
    params.set('scale', this.scaled ? 'sqrt' : '1');
    if (this.causal) params.set('causal', 'on');
    this.pattern.write(params);
    this.linear.write(params);
    const cell = this.chosen;
    if (cell) params.set('cell', `${cell.id}.${cell.row}.${cell.col}`);
  }

  read(params: URLSearchParams): void {
    this.input = params.get('input') === 'text' ? 'text' : 'example';
    this.#text = params.get('text')?.slice(0, TEXT_LIMIT) ?? this.#text;
    this.head = HEADS.find((head) => head === params.get('head')) ?? this.head;
    this.splitting = params.get('split') === 'character' ? 'character' : 'word';
    this.ends = readEnds(params.get('ends') ?? '', this.text);
    this.positions = params.get('positions') !== 'off';
    this.causal = params.get('causal') === 'on';
    this.pattern.read(params);
    this.linear.read(params);
    if (this.linear.on) this.pattern.sparse = false;
    const scale = params.get('scale');
    if (scale) this.scaled = scale === 'sqrt';
    this.example = {
      X: readMatrix(params.get('X'), EXAMPLE.X),
      Wq: readMatrix(params.get('Wq'), EXAMPLE.Wq),
      Wk: readMatrix(params.get('Wk'), EXAMPLE.Wk),
      Wv: readMatrix(params.get('Wv'), EXAMPLE.Wv),
    };
    this.chosen = readCell(params.get('cell')) ?? (this.input === 'example' ? EXAMPLE_CELL : null);
  }
}

function readMatrix(text: string | null, usual: Matrix): Matrix {
  const numbers = text?.split(',').map(Number);
  if (numbers?.length !== usual.rows * usual.cols || !numbers.every(Number.isFinite)) return usual;
  return { ...usual, data: Float32Array.from(numbers) };
}

function readCell(text: string | null): Selection | null {
  const [, name, row, col] = /^(\w+)\.(\d+)\.(\d+)$/.exec(text ?? '') ?? [];
  const id = MATRICES.find((matrix): matrix is MatrixId => matrix === name);
  return id ? { id, row: Number(row), col: Number(col) } : null;
}
