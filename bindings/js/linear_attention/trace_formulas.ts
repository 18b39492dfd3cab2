/** The LaTeX of linear attention's stages. */
import type { LinearAttentionCall } from './linear_attention_call.ts';

const MAPS: Record<LinearAttentionCall['features']['name'], (x: string, isKey: boolean) => string> = {
  elu1: (x) => `\\operatorname{elu}(${x}) + 1`,
  relu: (x) => `\\max(${x}, 0)`,
  squaredRelu: (x) => `\\max(${x}, 0)^2`,
  identity: (x) => x,
  precomputed: (x) => x,
  exp: (x) => `e^{${x} - m}`,
  softmax: (x, isKey) => `\\operatorname{softmax}_{${isKey ? 'j' : 'd'}}(${x})`,
  'favor+': (x) => `\\frac{1}{\\sqrt{F}} \\, e^{${x} W^{\\top} - \\lVert ${x} \\rVert^2 / 2 - m}`,
  taylor: (x) => `\\left(1, ${x}, \\tfrac{1}{\\sqrt{2}} \\, ${x} \\otimes ${x}\\right)`,
};

export function featureFormula({ features, queryScale, keyScale }: LinearAttentionCall, symbol: 'Q' | 'K'): string {
  const scale = symbol === 'Q' ? queryScale : keyScale;
  return `\\phi(${symbol}) = ${MAPS[features.name](scale === 1 ? symbol : `c ${symbol}`, symbol === 'K')}`;
}

export function similarityFormula({ rule, causal }: LinearAttentionCall): string {
  if (rule === 'linear')
    return causal ? 'P = \\operatorname{tril}(\\phi(Q) \\, \\phi(K)^{\\top})' : 'P = \\phi(Q) \\, \\phi(K)^{\\top}';
  const gated = rule === 'gated' || rule === 'gatedDelta';
  const steps = `${gated ? 'e^{g_t}' : ''}${rule === 'gated' ? '' : `(I - \\beta_t k_t k_t^{\\top})`}`;
  return `P_{ij} = \\phi(q_i)^{\\top} \\left(\\prod_{t=j+1}^{i} ${steps}\\right) ${rule === 'gated' ? '' : '\\beta_j'} \\phi(k_j)`;
}

export function stateFormula({ rule, causal }: LinearAttentionCall): string {
  if (!causal) return 'S = \\phi(K)^{\\top} V';
  const gate = rule === 'gated' || rule === 'gatedDelta' ? 'e^{g_t}' : '';
  const erased = rule === 'delta' || rule === 'gatedDelta' ? `(I - \\beta_t k_t k_t^{\\top}) ` : '';
  return `S_t = ${gate} ${erased}S_{t-1} + ${erased === '' ? '' : '\\beta_t '}\\phi(k_t) \\, v_t^{\\top}`;
}
