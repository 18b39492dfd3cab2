/** The grammar of what formulas write as arithmetic: sums of products of letters, functions and brackets. */
import type { Node } from './nodes.ts';

const TOKEN = /\\begin\{cases\}|\\end\{cases\}|\\[a-zA-Z]+|\\[,;:!]|\\.|\d+(?:\.\d+)?(?:e-?\d+)?|[a-zA-Z]|\S/g;
const SILENT = new Set(['\\,', '\\;', '\\:', '\\!', '\\left', '\\right', '\\textstyle', '\\quad', '\\Big', '\\lim']);
const ACCENTS = new Set(['\\tilde', '\\hat', '\\bar', '\\overrightarrow', '\\overleftarrow']);
const FUNCTIONS = new Set(['\\tanh', '\\exp', '\\ln', '\\max', '\\min', '\\sigma', '\\sum']);
const PREFIXES = new Set(['sum', 'max']);
const CLOSING = new Set([')', ']', '}', ',', ';', '=', '\\rVert', '\\rvert', '\\text', '&', '\\\\', '\\mid', '\\end{cases}']);

export class Unreadable extends Error {}

export function tokensOf(tex: string): string[] {
  return (tex.match(TOKEN) ?? []).filter((token) => !SILENT.has(token));
}

export class Reader {
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  whole(): Node {
    const node = this.#sum();
    if (this.#at < this.#tokens.length) throw new Unreadable();
    return node;
  }

  #peek(): string {
    return this.#tokens[this.#at] ?? '';
  }
  #take(expected?: string): string {
    const token = this.#tokens[this.#at++];
    if (token === undefined || (expected !== undefined && token !== expected)) throw new Unreadable();
    return token;
  }
  #skip(token: string): boolean {
    if (this.#peek() !== token) return false;
    this.#at++;
    return true;
  }

  #sum(): Node {
    const terms: { sign: 1 | -1; node: Node }[] = [];
    let sign: 1 | -1 = this.#skip('-') ? -1 : 1;
    for (;;) {
      terms.push({ sign, node: this.#product() });
      if (this.#skip('+')) sign = 1;
      else if (this.#skip('-')) sign = -1;
      else break;
    }
    const [first] = terms;
    return first && terms.length === 1 && first.sign === 1 ? first.node : { type: 'add', terms };
  }

  #product(): Node {
    const groups: Node[][] = [[]];
    while (this.#at < this.#tokens.length && !CLOSING.has(this.#peek()) && !/^[+-]$/.test(this.#peek())) {
      if (this.#skip('\\odot') || this.#skip('*')) groups.push([]);
      else if (this.#skip('\\cdot')) continue;
      else if (this.#skip('/')) groups.push([{ type: 'over', top: joined(groups.splice(0)), bottom: this.#divisor() }]);
      else groups.at(-1)?.push(this.#factor());
    }
    return joined(groups);
  }

  /** x / 2σ² is divided by both. */
  #divisor(): Node {
    const first = this.#factor();
    return first.type === 'number' && this.#peek() === '\\sigma'
      ? { type: 'times', factors: [first, this.#factor()], elementwise: false }
      : first;
  }

  /** An atom with what stands above it on the right. */
  #factor(): Node {
    let node = this.#atom();
    while (this.#peek() === '^') {
      this.#take();
      const mark = this.#script();
      if (mark === 'top') node = { type: 'turned', of: node };
      else if (/^\d+$/.test(mark)) node = { type: 'power', of: node, exponent: Number(mark) };
      else throw new Unreadable();
    }
    return node;
  }

  #atom(): Node {
    const token = this.#take();
    if (/^\d/.test(token)) return { type: 'number', value: Number(token) };
    if (token === '(') return this.#closed(')');
    if (token === '[') return this.#bracket();
    if (token === '|') return this.#size();
    if (token === '\\lVert') return this.#norm();
    if (token === '\\lvert') return { type: 'call', name: 'absolute', sub: '', args: [this.#closed('\\rvert')] };
    if (token === '\\begin{cases}') return this.#cases();
    if (/^\\[td]?frac$/.test(token)) return { type: 'over', top: this.#braced(), bottom: this.#braced() };
    if (token === '\\sqrt') return { type: 'call', name: 'root', sub: '', args: [this.#braced()] };
    if (token === '\\operatorname') return this.#call(this.#group());
    if (token === '\\sigma' && this.#peek() !== '(') return this.#symbol('sigma');
    if (FUNCTIONS.has(token)) return this.#call(token.slice(1));
    if (ACCENTS.has(token)) {
      const inner = this.#skip('{') ? this.#take() : this.#take();
      this.#skip('}');
      return this.#symbol(`${token.slice(1)} ${inner.replace('\\', '')}`);
    }
    if (token === '\\mathbf') {
      this.#group();
      return this.#atom();
    }
    if (token === 'e' && this.#peek() === '^') {
      this.#take();
      return { type: 'call', name: 'exp', sub: '', args: [this.#braced()] };
    }
    if (/^(?:[a-zA-Z]|\\[a-zA-Z]+)$/.test(token) && !/^\\(?:mathrm|text|infty|ldots|dots|mathbf)$/.test(token))
      return this.#symbol(token.replace('\\', ''));
    throw new Unreadable();
  }

  #symbol(name: string): Node {
    const { sub, sup, turned } = this.#scripts();
    const symbol: Node = { type: 'symbol', name, sub, sup };
    if (turned) return { type: 'turned', of: symbol };
    if (/^(?:[pP]hi|[FGH])$/.test(name) && this.#peek() === '(') return this.#call(name);
    this.#skipIndex();
    return symbol;
  }

  /** a_t(s) is a with one more index. */
  #skipIndex(): void {
    if (this.#peek() === '(' && /^[a-z]$/.test(this.#tokens[this.#at + 1] ?? '') && this.#tokens[this.#at + 2] === ')')
      this.#at += 3;
  }

  #scripts(): { sub: string; sup: string; turned: boolean } {
    const found = { sub: '', sup: '', turned: false };
    for (;;) {
      if (this.#skip('_')) found.sub = this.#script();
      else if (this.#peek() === "'") found.sup += this.#take();
      else if (this.#peek() === '^' && (found.sub !== '' || this.#tokens[this.#at + 1] !== '2')) {
        this.#take();
        const mark = this.#script();
        if (mark.endsWith('top')) found.turned = true;
        found.sup += mark.replace(/top$/, '');
      } else return found;
    }
  }

  /** Reads the content of a script, without braces and backslashes. */
  #script(): string {
    return this.#peek() === '{' ? this.#group() : this.#take().replace('\\', '');
  }

  #group(): string {
    this.#take('{');
    let [text, depth] = ['', 1];
    for (;;) {
      const token = this.#take();
      if (token === '{') depth++;
      if (token === '}' && --depth === 0) return text;
      text += token.replace('\\', '').replace(/[{}]/, '');
    }
  }

  #braced(): Node {
    this.#take('{');
    return this.#closed('}');
  }
  #closed(end: string): Node {
    const node = this.#sum();
    this.#take(end);
    return node;
  }
  #list(end: string, make: (parts: readonly Node[]) => Node): Node {
    const parts = [this.#sum()];
    while (this.#skip(';') || this.#skip(',')) {
      if (/^\\l?dots$/.test(this.#peek())) this.#take();
      else parts.push(this.#sum());
    }
    this.#take(end);
    return make(parts);
  }

  /** A concatenation, or [j = argmax z]: 1 where it holds. */
  #bracket(): Node {
    if (this.#tokens[this.#at + 1] !== '=') return this.#list(']', (parts) => ({ type: 'concat', parts }));
    this.#at += 2;
    return this.#closed(']');
  }

  /** |D|, how many there are. */
  #size(): Node {
    this.#take();
    this.#take('|');
    return { type: 'symbol', name: 'n', sub: '', sup: '' };
  }

  #norm(): Node {
    const inner = this.#closed('\\rVert');
    const sub = this.#skip('_') ? this.#script() : '';
    return { type: 'call', name: 'norm', sub, args: [inner] };
  }

  /** The first case; the others are −∞. */
  #cases(): Node {
    const first = this.#sum();
    while (this.#take() !== '\\end{cases}');
    return { type: 'call', name: 'cases', sub: '', args: [first] };
  }

  /** max(x, 0), not the largest of a line. */
  #isLargerOfTwo(name: string): boolean {
    if (name !== 'max' || this.#peek() !== '(') return false;
    let depth = 0;
    for (const token of this.#tokens.slice(this.#at)) {
      if (token === '(') depth++;
      if (token === ')' && --depth === 0) return false;
      if (token === ',' && depth === 1) return true;
    }
    return false;
  }

  #call(name: string): Node {
    const { sub, sup } = this.#scripts();
    if (PREFIXES.has(name) && !this.#isLargerOfTwo(name)) return { type: 'call', name, sub, args: [this.#product()] };
    const make = (args: readonly Node[]): Node => ({ type: 'call', name: name + sup, sub, args });
    return this.#skip('(') ? this.#list(')', make) : make([this.#factor()]);
  }
}

function joined(groups: readonly (readonly Node[])[]): Node {
  const products = groups.map((factors): Node => {
    const [only] = factors;
    if (!only) throw new Unreadable();
    return factors.length === 1 ? only : { type: 'times', factors, elementwise: false };
  });
  const [only] = products;
  return products.length === 1 && only ? only : { type: 'times', factors: products, elementwise: true };
}
