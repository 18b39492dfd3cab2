#pragma once
/// One call of linear attention with everything it reads, in memory laid out to catch what it should not read.

#include "linear_attention/linear_attention.hpp"
#include "reference/linear_oracle.hpp"
#include "support/problem.hpp"

namespace fovea::test {

inline const std::vector<FeatureMap>& feature_maps() {
  static const std::vector<FeatureMap> maps = {FeatureMap::Identity,    FeatureMap::Elu1,   FeatureMap::Relu,
                                               FeatureMap::SquaredRelu, FeatureMap::Exp,    FeatureMap::Taylor,
                                               FeatureMap::Favor,       FeatureMap::Softmax};
  return maps;
}
inline const std::vector<UpdateRule>& update_rules() {
  static const std::vector<UpdateRule> rules = {UpdateRule::Linear, UpdateRule::Gated, UpdateRule::Delta,
                                                UpdateRule::GatedDelta};
  return rules;
}

/// The settings of a call beside its numbers.
struct LinearCase {
  Sizes sizes;
  FeatureMap map = FeatureMap::Elu1;
  UpdateRule rule = UpdateRule::Linear;
  bool causal = true;
  bool normalize = false;
  bool decay_per_feature = false;
  std::size_t random = 24;  // features of Favor
  std::size_t chunk = 64;
};

/// A case of any sizes, small enough that its definition is computed at once.
LinearCase draw_case(FeatureMap map, UpdateRule rule, Random& random);

struct LinearProblem {
  LinearProblem(const LinearCase& given, std::uint64_t seed, const Arrangement& a = {});

  LinearArgs args() const;
  std::string describe() const;
  /// β such that a step of a delta rule enlarges nothing: (0, 1) / |φ(k)|².
  void draw_beta(Random& random);

  LinearCase kind;
  Arrangement arrangement;
  Slab<float> q, k, v, decay, beta;
  std::vector<float> projection;
  std::vector<std::int32_t> key_lengths;  // empty = none
  float query_scale = 1, key_scale = 1, output_scale = 1, eps = 0;
};

/// The state before the first key.
LinearState empty_state(const LinearArgs& args);
/// Any state that keys could have left.
LinearState draw_state(const LinearArgs& args, Random& random);

struct LinearOutcome {
  Status status = Status::Internal;
  std::vector<float> output;  // in the order b, h, i
  LinearState state;          // where one was given
  testing::AssertionResult memory = testing::AssertionSuccess();

  std::span<const float> row(std::size_t index, std::size_t value_width) const {
    return std::span(output).subspan(index * value_width, value_width);
  }
};

/// Runs with poisoned output and workspace. `short_by` takes that many floats from the workspace's end.
LinearOutcome run(const LinearArgs& args, const LinearState* start = nullptr, const Arrangement& arrangement = {},
                  std::size_t short_by = 0, ThreadPool* pool = nullptr);

/// The tokens [from, to) of queries and keys alone.
LinearArgs tokens_of(const LinearArgs& args, std::size_t from, std::size_t to, std::vector<std::int32_t>& lengths);

testing::AssertionResult agrees(const LinearProblem& problem, const LinearState* start = nullptr);
testing::AssertionResult agrees(const LinearOutcome& outcome, const LinearArgs& args, const LinearOracle& oracle);

testing::AssertionResult same_bits(const LinearOutcome& a, const LinearOutcome& b);

/// s and then z of each head, as state_oracle has them.
std::vector<float> flat(const LinearArgs& args, const LinearState& state);

}  // namespace fovea::test
