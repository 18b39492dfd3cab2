#include "support/backward.hpp"

#include "support/scratch.hpp"

namespace fovea::test {
namespace {

std::vector<float> drawn(Random& random, std::size_t count) {
  std::vector<float> numbers(count);
  for (float& one : numbers) one = random.normal();
  return numbers;
}

/// The oracle of one gradient, line by line.
Oracle gradient_oracle(const std::vector<double>& truth, const std::vector<double>& scale, const std::vector<float>& plain,
                       std::size_t line) {
  Oracle oracle;
  oracle.truth = truth;
  oracle.scale = scale;
  oracle.plain = plain;
  oracle.line = std::max<std::size_t>(line, 1);
  oracle.floor.assign(truth.size(), static_cast<double>(std::numeric_limits<float>::min()));
  return oracle;
}

}  // namespace

BackwardProblem::BackwardProblem(const Problem& of, std::uint64_t seed, const AttentionArgs* call)
    : problem(of),
      output(of.sizes.batch, of.sizes.heads, of.sizes.queries, of.sizes.value_width, kHuge, of.arrangement.layout,
             of.arrangement.padding),
      d_output(output) {
  const auto& [batch, heads, kv_heads, queries, keys, width, value_width] = problem.sizes;
  Random random(seed * 6007);
  d_output.fill([&] { return random.normal(); });
  d_weights = drawn(random, batch * heads * queries * keys);
  d_lse = drawn(random, batch * heads * queries);
  if (call != nullptr) {
    plans = call->plans;
    state = call->state;
    sparse = call->sparse_weights;
  }
  run_forward();
}

void BackwardProblem::run_forward() {
  AttentionArgs args = problem.args();
  args.plans = plans;
  args.state = state;
  args.sparse_weights = sparse;
  weights.assign(args.batch * args.heads * args.queries * args.keys, 0);
  lse.assign(args.batch * args.heads * args.queries, 0);
  args.output = output.view();
  args.weights = weights.data();
  args.lse = has_lse() ? lse.data() : nullptr;
  if (!has_lse()) d_lse.clear();
  Scratch scratch(attention_workspace_bytes(args), 0, kPoison);
  ASSERT_EQ(attention(args, scratch.workspace()), Status::Ok);
}

AttentionBackwardArgs BackwardProblem::args() const {
  AttentionBackwardArgs args;
  args.forward = problem.args();
  args.forward.plans = plans;
  args.forward.sparse_weights = sparse;
  const HeadsView<const float> view = output.view();
  args.forward.output = {const_cast<float*>(view.data), view.batch, view.head, view.token};
  args.forward.weights = const_cast<float*>(weights.data());
  args.lse = has_lse() ? lse.data() : nullptr;
  if (d_output.size() > 0) args.d_output = d_output.view();
  args.d_weights = d_weights.empty() ? nullptr : d_weights.data();
  args.d_sparse_weights = d_sparse.empty() ? nullptr : d_sparse.data();
  args.d_lse = d_lse.empty() ? nullptr : d_lse.data();
  return args;
}

BackwardOutcome run_backward(const BackwardProblem& problem, ThreadPool* pool, const Asked& asked, float start,
                             std::size_t short_by) {
  AttentionBackwardArgs args = problem.args();
  const auto& [batch, heads, kv_heads, queries, keys, width, value_width] = problem.problem.sizes;
  const auto& [layout, padding] = problem.problem.arrangement;
  Slab<float> d_q(batch, heads, queries, width, kPoison, layout, padding);
  Slab<float> d_k(batch, kv_heads, keys, width, kPoison, layout, padding);
  Slab<float> d_v(batch, kv_heads, keys, value_width, kPoison, layout, padding);
  for (Slab<float>* slab : {&d_q, &d_k, &d_v}) slab->fill([&] { return start; });
  if (asked.q) args.d_q = d_q.view();
  if (asked.k) args.d_k = d_k.view();
  if (asked.v) args.d_v = d_v.view();
  BackwardOutcome outcome(args.forward);
  if (const EdgeBiases& edges = args.forward.variant.edge_biases; edges.data != nullptr) {
    outcome.edge_biases.resize(problem.edges + (batch - 1) * static_cast<std::size_t>(edges.batch) +
                               (heads - 1) * static_cast<std::size_t>(edges.head));
  }
  const auto ask = [&](std::vector<float>& numbers, float*& gradient) {
    std::fill(numbers.begin(), numbers.end(), start);
    if (asked.others && !numbers.empty()) gradient = numbers.data();
  };
  ask(outcome.float_mask, args.d_float_mask);
  ask(outcome.key_float_mask, args.d_key_float_mask);
  ask(outcome.pair_bias, args.d_pair_bias);
  ask(outcome.relative_bias, args.d_relative_bias);
  ask(outcome.buckets, args.d_bucket_table);
  ask(outcome.relative_keys, args.d_relative_keys);
  ask(outcome.relative_values, args.d_relative_values);
  ask(outcome.weight_scale, args.d_weight_scale);
  ask(outcome.sinks, args.d_sinks);
  ask(outcome.score_weights, args.d_score_weights);
  ask(outcome.edge_biases, args.d_edge_biases);
  Scratch scratch(attention_backward_workspace_bytes(args, threads_of(pool)), short_by, kPoison);
  outcome.status = attention_backward(args, scratch.workspace(), pool);
  outcome.q = d_q.elements();
  outcome.k = d_k.elements();
  outcome.v = d_v.elements();
  for (const Slab<float>* slab : {&d_q, &d_k, &d_v}) {
    if (outcome.memory) outcome.memory = slab->filler_intact();
  }
  if (outcome.memory && !scratch.guard_intact()) outcome.memory = testing::AssertionFailure() << "written past the workspace";
  return outcome;
}

testing::AssertionResult agrees(const BackwardProblem& problem) { return agrees(run_backward(problem), problem); }

testing::AssertionResult agrees(const BackwardOutcome& outcome, const BackwardProblem& problem) {
  if (outcome.status != Status::Ok) return testing::AssertionFailure() << "status " << to_string(outcome.status);
  if (!outcome.memory) return outcome.memory;
  const AttentionBackwardArgs args = problem.args();
  const Gradients<double> truth = backward_ref<double>(args), scale = backward_condition(args);
  const Gradients<float> plain = backward_ref<float>(args);
  const auto names = gradient_names<double>();
  const auto floats = gradient_names<float>();
  for (std::size_t n = 0; n < names.size(); ++n) {
    const auto [name, numbers] = names[n];
    const std::vector<float> Gradients<float>::*const as_float = floats[n].numbers;
    if ((outcome.*as_float).size() != (truth.*numbers).size()) continue;
    const Sizes& sizes = problem.problem.sizes;
    const std::size_t line = name[2] == 'q' || name[2] == 'k' ? sizes.width : name[2] == 'v' ? sizes.value_width : 8;
    const auto ok = within_tolerance(outcome.*as_float, gradient_oracle(truth.*numbers, scale.*numbers, plain.*as_float, line));
    if (!ok) return testing::AssertionFailure() << name << ok.message() << "\n  in " << problem.problem.describe();
  }
  return testing::AssertionSuccess();
}

testing::AssertionResult same_bits(const BackwardOutcome& a, const BackwardOutcome& b) {
  if (a.status != b.status)
    return testing::AssertionFailure() << "status " << to_string(a.status) << ", " << to_string(b.status);
  for (const auto& [name, numbers] : gradient_names<float>()) {
    const auto same = same_bits(std::span<const float>(a.*numbers), std::span<const float>(b.*numbers));
    if (!same) return testing::AssertionFailure() << name << same.message();
  }
  return testing::AssertionSuccess();
}

}  // namespace fovea::test
