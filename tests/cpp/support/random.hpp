#pragma once
/// Test data from a seed: the same numbers natively and in wasm, on every machine.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace fovea::test {

/// SplitMix64 (Steele, Lea, Flood 2014). Integer arithmetic only, so that no library function decides the data.
class Random {
 public:
  explicit Random(std::uint64_t seed) noexcept : state_(seed) {}

  /// Its first draws are chosen by `bytes`, two for each, as a fuzzer changes them; the others follow from all of them.
  explicit Random(std::span<const std::uint8_t> bytes) noexcept : state_(bytes.size()), chosen_(bytes) {
    for (const std::uint8_t byte : bytes) state_ = state_ * 0x100000001B3u ^ byte;
  }

  std::uint64_t bits() noexcept {
    if (chosen_.size() >= 2) {
      const std::uint64_t word = chosen_[0] | static_cast<std::uint64_t>(chosen_[1]) << 8;
      chosen_ = chosen_.subspan(2);
      return word * 0x0001000100010001u;  // in its highest bits as in its lowest
    }
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }

  /// An integer in [low, high].
  std::int64_t integer(std::int64_t low, std::int64_t high) noexcept {
    const auto span = static_cast<std::uint64_t>(high - low) + 1;
    return low + static_cast<std::int64_t>(bits() % span);
  }

  std::size_t size(std::size_t low, std::size_t high) noexcept {
    return static_cast<std::size_t>(integer(static_cast<std::int64_t>(low), static_cast<std::int64_t>(high)));
  }

  bool chance(double probability) noexcept { return unit() < probability; }

  template <class T>
  const T& pick(const std::vector<T>& choices) noexcept {
    return choices[size(0, choices.size() - 1)];
  }

  float uniform(float low, float high) noexcept {
    return static_cast<float>(static_cast<double>(low) + (static_cast<double>(high) - static_cast<double>(low)) * unit());
  }

  /// Nearly normal, mean 0, variance 1: twelve uniforms, minus 6. Bounded by ±6.
  float normal() noexcept {
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += unit();
    return static_cast<float>(sum);
  }

 private:
  double unit() noexcept { return static_cast<double>(bits() >> 11) * 0x1p-53; }

  std::uint64_t state_;
  std::span<const std::uint8_t> chosen_;
};

}  // namespace fovea::test
