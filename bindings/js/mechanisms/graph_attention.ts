/** Graph attention networks: a node attends to its neighbors. */
import { describe, fail } from '../errors/errors.ts';
import { isList, ownProperty } from '../errors/options.ts';
import type { Fovea } from '../fovea/fovea.ts';
import { add, elu, gather, leakyRelu, matmul, multiply, relu, scatterAdd, sum } from '../ops/index.ts';
import type { IntegerArray, IntegerInput } from '../ops/index.ts';
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import type { Tensor } from '../tensor/tensor.ts';
import type { TraceStage } from '../trace/stages.ts';
import { booleanOption, integerOption, numberOption } from './system/option_values.ts';
import type { ParamInput } from './system/params.ts';
import { groupedSoftmax } from './system/segments.ts';
import { runSystem, type Declaration, type System } from './system/system.ts';

const FIRST = { W: "F heads·F'", aTarget: "heads F'", aSource: "heads F'" };
const SECOND = { WTarget: "F heads·F'", WSource: "F heads·F'", a: "heads F'" };
const DECLARATION = {
  fn: 'graphAttention',
  inputs: { h: 'N F' },
  ids: { edges: 'M 2' },
  shared: ['edges'],
  options: ['heads', 'version', 'negativeSlope', 'selfLoops', 'combine', 'activation'],
} as const satisfies Declaration;

export interface GraphAttentionInputs<A extends ArrayInput = ArrayInput> {
  /** [N, F] or [B, N, F]: the features of the nodes. */
  readonly h: A;
  /** [M, 2]: pairs [target, source]; the target attends to the source. Shared by a batch. */
  readonly edges: IntegerInput;
}

export interface GraphAttentionOptions {
  /** Default 1. */
  readonly heads?: number | undefined;
  /** 1 (default): GAT; 2: GATv2, whose order of neighbors depends on the target. */
  readonly version?: 1 | 2 | undefined;
  /** The slope of LeakyReLU below 0; default 0.2. */
  readonly negativeSlope?: number | undefined;
  /** Adds an edge from each node to itself that lacks it; default true. */
  readonly selfLoops?: boolean | undefined;
  /** How heads become one; default 'concat'. */
  readonly combine?: 'concat' | 'average' | undefined;
  /** Default 'elu'. */
  readonly activation?: 'elu' | 'relu' | 'none' | undefined;
  readonly trace?: boolean | undefined;
}

/** Without the axis B where h has none. M' edges. */
export interface GraphAttentionResult<A> {
  /** [B, N, heads·F'], or [B, N, F'] of the average. */
  output: A;
  /** [B, M', heads]: those into a node sum to 1. */
  weights: A;
  /** [M', 2]: each edge once, self-loops behind the given ones. */
  edges: IntegerArray;
  trace?: TraceStage[];
}

/**
 * Graph attention. Only pairs with an edge have a score; a node without edges has activation(bias).
 *
 *     version 1: g = h W,  e(t, s) = LeakyReLU(aTarget·g_t + aSource·g_s),  value g_s
 *     version 2: e(t, s) = a·LeakyReLU(h_t WTarget + h_s WSource),  value h_s WSource
 *     weights(t, s) = softmax over the edges into t,  output_t = activation(heads' Σ_s weights(t, s) value_s + bias)
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param inputs `h`, `edges`.
 * @param params version 1: W [F, heads·F'], aTarget, aSource [heads, F']; version 2: WTarget, WSource [F, heads·F'], a [heads, F'];
 *   optional bias [heads·F'] (concat) or [F'] (average).
 * @param options see their type.
 * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
 *
 * Time and memory follow the edges. Source: Veličković et al. 2018, arXiv:1710.10903 eq. 1 to 6; Brody, Alon, Yahav 2022 (GATv2),
 * arXiv:2105.14491.
 */
