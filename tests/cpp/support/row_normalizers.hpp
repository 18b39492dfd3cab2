#pragma once
/// Sparsemax and entmax of a row, and their definition by bisection.

#include "ops/entmax.hpp"
#include "ops/sparsemax.hpp"
#include "ops/top_k.hpp"
#include "support/bits.hpp"
#include "support/random.hpp"

namespace fovea::test {

using RowFunction = RowKind (*)(float*, std::size_t, float*);

struct NormalizedRow {
  RowKind kind;
  std::vector<float> p;
};

inline NormalizedRow normalized(RowFunction f, std::vector<float> s) {
  std::vector<float> scratch(s.size(), kPoison);
  const RowKind kind = f(s.data(), s.size(), scratch.data());
  return {kind, s};
}

/// τ by bisection in double, on scores counted from the highest.
inline std::vector<double> bisected(const std::vector<float>& s, bool entmax) {
  const double m = static_cast<double>(*std::max_element(s.begin(), s.end()));
  const auto weight = [&](float x, double threshold) {
    const double above = std::max((static_cast<double>(x) - m) * (entmax ? 0.5 : 1.0) - threshold, 0.0);
    return entmax ? above * above : above;
  };
  double low = -1, high = 0;
  for (int step = 0; step < 100; ++step) {
    const double middle = (low + high) / 2;
    double sum = 0;
    for (const float x : s) sum += weight(x, middle);
    (sum > 1 ? low : high) = middle;
  }
  std::vector<double> p;
  for (const float x : s) p.push_back(weight(x, low));
  return p;
}

inline std::vector<float> draw_scores(Random& random, std::size_t n, float spread) {
  std::vector<float> s(n);
  for (float& x : s) x = spread * random.normal();
  return s;
}

}  // namespace fovea::test
