#include "ops/sparsemax.hpp"

namespace fovea {

RowKind sparsemax(float* s, std::size_t n, float* scratch) noexcept {
  float row_max = 0.0f;
  const RowKind kind = kind_of(s, n, row_max);
  if (kind != RowKind::Finite) {
    fill_degenerate(kind, s, n);
    return kind;
  }
  // τ >= row_max - 1, whatever else there is. From here on scores are counted from the row maximum.
  const std::size_t near = collect_near(s, n, row_max, 1.0, scratch);

  // τ <- (Σ_{s > τ} s - 1) / |{s > τ}| until no score falls below it: never above the τ that is sought, as Σ max(s - τ, 0) is convex
  double threshold = -1.0;
  for (std::size_t count = near + 1;;) {
    const SumsAbove above = sums_above</*kSquares=*/false>(scratch, near, row_max, 1.0, threshold);
    if (above.count >= count) break;
    count = above.count;
    threshold = (above.sum - 1.0) / static_cast<double>(count);
  }
  const simd::f64 zero(0.0), bound(threshold);
  weigh_near(s, n, row_max, 1.0, [=](simd::f64 score) { return simd::max(score - bound, zero); });
  return kind;
}

}  // namespace fovea
