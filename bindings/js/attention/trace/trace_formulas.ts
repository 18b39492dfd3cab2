/** The LaTeX of attention's stages, in row notation: O = softmax(QKᵀ/√D) V. */
import type { Sizes } from '../options/layout.ts';
import type { AttentionSpec } from '../options/attention_spec.ts';

export interface Formulas {
  readonly scores: string;
  readonly scaled: string;
  /** Null where there is no cap, and no such stage. */
  readonly capped: string | null;
  /** Null where no bias, mask or rule says anything. */
  readonly masked: string | null;
  /** Before the weight scale; null without one. */
  readonly alignment: string | null;
  readonly weights: string;
}

export function formulas(spec: AttentionSpec, sizes: Sizes): Formulas {
  const capped = spec.softcap === 0 ? null : `C = ${spec.softcap} \\tanh\\!\\left(\\frac{Z}{${spec.softcap}}\\right)`;
  const masked = maskFormula(spec, sizes, capped === null ? 'Z' : 'C');
  const weights = weightsFormula(spec, masked !== null ? 'L' : capped !== null ? 'C' : 'Z');
  return {
    scores:
      spec.score?.formula ??
      (spec.terms.key === '' ? 'S = Q K^{\\top}' : `S_{ij} = q_i \\cdot \\left(k_j${spec.terms.key}\\right)`),
    scaled: spec.defaultScale ? `Z = \\frac{S}{\\sqrt{${sizes.width}}}` : `Z = ${spec.scale} \\, S`,
    capped,
    masked,
    alignment: spec.weightScale === null ? null : weights.replace('A', 'P'),
    weights: spec.weightScale === null ? weights : `A_{ij} = ${spec.weightScale.factor} \\, P_{ij}`,
  };
}

function maskFormula(spec: AttentionSpec, sizes: Sizes, from: string): string | null {
  const forbids =
    spec.causal ||
    spec.windowLeft >= 0 ||
    spec.windowRight >= 0 ||
    spec.direction > 0 ||
    spec.keyLengths !== null ||
    spec.mask !== null ||
    spec.keyMask !== null ||
    spec.pattern !== null;
  const added =
    spec.terms.bias +
    (spec.floatMask === null ? '' : ' + M_{ij}') +
    (spec.keyFloatMask === null ? '' : " + M'_{bj}") +
    (spec.pattern?.hasBias === true ? ' + E_{ij}' : '');
  if (!forbids && added === '') return null;
  const logit = `${from}_{ij}${added}`;
  const rows: string[] = [];
  // Nothing applies to appended keys.
  if (spec.appendedKeys > 0) rows.push(`${from}_{ij} & \\text{if } j \\ge ${sizes.keys - spec.appendedKeys}`);
  if (forbids) rows.push(`${logit} & \\text{if } ${condition(spec)}`, '-\\infty & \\text{otherwise}');
  else if (rows.length === 0) return `L_{ij} = ${logit}`;
  else rows.push(`${logit} & \\text{otherwise}`);
  return `L_{ij} = \\begin{cases} ${rows.join(' \\\\ ')} \\end{cases}`;
}

function condition(spec: AttentionSpec): string {
  const rows: string[] = [];
  if (spec.causal) rows.push('j \\le p_i');
  if (spec.windowLeft >= 0) rows.push(`j \\ge p_i - ${spec.windowLeft}`);
  if (spec.windowRight >= 0) rows.push(`j \\le p_i + ${spec.windowRight}`);
  if (spec.direction > 0) rows.push(spec.direction === 1 ? 'j < p_i' : 'j > p_i');
  if (spec.keyLengths !== null) rows.push('j < \\ell_b');
  if (spec.mask !== null) rows.push('B_{ij}');
  if (spec.keyMask !== null) rows.push("B'_{bj}");
  if (spec.pattern !== null) rows.push('(p_i, j) \\in P');
  return rows.join(' \\text{ and } ');
}

function weightsFormula({ sinks, normalizer }: AttentionSpec, name: string): string {
  const divided = normalizer.temperature === 1 ? '' : ` / ${normalizer.temperature}`;
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
export function outputFormula({ terms }: AttentionSpec): string {
  return terms.value === '' ? 'O = A V' : `O_i = \\sum_j A_{ij} \\left(v_j${terms.value}\\right)`;
}
