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
  const std::size_t near = sort_near(s, n, row_max, 2.0, scratch);

  double sum = 0.0, squares = 0.0, threshold = -1.0;
  for (std::size_t k = 0; k < near; ++k) {
    const double score = (static_cast<double>(scratch[k]) - static_cast<double>(row_max)) / 2.0;
    const auto count = static_cast<double>(k + 1);
    sum += score;
    squares += score * score;
    // S <- Σ (s - M)² = Σ s² - M Σ s;  beyond the support it may pass 1
    const double mean = sum / count, spread = squares - mean * sum;
    const double with = mean - std::sqrt(std::max(1.0 - spread, 0.0) / count);
    if (!(with <= score)) break;
    threshold = with;
  }
  weigh_near(s, n, row_max, 2.0, scratch, [threshold](double score) {
    const double above = std::max(score / 2.0 - threshold, 0.0);
    return above * above;
  });
  return kind;
}

}  // namespace fovea
