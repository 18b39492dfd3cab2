#include "core/random.hpp"

#include <cmath>
#include <numbers>

namespace fovea {

std::array<float, 2> normals(std::uint32_t first, std::uint32_t second) noexcept {
  const double radius = std::sqrt(-2.0 * std::log(static_cast<double>(uniform(first))));
  const double angle = 2.0 * std::numbers::pi * static_cast<double>(uniform(second));
  return {static_cast<float>(radius * std::cos(angle)), static_cast<float>(radius * std::sin(angle))};
}

std::array<float, 4> normals(const RandomWords& words) noexcept {
  const std::array front = normals(words[0], words[1]), back = normals(words[2], words[3]);
  return {front[0], front[1], back[0], back[1]};
}

}  // namespace fovea
