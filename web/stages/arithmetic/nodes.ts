/** A formula's arithmetic, read. */

export interface SymbolNode {
  readonly type: 'symbol';
  /** `Q`, `tilde Q`, `alpha`. */
  readonly name: string;
  /** Indices and upper marks without braces and backslashes. */
  readonly sub: string;
  readonly sup: string;
}
export type Node =
  | SymbolNode
  | { readonly type: 'number'; readonly value: number }
  | { readonly type: 'call'; readonly name: string; readonly sub: string; readonly args: readonly Node[] }
  | { readonly type: 'add'; readonly terms: readonly { readonly sign: 1 | -1; readonly node: Node }[] }
  | { readonly type: 'times'; readonly factors: readonly Node[]; readonly elementwise: boolean }
  | { readonly type: 'over'; readonly top: Node; readonly bottom: Node }
  | { readonly type: 'concat'; readonly parts: readonly Node[] }
  | { readonly type: 'turned'; readonly of: Node }
  | { readonly type: 'power'; readonly of: Node; readonly exponent: number };

/** Both sides of a formula: the letter that it defines, and the arithmetic. */
export interface Formula {
  readonly left: SymbolNode | null;
  readonly right: Node | null;
}

/** All letters of an expression. */
export function symbolsIn(node: Node): SymbolNode[] {
  if (node.type === 'symbol') return [node];
  if (node.type === 'number') return [];
  if (node.type === 'call') return node.args.flatMap(symbolsIn);
  if (node.type === 'add') return node.terms.flatMap((term) => symbolsIn(term.node));
  if (node.type === 'times') return node.factors.flatMap(symbolsIn);
  if (node.type === 'over') return [node.top, node.bottom].flatMap(symbolsIn);
  return node.type === 'concat' ? node.parts.flatMap(symbolsIn) : symbolsIn(node.of);
}
