/** A step of the arithmetic as a line of plain mathematics. Products, and softmax over a line, have pictures of their own. */
import type { Step, Term } from './arithmetic/explain.ts';

export interface StepLine {
  readonly text: string;
  /** Terms for which there is no room. */
  readonly more: number;
}

/** How a number is written, and a term of the arithmetic. */
export type Write = (x: number, term?: Term) => string;

const MOST_TERMS = 8;

export function lineOf({ operation, terms, value, focus }: Step, write: Write): StepLine {
  const show = (term: Term | undefined): string => {
    if (!term) return write(NaN);
    return term.rootOf === null ? write(term.value, term) : `√${write(term.rootOf)}`;
  };
  const inner = (term: Term | undefined): string => (term && term.value < 0 ? `(${show(term)})` : show(term));
  const [a, b] = terms;
  const own = terms[focus];
  const plain = (text: string): StepLine => ({ text: `${text} = ${write(value)}`, more: 0 });
  const list = (written: readonly string[], between: string, frame: (list: string) => string = (list) => list): StepLine => {
    const more = Math.max(0, written.length - MOST_TERMS);
    const shown = [...written.slice(0, MOST_TERMS), ...(more > 0 ? ['…'] : [])].join(between);
    return { text: `${frame(shown)} = ${write(value)}`, more };
  };
  switch (operation) {
    case 'sum':
      return list(terms.map(inner), ' + ');
    case 'mean':
      return list(terms.map(inner), ' + ', (sum) => `(${sum}) ÷ ${terms.length}`);
    case 'max':
      return list(terms.map(show), ', ', (all) => `max(${all})`);
    case 'norm':
      return list(
        terms.map((term) => `${inner(term)}²`),
        ' + ',
        (sum) => `√(${sum})`,
      );
    case 'add':
    case 'mask':
      return plain(`${show(a)} + ${inner(b)}`);
    case 'subtract':
      return plain(`${show(a)} − ${inner(b)}`);
    case 'multiply':
      return plain(`${show(a)} × ${inner(b)}`);
    case 'divide':
      return plain(`${show(a)} ÷ ${inner(b)}`);
    case 'min':
      return plain(`min(${show(a)}, ${show(b)})`);
    case 'scale':
      return plain(`−${inner(a)}`);
    case 'power':
      return plain(`${inner(a)}²`);
    case 'root':
      return plain(`√${show(a)}`);
    case 'absolute':
      return plain(`|${show(a)}|`);
    case 'exp':
      return plain(`e^${inner(a)}`);
    case 'sparsemax':
      return plain(`max(0, ${show(own)} − τ), τ = ${write((own?.value ?? NaN) - value)}`);
    case 'copy':
    case 'argmax':
    case 'top':
    case 'entmax':
      return plain(`${operation === 'copy' ? '' : `${operation} `}${show(own)}`.trim());
    default:
      return plain(`${operation}(${show(a)})`);
  }
}
