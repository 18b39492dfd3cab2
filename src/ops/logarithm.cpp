#include "ops/logarithm.hpp"

#include <algorithm>
#include <cmath>

namespace fovea {

void logarithm(const float* x, std::size_t count, float* y) noexcept {
  std::transform(x, x + count, y, [](float a) { return static_cast<float>(std::log(static_cast<double>(a))); });
}

}  // namespace fovea
