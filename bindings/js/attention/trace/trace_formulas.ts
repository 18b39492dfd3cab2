/** The LaTeX of attention's stages, in row notation: O = softmax(QKᵀ/√D) V. */
import type { Sizes } from '../options/layout.ts';
import type { Rules } from '../options/rules.ts';

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
  const masked = maskFormula(rules, sizes, capped === null ? 'Z' : 'C');
  const logits = masked !== null ? 'L' : capped !== null ? 'C' : 'Z';
  return {
    scores:
      rules.score?.formula ??
      (rules.terms.key === '' ? 'S = Q K^{\\top}' : `S_{ij} = q_i \\cdot \\left(k_j${rules.terms.key}\\right)`),
    scaled: rules.defaultScale ? `Z = \\frac{S}{\\sqrt{${sizes.width}}}` : `Z = ${rules.scale} \\, S`,
    capped,
    masked,
    weights: weightsFormula(rules, logits),
  };
}

function maskFormula(rules: Rules, sizes: Sizes, from: string): string | null {
  const forbids =
    rules.causal ||
    rules.windowLeft >= 0 ||
    rules.windowRight >= 0 ||
    rules.direction > 0 ||
    rules.keyLengths !== null ||
    rules.mask !== null ||
    rules.keyMask !== null ||
    rules.pattern !== null;
  const added =
    rules.terms.bias +
    (rules.floatMask === null ? '' : ' + M_{ij}') +
    (rules.keyFloatMask === null ? '' : " + M'_{bj}") +
    (rules.pattern?.hasBias === true ? ' + E_{ij}' : '');
  if (!forbids && added === '') return null;
  const logit = `${from}_{ij}${added}`;
  const rows: string[] = [];
  // Nothing applies to appended keys.
  if (rules.appendedKeys > 0) rows.push(`${from}_{ij} & \\text{if } j \\ge ${sizes.keys - rules.appendedKeys}`);
  if (forbids) rows.push(`${logit} & \\text{if } ${condition(rules)}`, '-\\infty & \\text{otherwise}');
  else if (rows.length === 0) return `L_{ij} = ${logit}`;
  else rows.push(`${logit} & \\text{otherwise}`);
  return `L_{ij} = \\begin{cases} ${rows.join(' \\\\ ')} \\end{cases}`;
}

function condition(rules: Rules): string {
  const rows: string[] = [];
  if (rules.causal) rows.push('j \\le p_i');
  if (rules.windowLeft >= 0) rows.push(`j \\ge p_i - ${rules.windowLeft}`);
  if (rules.windowRight >= 0) rows.push(`j \\le p_i + ${rules.windowRight}`);
  if (rules.direction > 0) rows.push(rules.direction === 1 ? 'j < p_i' : 'j > p_i');
  if (rules.keyLengths !== null) rows.push('j < \\ell_b');
  if (rules.mask !== null) rows.push('B_{ij}');
  if (rules.keyMask !== null) rows.push("B'_{bj}");
  if (rules.pattern !== null) rows.push('(p_i, j) \\in P');
  return rows.join(' \\text{ and } ');
}

function weightsFormula({ sinks, temperature, normalizer }: Rules, name: string): string {
  const divided = temperature === 1 ? '' : ` / ${temperature}`;
  const [logits, of, ofOther] = [name, `${name}_{ij}`, `${name}_{ij'}`].map((logit) => logit + divided) as [
    string,
    string,
    string,
  ];
  if (sinks !== null) return `A_{ij} = \\frac{e^{${of}}}{e^{s_h} + \\sum_{j'} e^{${ofOther}}}`;
  const { kind, scaled, bias, k } = normalizer;
  const added = bias < 0 ? ` - ${-bias}` : bias > 0 ? ` + ${bias}` : '';
  const chosen = (rank: string): string => `A_{ij} = \\left[ j = \\operatorname{argmax}_{j'} ${rank} \\right]`;
  switch (kind) {
    case 'softmax':
      return `A = \\operatorname{softmax}(${logits})`;
    case 'relu':
      return scaled ? `A_{ij} = \\frac{1}{n_i} \\operatorname{relu}(${of})` : `A = \\operatorname{relu}(${logits})`;
    case 'sigmoid':
      return `A = \\operatorname{sigmoid}(${logits}${added})`;
    case 'argmax':
      return chosen(ofOther);
    case 'sampled':
      return chosen(`\\left( ${ofOther} + G_{ij'} \\right)`);
    case 'topK':
      return `A = \\operatorname{softmax}(\\operatorname{top}_{${k}}(${logits}))`;
    case 'sparsemax':
      return `A = \\operatorname{sparsemax}(${logits})`;
    case 'entmax15':
      return `A = \\operatorname{entmax}_{1.5}(${logits})`;
  }
}

/** The formula of one head's output. */
export function outputFormula({ terms }: Rules): string {
  return terms.value === '' ? 'O = A V' : `O_i = \\sum_j A_{ij} \\left(v_j${terms.value}\\right)`;
}
