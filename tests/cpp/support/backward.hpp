#pragma once
/// One call of attention and of its gradient, with everything both read, in memory laid out to catch what they should not read.

#include "reference/attention_backward.hpp"
#include "support/problem.hpp"

namespace fovea::test {

/// A problem whose call has run, and gradients of its results, drawn at random.
struct BackwardProblem {
  Problem problem;
  Slab<float> output, d_output;
  std::vector<float> weights, lse, d_weights, d_lse;  // d_*: empty = null

  /// Plans and sparse weights of a call by a pattern, which the caller holds; d_sparse: empty = null.
  const std::uint32_t* const* plans = nullptr;
  float* state = nullptr;
  SparseWeights sparse;
  std::vector<float> d_sparse;
  std::size_t edges = 0;  // of the pattern's graph

  /// `call`: the arguments of a call by a pattern, its plans, state and sparse weights; null for one without.
  explicit BackwardProblem(const Problem& of, std::uint64_t seed = 1, const AttentionArgs* call = nullptr);

  /// Only softmax has one.
  bool has_lse() const { return problem.variant.normalizer.kind == NormalizerKind::Softmax; }

  /// Runs the forward call again, as after a change of the problem.
  void run_forward();

  /// The call's arguments, but for the gradients of inputs.
  AttentionBackwardArgs args() const;
};

/// Which gradients of inputs are asked for; `others`: of every array beside q, k and v that the call has.
struct Asked {
  bool q = true, k = true, v = true, others = true;
};

struct BackwardOutcome : Gradients<float> {
  Status status = Status::Internal;
  testing::AssertionResult memory = testing::AssertionSuccess();  // nothing was written outside of the gradients

  using Gradients::Gradients;
};

/// Runs with a poisoned workspace, gradients of `start` everywhere. `short_by` takes that many floats from the workspace's end.
BackwardOutcome run_backward(const BackwardProblem& problem, ThreadPool* pool = nullptr, const Asked& asked = {},
                             float start = 0, std::size_t short_by = 0);

/// Status, memory, and every gradient within tolerance of the definition, which may be that of another call with the same
/// gradients; arrays that only one of the two has do not count.
testing::AssertionResult agrees(const BackwardOutcome& outcome, const BackwardProblem& definition);
testing::AssertionResult agrees(const BackwardProblem& problem);

testing::AssertionResult same_bits(const BackwardOutcome& a, const BackwardOutcome& b);

}  // namespace fovea::test
