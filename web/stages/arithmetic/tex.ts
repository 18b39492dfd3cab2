/** Reads the LaTeX of a stage's formula as far as it is arithmetic. */
import type { Formula, Node, SymbolNode } from './nodes.ts';
import { Reader, tokensOf, Unreadable } from './reader.ts';

export function readFormula(tex: string): Formula {
  const tokens = tokensOf(tex);
  const equals = topLevelEquals(tokens);
  const left = equals === undefined ? tokens : tokens.slice(0, equals);
  const right = equals === undefined ? tokens : tokens.slice(equals + 1);
  const defined = attempt(() => new Reader(left).whole());
  return {
    left: symbolOf(defined),
    right: attempt(() => new Reader(right).whole()),
  };
}

/** The letter of a left side: φ(Q) is read as a letter of its own. */
function symbolOf(node: Node | null): SymbolNode | null {
  if (node?.type === 'symbol') return node;
  const inner = node?.type === 'call' ? node.args[0] : null;
  return node?.type === 'call' && inner?.type === 'symbol'
    ? { type: 'symbol', name: `${node.name} ${inner.name}`, sub: '', sup: '' }
    : null;
}

function topLevelEquals(tokens: readonly string[]): number | undefined {
  let depth = 0;
  let found: number | undefined;
  tokens.forEach((token, i) => {
    if (/^[[({]$/.test(token)) depth++;
    else if (/^[\])}]$/.test(token)) depth--;
    else if (token === '=' && depth === 0) found ??= i;
  });
  return found;
}

function attempt(read: () => Node): Node | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof Unreadable) return null;
    throw error;
  }
}
