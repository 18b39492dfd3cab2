#pragma once
/// The normalizers of a call, and problems on which discrete choices have one answer.

#include "support/draw.hpp"
#include "support/problem.hpp"

namespace fovea::test {

/// Every kind, those with a parameter more than once.
inline std::vector<Normalizer> all_normalizers() {
  const auto of = [](NormalizerKind kind) { return Normalizer{.kind = kind}; };
  return {of(NormalizerKind::Softmax),
          of(NormalizerKind::Relu),
          {.kind = NormalizerKind::Relu, .scaled = false},
          of(NormalizerKind::Sigmoid),
          {.kind = NormalizerKind::Sigmoid, .bias = -2.5f},
          of(NormalizerKind::Argmax),
          of(NormalizerKind::Sampled),
          {.kind = NormalizerKind::Sampled, .seed = 9007199254740991u},
          of(NormalizerKind::TopK),
          {.kind = NormalizerKind::TopK, .k = 7},
          {.kind = NormalizerKind::TopK, .k = 1000000},
          of(NormalizerKind::Sparsemax),
          of(NormalizerKind::Entmax15)};
}

inline bool is_softmax(const Normalizer& normalizer) { return normalizer.kind == NormalizerKind::Softmax; }

/// The problem with this normalizer, and without what only softmax knows.
inline Problem with(Problem problem, const Normalizer& normalizer, float temperature = 1) {
  problem.variant.normalizer = normalizer;
  problem.variant.temperature = temperature;
  if (!is_softmax(normalizer)) problem.sinks.clear();
  return problem;
}

/// Logits that are exact in float32, so that choices between them are the same for every order of summing, and often equal:
/// numbers are whole quarters. What is not exact, the cap, goes.
inline Problem with_exact_logits(Problem problem) {
  const auto quarters = [](float x) { return std::isfinite(x) ? std::round(4 * std::clamp(x, -60.0f, 60.0f)) / 4 : x; };
  const Sizes& s = problem.sizes;
  for (std::size_t b = 0; b < s.batch; ++b)
    for (std::size_t d = 0; d < s.width; ++d) {
      for (std::size_t h = 0; h < s.heads; ++h)
        for (std::size_t i = 0; i < s.queries; ++i) problem.q.at(b, h, i, d) = quarters(problem.q.at(b, h, i, d));
      for (std::size_t h = 0; h < s.kv_heads; ++h)
        for (std::size_t j = 0; j < s.keys; ++j) problem.k.at(b, h, j, d) = quarters(problem.k.at(b, h, j, d));
    }
  problem.scale = 0.25f;
  problem.softcap = 0;
  for (float& slope : problem.slopes) slope = quarters(slope);
  auto& mask = problem.float_mask;
  for (std::size_t b = 0; b < mask.batch(); ++b)
    for (std::size_t h = 0; h < mask.heads(); ++h)
      for (std::size_t i = 0; i < mask.queries() && !mask.empty(); ++i)
        for (std::size_t j = 0; j < mask.keys(); ++j) mask.at(b, h, i, j) = quarters(mask.at(b, h, i, j));
  return problem;
}

/// agrees() for each normalizer, whose references share their logits.
inline testing::AssertionResult agrees_with_each_normalizer(const Problem& problem, float temperature = 1) {
  const LogitRows logits = logit_rows_ref(problem.args());
  for (const Normalizer& normalizer : all_normalizers()) {
    const Problem one = with(problem, normalizer, temperature);
    if (const auto ok = agrees(run(one), attention_ref(one.args(), logits)); !ok)
      return testing::AssertionFailure() << ok.message() << "\n  in " << one.describe();
  }
  return testing::AssertionSuccess();
}

/// Any options with this normalizer.
inline Problem draw_normalized(std::uint64_t seed, const Normalizer& normalizer, float temperature,
                               const DrawnSizes& from = {}) {
  return with(with_exact_logits(draw_problem(seed, from)), normalizer, temperature);
}

}  // namespace fovea::test
