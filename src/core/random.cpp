#include "core/random.hpp"

#include <algorithm>
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

double gumbel(std::uint32_t word) noexcept { return -std::log(-std::log(static_cast<double>(uniform(word)))); }

void parameter_normals(Seed seed, std::uint32_t name, float scale, std::size_t count, float* out) noexcept {
  for (std::size_t i = 0; i < count; i += 4) {
    const std::array drawn = normals(philox(seed, static_cast<std::uint32_t>(i / 4), 0, name, Stream::Parameters));
    for (std::size_t n = i; n < std::min(i + 4, count); ++n) out[n] = scale * drawn[n - i];
  }
}

void selection_samples(Seed seed, std::uint32_t role, std::uint32_t batch, std::uint32_t tokens, const float* probability,
                       std::int32_t* samples) noexcept {
  for (std::uint32_t b = 0; b < batch; ++b) {
    for (std::uint32_t t = 0; t < tokens; ++t)
      *samples++ = uniform(philox(seed, t, role, b, Stream::Selection)[0]) < *probability++ ? 1 : 0;
  }
}

}  // namespace fovea
