#pragma once
/// One call of attention with everything it reads, in memory laid out to catch what it should not read.

#include <memory>

#include "attention/attention.hpp"
#include "reference/attention.hpp"
#include "support/random.hpp"
#include "support/slab.hpp"

namespace fovea::test {

struct Sizes {
  std::size_t batch = 1, heads = 1, kv_heads = 1, queries = 1, keys = 1, width = 1, value_width = 1;
};

/// How the arrays lie in memory. Inputs are surrounded by kHuge, outputs by poison.
struct Arrangement {
  Layout layout = Layout::Bhtd;
  Padding padding{.lead = 0, .row = 0, .plane = 0, .tail = 0};
};

/// Misaligned, with gaps everywhere.
inline constexpr Arrangement kGaps{Layout::Bhtd, {.lead = 3, .row = 5, .plane = 7, .tail = 64}};

struct Problem {
  Problem(const Sizes& sizes, std::uint64_t seed, const Arrangement& arrangement = {});

  Sizes sizes;
  Arrangement arrangement;
  Slab<float> q, k, v;
  float scale = 1;  // 1/sqrt(Dk) after construction
  float softcap = 0;
  bool causal = false;
  std::ptrdiff_t window_left = kUnbounded, window_right = kUnbounded;
  Direction direction = Direction::Both;
  std::vector<std::int32_t> offsets, key_lengths;  // empty = none
  PairsMask<std::uint8_t> bool_mask;
  PairsMask<float> float_mask;
  PairsMask<std::uint8_t> key_bool_mask;
  PairsMask<float> key_float_mask;
  std::size_t appended_keys = 0;
  std::vector<float> slopes, sinks;
  std::vector<float> score_weights;  // [Dk] or [H, Dk]: the score is additive
  AttentionVariant variant;          // what it points to is held by `hold`

  /// A copy of these numbers that lives as long as the problem and its copies.
  const float* hold(std::vector<float> numbers);

  /// The call's arguments, but for its outputs.
  AttentionArgs args() const;

  AttentionOracle oracle() const { return attention_ref(args()); }
  LogitsOracle logits_oracle() const { return attention_logits_ref(args()); }

  /// Logit s[i,j] = value(b, h, i, j) exactly: scale 1, no softcap, and q and k one-hot in j. Needs Dk >= Tk.
  template <class F>
  void set_logits(F value);

  std::string describe() const;

 private:
  std::vector<std::shared_ptr<const std::vector<float>>> held_;
};

std::string describe_normalizer(const Normalizer& normalizer);

template <class F>
void Problem::set_logits(F value) {
  scale = 1;
  softcap = 0;
  for (std::size_t b = 0; b < sizes.batch; ++b) {
    for (std::size_t h = 0; h < sizes.heads; ++h)
      for (std::size_t i = 0; i < sizes.queries; ++i)
        for (std::size_t d = 0; d < sizes.width; ++d) q.at(b, h, i, d) = d < sizes.keys ? value(b, h, i, d) : 0.0f;
    for (std::size_t h = 0; h < sizes.kv_heads; ++h)
      for (std::size_t j = 0; j < sizes.keys; ++j)
        for (std::size_t d = 0; d < sizes.width; ++d) k.at(b, h, j, d) = d == j ? 1.0f : 0.0f;
  }
}

/// The results of a call, gathered to the order b, h, i.
struct Outcome {
  Status status = Status::Internal;
  std::vector<float> output, weights, lse;
  testing::AssertionResult memory = testing::AssertionSuccess();  // nothing was written outside of the outputs

  std::span<const float> output_row(std::size_t row, std::size_t value_width) const {
    return std::span(output).subspan(row * value_width, value_width);
  }
  std::span<const float> weights_row(std::size_t row, std::size_t keys) const {
    return std::span(weights).subspan(row * keys, keys);
  }
};

enum class Want { Output, Weights, Lse, All };

/// Runs with poisoned outputs; All has lse only for softmax, which alone knows it and workspace. `short_by` takes that many
/// floats from the workspace's end.
Outcome run(const AttentionArgs& args, Want want = Want::All, const Arrangement& arrangement = {}, std::size_t short_by = 0,
            float workspace_filler = kPoison, ThreadPool* pool = nullptr);
Outcome run_on_pool(const AttentionArgs& args, ThreadPool& pool);
Outcome run(const Problem& problem, Want want = Want::All);

struct LogitsOutcome {
  Status status = Status::Internal;
  std::vector<float> logits;
};
LogitsOutcome run_logits(const AttentionArgs& args, LogitStage stage, std::size_t short_by = 0, ThreadPool* pool = nullptr);

/// The whole contract at once: status, output, weights and lse within tolerance, nothing written elsewhere.
testing::AssertionResult agrees(const Problem& problem);
testing::AssertionResult agrees(const Outcome& outcome, const AttentionOracle& oracle);

/// Outputs, weights and lse in the same bits.
testing::AssertionResult same_bits(const Outcome& a, const Outcome& b);

}  // namespace fovea::test
