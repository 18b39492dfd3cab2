#pragma once
/// The workspace of one call, laid out to catch what is written beyond it.

#include "core/workspace.hpp"
#include "support/bits.hpp"

namespace fovea::test {

/// A 64-byte aligned piece of poisoned memory with a guard behind it. Its end is exact where AddressSanitizer watches.
class Scratch {
 public:
  Scratch(std::size_t floats, std::size_t short_by, float filler)
      : floats_(floats - std::min(floats, short_by)), filler_(filler), memory_(16 + floats_ + kGuard, filler) {
    const auto address = reinterpret_cast<std::uintptr_t>(memory_.data());
    start_ = (64 - address % 64) % 64 / sizeof(float);
  }

  Workspace workspace() noexcept { return {memory_.data() + start_, floats_}; }

  bool guard_intact() const noexcept {
    for (std::size_t i = start_ + floats_; i < memory_.size(); ++i) {
      if (bits_of(memory_[i]) != bits_of(filler_)) return false;
    }
    return true;
  }

 private:
  static constexpr std::size_t kGuard = 256;
  std::size_t floats_, start_ = 0;
  float filler_;
  std::vector<float> memory_;
};

}  // namespace fovea::test
