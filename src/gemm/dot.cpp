#include "gemm/dot.hpp"

namespace fovea {

double dot_in_double(const float* a, const float* b, std::size_t n) noexcept {
  double sums[4] = {};  // four chains, so that one addition does not wait for the last
  std::size_t d = 0;
  for (; d + 4 <= n; d += 4) {
    for (std::size_t i = 0; i < 4; ++i) sums[i] += static_cast<double>(a[d + i]) * static_cast<double>(b[d + i]);
  }
  for (; d < n; ++d) sums[0] += static_cast<double>(a[d]) * static_cast<double>(b[d]);
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

}  // namespace fovea
