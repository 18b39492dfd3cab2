/** The LaTeX of attention's stages, in row notation: O = softmax(QKᵀ/√D) V. */
import type { Sizes } from './layout.ts';
import type { Rules } from './rules.ts';

export interface Formulas {
  readonly scores: string;
  readonly scaled: string;
  /** Null where there is no cap, and no such stage. */
  readonly capped: string | null;
  /** Null where no bias, mask or rule says anything. */
  readonly masked: string | null;
  readonly weights: string;
}

export function formulas(rules: Rules, sizes: Sizes): Formulas {
  const capped = rules.softcap === 0 ? null : `C = ${rules.softcap} \\tanh\\!\\left(\\frac{Z}{${rules.softcap}}\\right)`;
  const masked = maskFormula(rules, capped === null ? 'Z' : 'C');
  const logits = masked !== null ? 'L' : capped !== null ? 'C' : 'Z';
  return {
    scores: rules.score?.formula ?? 'S = Q K^{\\top}',
    scaled: rules.defaultScale ? `Z = \\frac{S}{\\sqrt{${sizes.width}}}` : `Z = ${rules.scale} \\, S`,
    capped,
    masked,
    weights: weightsFormula(rules, logits),
  };
}

function maskFormula(rules: Rules, from: string): string | null {
  const forbids =
    rules.causal ||
    rules.windowLeft >= 0 ||
    rules.windowRight >= 0 ||
    rules.keyLengths !== null ||
    rules.mask !== null ||
    rules.pattern !== null;
  const added =
    (rules.slopes === null ? '' : ' - m_h \\lvert p_i - j \\rvert') +
    (rules.floatMask === null ? '' : ' + M_{ij}') +
    (rules.pattern?.hasBias === true ? ' + E_{ij}' : '');
  if (!forbids && added === '') return null;
  if (!forbids) return `L_{ij} = ${from}_{ij}${added}`;
  return `L_{ij} = \\begin{cases} ${from}_{ij}${added} & \\text{if } ${condition(rules)} \\\\ -\\infty & \\text{otherwise} \\end{cases}`;
}

function condition(rules: Rules): string {
  const rows: string[] = [];
  if (rules.causal) rows.push('j \\le p_i');
  if (rules.windowLeft >= 0) rows.push(`j \\ge p_i - ${rules.windowLeft}`);
  if (rules.windowRight >= 0) rows.push(`j \\le p_i + ${rules.windowRight}`);
  if (rules.keyLengths !== null) rows.push('j < \\ell_b');
  if (rules.mask !== null) rows.push('B_{ij}');
  if (rules.pattern !== null) rows.push('(p_i, j) \\in P');
  return rows.join(' \\text{ and } ');
}

function weightsFormula(rules: Rules, logits: string): string {
  if (rules.sinks === null) return `A = \\operatorname{softmax}(${logits})`;
  return `A_{ij} = \\frac{e^{${logits}_{ij}}}{e^{s_h} + \\sum_{j'} e^{${logits}_{ij'}}}`;
}
