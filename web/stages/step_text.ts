/** A step of the arithmetic as a line of plain mathematics. */
import { short } from '../figures/format.ts';
import type { Step } from './arithmetic/explain.ts';

export interface StepLine {
  readonly text: string;
  /** Products that are 0, and terms for which there is no room. */
  readonly zeros: number;
  readonly more: number;
}

const MOST_TERMS = 8;
const show = (x: number): string => short(x, 4);
const inner = (x: number): string => (x < 0 ? `(${show(x)})` : show(x));

export function lineOf({ operation, values, value, focus }: Step): StepLine {
  const [a = NaN, b = NaN] = values;
  const own = values[focus] ?? NaN;
  const plain = (text: string): StepLine => ({ text: `${text} = ${show(value)}`, zeros: 0, more: 0 });
  switch (operation) {
    case 'dot':
      return products(values, value);
    case 'sum':
      return terms(values.map(inner), ' + ', value, (list) => list);
    case 'mean':
      return terms(values.map(inner), ' + ', value, (list) => `(${list}) ÷ ${values.length}`);
    case 'max':
      return terms(values.map(show), ', ', value, (list) => `max(${list})`);
    case 'norm':
      return terms(
        values.map((x) => `${inner(x)}²`),
        ' + ',
        value,
        (list) => `√(${list})`,
      );
    case 'add':
      return plain(`${show(a)} + ${inner(b)}`);
    case 'subtract':
      return plain(`${show(a)} − ${inner(b)}`);
    case 'multiply':
      return plain(`${show(a)} × ${inner(b)}`);
    case 'divide':
      return plain(`${show(a)} ÷ ${inner(b)}`);
    case 'min':
      return plain(`min(${show(a)}, ${show(b)})`);
    case 'mask':
      return plain(`${show(a)} + ${inner(b)}`);
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
    case 'softmax':
      return plain(softmaxOf(values, own));
    case 'sparsemax':
      return plain(`max(0, ${show(own)} − τ), τ = ${show(own - value)}`);
    case 'copy':
    case 'argmax':
    case 'top':
    case 'entmax':
      return plain(`${operation === 'copy' ? '' : `${operation} `}${show(own)}`.trim());
    default:
      return plain(`${operation}(${show(a)})`);
  }
}

function softmaxOf(values: readonly number[], own: number): string {
  const most = Math.max(...values);
  const sum = values.reduce((total, x) => total + Math.exp(x - most), 0);
  return `e^(${show(own)} − ${inner(most)}) ÷ ${show(sum)}`;
}

function products(values: readonly number[], value: number): StepLine {
  const pairs: string[] = [];
  let zeros = 0;
  for (let k = 0; k < values.length; k += 2) {
    const [x = 0, y = 0] = [values[k], values[k + 1]];
    if (x === 0 || y === 0) zeros++;
    else pairs.push(`${inner(x)} × ${inner(y)}`);
  }
  return { ...terms(pairs.length > 0 ? pairs : ['0'], ' + ', value, (list) => list), zeros };
}

function terms(list: readonly string[], between: string, value: number, frame: (list: string) => string): StepLine {
  const more = Math.max(0, list.length - MOST_TERMS);
  const shown = [...list.slice(0, MOST_TERMS), ...(more > 0 ? ['…'] : [])].join(between);
  return { text: `${frame(shown)} = ${show(value)}`, zeros: 0, more };
}
