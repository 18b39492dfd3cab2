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
  const std::size_t near = sort_near(s, n, row_max, 1.0, scratch);

  // τ <- (Σ_{j <= k} s_(j) - 1) / k for as long as s_(k) is above it
  double sum = 0.0, threshold = -1.0;
  for (std::size_t k = 0; k < near; ++k) {
    const double score = static_cast<double>(scratch[k]) - static_cast<double>(row_max);
    const double with = (sum + score - 1.0) / static_cast<double>(k + 1);
    if (!(score > with)) break;
    sum += score;
    threshold = with;
  }
  weigh_near(s, n, row_max, 1.0, scratch, [threshold](double score) { return std::max(score - threshold, 0.0); });
  return kind;
}

}  // namespace fovea
