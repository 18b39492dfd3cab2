/** Marks the letters of an equation by the stages that they name, for KaTeX's \htmlData. */

interface StageOfFormula {
  readonly name: string;
  readonly formula: string;
}

const TOKEN =
  /\\(?:tilde|hat|bar) ?\{?\\?[a-zA-Z]+\}?|\\operatorname\{[^}]*\}|\\(?:text|mathbb|mathrm|mathbf)\{[^}]*\}|\\[a-zA-Z]+|\\.|[a-zA-Z]|\s+|[^]/g;
/** Signs that are no letters of an array. */
const SIGN = /^\\(?:frac|tfrac|sqrt|top|sum|textstyle|odot|cdot|quad|left|right|tanh|exp|max|in|times|lVert|rVert|infty)$/;

/** The equation in LaTeX, each letter of a stage inside `\htmlData{stage=NAME}{…}`. */
export function markStages(equation: string, trace: readonly StageOfFormula[]): string {
  const tokens = equation.match(TOKEN) ?? [];
  let marked = '';
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i] ?? '';
    if (token === '_' || token === '^') {
      const end = endOfScript(tokens, i + 1);
      marked += tokens.slice(i, end).join('');
      i = end - 1;
      continue;
    }
    const stage = stageOf(token, tokens[i + 1] === '_', trace);
    marked += stage === undefined ? token : `\\htmlData{stage=${stage}}{${token}}`;
  }
  return marked;
}

/** Scripts are indices, not arrays. */
function endOfScript(tokens: readonly string[], start: number): number {
  if (tokens[start] !== '{') return start + 1;
  let depth = 0;
  for (let i = start; i < tokens.length; i++) {
    if (tokens[i] === '{') depth++;
    if (tokens[i] === '}' && --depth === 0) return i + 1;
  }
  return tokens.length;
}

function stageOf(token: string, indexed: boolean, trace: readonly StageOfFormula[]): string | undefined {
  const operator = /^\\operatorname\{(.*)\}$/.exec(token)?.[1];
  if (operator !== undefined) {
    const made = trace.filter(({ formula }) => formula.includes(`= \\operatorname{${operator}}`) || formula.startsWith(token));
    return made.length === 1 ? made[0]?.name : undefined;
  }
  if (!/^(?:\\[a-zA-Z]|[a-zA-Z])/.test(token) || SIGN.test(token)) return undefined;
  const letter = token.replace(/[\\{}]/g, '').trim();
  const named = (wanted: string): string | undefined =>
    trace.find(({ name, formula }) => definedBy(formula) === wanted || name === wanted)?.name;
  return named(letter) ?? (indexed && /^[a-z]$/.test(letter) ? named(letter.toUpperCase()) : undefined);
}

/** The letter on the left side, `tilde Q` of \tilde Q = …, without indices; undefined where it is no letter. */
function definedBy(formula: string): string | undefined {
  const [left = ''] = formula.split('=');
  return /^(\\(?:tilde|hat|bar) )?\\?([a-zA-Z]+)(?:[_^].*)?$/.exec(left.trim())?.slice(1).join('').replace('\\', '');
}
