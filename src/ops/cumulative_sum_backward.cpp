#include "ops/cumulative_sum_backward.hpp"

#include <algorithm>

namespace fovea {

void cumulative_sum_backward(const float* d_y, std::size_t outer, std::size_t length, std::size_t inner, float* d_x) noexcept {
  constexpr std::size_t kLines = 64;  // lines that are summed together, so that memory is read in order
  const bool replaces = d_x == d_y;
  for (std::size_t o = 0; o < outer; ++o, d_y += length * inner, d_x += length * inner) {
    for (std::size_t from = 0; from < inner; from += kLines) {
      const std::size_t lines = std::min(kLines, inner - from);
      double sums[kLines] = {};
      for (std::size_t l = length; l-- > 0;) {
        const float* const own = d_y + l * inner + from;
        float* const to = d_x + l * inner + from;
        for (std::size_t i = 0; i < lines; ++i) {
          const auto sum = static_cast<float>(sums[i] += static_cast<double>(own[i]));
          to[i] = replaces ? sum : to[i] + sum;
        }
      }
    }
  }
}

}  // namespace fovea
