#pragma once
/// Calls whose weights are scaled: by arrays that broadcast in every way, by one number for each head, by a Gaussian.

#include "support/problem.hpp"

namespace fovea::test {

enum class ScaleKind { Pairs, PairsOfKeys, PairsOfQueries, Transposed, Heads, Gaussian, GaussianPerQuery };
inline constexpr ScaleKind kScaleKinds[] = {ScaleKind::Pairs,           ScaleKind::PairsOfKeys, ScaleKind::PairsOfQueries,
                                            ScaleKind::Transposed,      ScaleKind::Heads,       ScaleKind::Gaussian,
                                            ScaleKind::GaussianPerQuery};

/// An array [B, H, Tq, Tk] without its axes of length 1, or, `transposed`, [B, H, Tk, Tq]; nothing lies behind its last element.
inline void set_pairs(Problem& problem, const Sizes& axes, bool transposed, Random& random) {
  const auto length = [](std::size_t n) { return static_cast<std::ptrdiff_t>(n); };
  const std::size_t own = axes.queries * axes.keys;
  std::vector<float> numbers(axes.batch * axes.heads * own);
  for (float& x : numbers) x = random.chance(0.1) ? 0.0f : random.uniform(-2, 2);
  const auto stride = [](std::size_t n, std::size_t of_axis) { return n == 1 ? 0 : static_cast<std::ptrdiff_t>(of_axis); };
  problem.variant.weight_scale.pairs = {problem.hold(std::move(numbers)), stride(axes.batch, axes.heads * own),
                                        stride(axes.heads, own), transposed ? 1 : stride(axes.queries, axes.keys),
                                        transposed ? length(axes.queries) : stride(axes.keys, 1)};
}

inline void set_weight_scale(Problem& problem, ScaleKind kind, std::uint64_t seed) {
  Random random(seed * 6364136223846793005u);
  const Sizes& s = problem.sizes;
  const std::size_t own = s.keys - problem.appended_keys;
  WeightScale& scale = problem.variant.weight_scale;
  scale = {};
  if (kind < ScaleKind::Heads && own == 0) return;
  switch (kind) {
    case ScaleKind::Pairs: return set_pairs(problem, {s.batch, s.heads, 1, s.queries, own}, false, random);
    case ScaleKind::PairsOfKeys: return set_pairs(problem, {1, s.heads, 1, 1, own}, false, random);
    case ScaleKind::PairsOfQueries: return set_pairs(problem, {s.batch, 1, 1, s.queries, 1}, false, random);
    case ScaleKind::Transposed: return set_pairs(problem, {1, s.heads, 1, s.queries, own}, true, random);
    case ScaleKind::Heads: scale.of_appended = true; return set_pairs(problem, {1, s.heads, 1, 1, 1}, false, random);
    case ScaleKind::Gaussian:
      scale.center = {problem.hold({random.uniform(-3, static_cast<float>(s.keys) + 3)})};
      scale.sigma = {problem.hold({random.uniform(0.5f, 20)})};
      return;
    case ScaleKind::GaussianPerQuery:
      std::vector<float> centers(s.batch * s.heads * s.queries), sigmas(s.heads);
      for (float& x : centers) x = random.uniform(-3, static_cast<float>(s.keys) + 3);
      for (float& x : sigmas) x = random.uniform(0.5f, 20);
      const auto queries = static_cast<std::ptrdiff_t>(s.queries), heads = static_cast<std::ptrdiff_t>(s.heads);
      scale.center = {problem.hold(std::move(centers)), heads * queries, queries, 1};
      scale.sigma = {problem.hold(std::move(sigmas)), 0, 1, 0};
  }
}

}  // namespace fovea::test
