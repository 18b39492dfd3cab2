#include "ops/entmax.hpp"

#include <cmath>

namespace fovea {

RowKind entmax15(float* s, std::size_t n, float* scratch) noexcept {
  float row_max = 0.0f;
  const RowKind kind = kind_of(s, n, row_max);
  if (kind != RowKind::Finite) {
    fill_degenerate(kind, s, n);
    return kind;
  }
  // τ >= row_max/2 - 1, whatever else there is. From here on scores are halved and counted from the row maximum.
  const std::size_t near = collect_near(s, n, row_max, 2.0, scratch);

  double threshold = -1.0;
  for (;;) {
    const SumsAbove above = sums_above</*kSquares=*/true>(scratch, near, row_max, 0.5, threshold);
    const auto count = static_cast<double>(above.count);
    // The τ of these scores, if it is below all of them:  S <- Σ (s - M)² = Σ s² - M Σ s;  with scores too many it may pass 1
    const double mean = above.sum / count, spread = above.squares - mean * above.sum;
    const double with = mean - std::sqrt(std::max(1.0 - spread, 0.0) / count);
    // A step of Newton's method for |max(s - τ, 0)| = 1, which is convex and nearly a line: never above the τ that is sought
    const double size = above.sum - count * threshold;
    const double square = above.squares - threshold * (above.sum + size);
    const double next = threshold + (square - std::sqrt(square)) / size;
    const bool is_exact = spread <= 1.0 && with <= above.least;
    if (is_exact || !(next > threshold)) {
      threshold = with;
      break;
    }
    threshold = next;
  }
  const simd::f64 zero(0.0), half(0.5), bound(threshold);
  weigh_near(s, n, row_max, 2.0, [=](simd::f64 score) {
    const simd::f64 above = simd::max(score * half - bound, zero);
    return above * above;
  });
  return kind;
}

}  // namespace fovea
