#include "ops/cumulative_sum.hpp"

#include <algorithm>

namespace fovea {
namespace {

constexpr std::size_t kLines = 64;  // lines that are summed together, so that memory is read in order

}  // namespace

void cumulative_sum(const float* x, std::size_t outer, std::size_t length, std::size_t inner, float* y) noexcept {
  for (std::size_t o = 0; o < outer; ++o, x += length * inner, y += length * inner) {
    for (std::size_t from = 0; from < inner; from += kLines) {
      const std::size_t lines = std::min(kLines, inner - from);
      double sums[kLines] = {};
      for (std::size_t l = 0; l < length; ++l) {
        const std::size_t row = l * inner + from;
        for (std::size_t i = 0; i < lines; ++i) y[row + i] = static_cast<float>(sums[i] += static_cast<double>(x[row + i]));
      }
    }
  }
}

}  // namespace fovea
