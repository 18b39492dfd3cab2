/** Sizes by the letters of a paper: the shapes of inputs and params, as they are declared, checked against those that were given. */
import { fail } from '../../errors/errors.ts';
import { formatShape, type Shape } from '../../tensor/shapes.ts';

/** An array that was given, and its declared axes: sums of letters and integers, such as 'T', '2l', 'S+Hs' or '2K+1'. */
export interface DeclaredShape {
  readonly name: string;
  readonly axes: readonly string[];
  readonly shape: Shape;
}

interface Term {
  readonly factor: number;
  /** Undefined for an integer alone. */
  readonly letter: string | undefined;
}

/** 'T D' -> ['T', 'D']; '' -> []. */
export function axesOf(declared: string): string[] {
  return declared.split(' ').filter((axis) => axis !== '');
}

export class Dimensions {
  readonly #fn: string;
  readonly #sizes = new Map<string, number>();

  constructor(fn: string) {
    this.#fn = fn;
  }

  /** The size of a letter. */
  of(letter: string): number {
    const size = this.#sizes.get(letter);
    if (size === undefined) fail('internal', this.#fn, `no array has the axis ${letter}`);
    return size;
  }

  /** The size of a letter, or undefined where no array that was given has it. */
  find(letter: string): number | undefined {
    return this.#sizes.get(letter);
  }

  /** Throws a `shape` error where the arrays have no sizes in common; every letter that they fix is known then. */
  bind(arrays: readonly DeclaredShape[]): void {
    const open = arrays.flatMap((array) => array.axes.map((_, axis) => ({ array, axis })));
    for (let before = -1; open.length !== before;) {
      before = open.length;
      for (const one of open.splice(0)) if (!this.#settle(one.array, one.axis)) open.push(one);
    }
    const [left] = open;
    if (left !== undefined) fail('internal', this.#fn, `the axes of ${left.array.name} are not known by those of other arrays`);
  }

  /** Checks an axis, or learns its one unknown letter; false where it has several of them. */
  #settle(array: DeclaredShape, axis: number): boolean {
    const terms = termsOf(array.axes[axis]!);
    const unknown = terms.filter(({ letter }) => letter !== undefined && !this.#sizes.has(letter));
    const known = terms
      .filter((term) => !unknown.includes(term))
      .reduce((sum, { factor, letter }) => sum + factor * (letter === undefined ? 1 : this.#sizes.get(letter)!), 0);
    const size = array.shape[axis]!;
    if (unknown.length > 1) return false;
    const [one] = unknown;
    if (one === undefined ? size !== known : size < known || (size - known) % one.factor !== 0) this.#refuse(array);
    if (one !== undefined) this.#sizes.set(one.letter!, (size - known) / one.factor);
    return true;
  }

  #refuse({ name, axes, shape }: DeclaredShape): never {
    const sizes = axes.map((axis) => termsOf(axis).reduce((sum, { factor, letter }) => sum + factor * this.#sizeOf(letter), 0));
    const wanted = sizes.some(Number.isNaN) ? '' : ` = ${formatShape(sizes)}`;
    fail('shape', this.#fn, `${name} must be [${axes.join(', ')}]${wanted}, got ${formatShape(shape)}`);
  }

  #sizeOf(letter: string | undefined): number {
    return letter === undefined ? 1 : (this.#sizes.get(letter) ?? NaN);
  }
}

function termsOf(axis: string): Term[] {
  return axis.split('+').map((term) => {
    const [, factor = '', letter = ''] = /^(\d*)(.*)$/.exec(term)!;
    return { factor: factor === '' ? 1 : Number(factor), letter: letter === '' ? undefined : letter };
  });
}