export function graphAttention<A extends ArrayInput>(
  fovea: Fovea,
  inputs: GraphAttentionInputs<A>,
  params: ParamInput,
  options?: GraphAttentionOptions,
): GraphAttentionResult<ResultArray<A>> {
  const version: unknown = ownProperty(options, 'version') ?? 1;
  const isAverage = ownProperty(options, 'combine') === 'average';
  const declaration: Declaration = {
    ...DECLARATION,
    params: { ...(version === 2 ? SECOND : FIRST), 'bias?': isAverage ? "F'" : "heads·F'" },
  };
  return runSystem(declaration, fovea, withEdges(inputs), params, options, (system) => {
    const { fn, batch, params: p } = system;
    if (version !== 1 && version !== 2) fail('value', fn, `version must be 1 or 2, got ${describe(version)}`);
    const [N, width, heads] = [system.size('N'), system.size("F'"), integerOption(system, 'heads', 1, 2 ** 20, 1)];
    if (system.size('heads') !== heads)
      fail('shape', fn, `${version === 1 ? 'aTarget' : 'a'} must have heads = ${heads} rows, got ${system.size('heads')}`);
    if (system.size("heads·F'") !== heads * width)
      fail(
        'shape',
        fn,
        `${version === 1 ? 'W' : 'WTarget'} must be [F, heads·F'] = [${system.size('F')}, ${heads * width}], got ${system.size("heads·F'")} columns`,
      );
    const slope = numberOption(system, 'negativeSlope', 0.2);
    const combine = system.choice('combine', ['concat', 'average']);
    const activation = system.choice('activation', ['elu', 'relu', 'none']);
    const edges = usedEdges(system, N, booleanOption(system, 'selfLoops', true));
    const [targets, sources] = [0, 1].map((end) => Int32Array.from(edges, (edge) => edge[end]!)) as [Int32Array, Int32Array];

    const at = (x: Tensor, nodes: Int32Array): Tensor => gather(fovea, x, nodes, { axis: 1 });
    const project = (W: Tensor): Tensor => matmul(fovea, system.input('h'), W).reshape([batch, N, heads, width]);
    const along = (x: Tensor, a: Tensor): Tensor => sum(fovea, multiply(fovea, x, a));
    const bent = (x: Tensor): Tensor => leakyRelu(fovea, x, { slope });
    const values = project(version === 1 ? p['W']! : p['WSource']!);
    const scores =
      version === 1
        ? bent(add(fovea, at(along(values, p['aTarget']!), targets), at(along(values, p['aSource']!), sources)))
        : along(bent(add(fovea, at(project(p['WTarget']!), targets), at(values, sources))), p['a']!);
    system.record(
      'scores',
      version === 1 ? '\\operatorname{LeakyReLU}(a_t g_t + a_s g_s)' : 'a\\,\\operatorname{LeakyReLU}(W_t h_t + W_s h_s)',
      ['edge', 'head'],
      scores,
    );
    const weights = groupedSoftmax(fovea, scores, targets, N);
    system.record('weights', '\\operatorname{softmax}_{s \\in N(t)} e(t, s)', ['edge', 'head'], weights);
    const weighted = multiply(fovea, at(values, sources), weights.reshape([batch, edges.length, heads, 1]));
    const summed = scatterAdd(fovea, weighted, targets, { axis: 1, length: N });
    const joined =
      combine === 'concat'
        ? summed.reshape([batch, N, heads * width])
        : multiply(fovea, sum(fovea, summed, { axis: 2 }), 1 / heads);
    const biased = system.sum([joined], p['bias']);
    const output = activation === 'elu' ? elu(fovea, biased) : activation === 'relu' ? relu(fovea, biased) : biased;
    system.record('output', '\\sigma(\\textstyle\\sum_s w_{ts} v_s + b)', ['token', 'feature'], output);
    return { output, weights, edges: { data: Int32Array.from(edges.flat()), shape: [edges.length, 2] } };
  }) as unknown as GraphAttentionResult<ResultArray<A>>;
}

/** The given edges, each once, and those from nodes to themselves that are not among them. */
function usedEdges(system: System, nodes: number, hasLoops: boolean): [number, number][] {
  const ids = system.ids('edges');
  ids.forEach((id, n) => {
    if (id < 0 || id >= nodes)
      fail('value', system.fn, `edges must be nodes from 0 to ${nodes - 1}, got ${id} in edge ${Math.floor(n / 2)}`);
  });
  const given = Array.from({ length: ids.length / 2 }, (_, n): [number, number] => [ids[2 * n]!, ids[2 * n + 1]!]);
  const loops = hasLoops ? Array.from({ length: nodes }, (_, i): [number, number] => [i, i]) : [];
  const seen = new Set<number>();
  return [...given, ...loops].filter(([target, source]) => {
    const edge = target * nodes + source;
    return !seen.has(edge) && seen.add(edge);
  });
}

/** An empty list has the axes of a list of pairs. */
function withEdges(inputs: unknown): unknown {
  const edges: unknown = ownProperty(inputs, 'edges');
  return isList(edges) && edges.length === 0 ? { ...(inputs as object), edges: { data: [], shape: [0, 2] } } : inputs;
}
