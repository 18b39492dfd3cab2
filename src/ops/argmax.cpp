#include "ops/argmax.hpp"

#include <algorithm>

namespace fovea {
namespace {

constexpr std::size_t kLines = 64;  // lines that are read together, so that memory is read in order

/// `count` neighboring lines, `inner` apart.
void argmax_lines(const float* x, std::size_t length, std::size_t inner, std::size_t count, std::int32_t* y) noexcept {
  float best[kLines];
  std::copy_n(x, count, best);
  std::fill_n(y, count, 0);
  for (std::size_t l = 1; l < length; ++l) {
    const float* const row = x + l * inner;
    for (std::size_t i = 0; i < count; ++i) {
      // A NaN is not <= anything, and nothing replaces it.
      if (row[i] <= best[i] || best[i] != best[i]) continue;
      best[i] = row[i];
      y[i] = static_cast<std::int32_t>(l);
    }
  }
}

}  // namespace

void argmax(const float* x, std::size_t outer, std::size_t length, std::size_t inner, std::int32_t* y) noexcept {
  for (std::size_t o = 0; o < outer; ++o) {
    for (std::size_t i = 0; i < inner; i += kLines)
      argmax_lines(x + o * length * inner + i, length, inner, std::min(kLines, inner - i), y + o * inner + i);
  }
}

}  // namespace fovea
