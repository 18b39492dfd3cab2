#pragma once
/// The workspace of one call, laid out to catch what is written beyond it.

#include "core/workspace.hpp"
#include "support/bits.hpp"

namespace fovea::test {

/// Floats of a line, to which the pieces of a workspace are rounded up.
inline constexpr std::size_t kLineFloats = kWorkspaceLine / sizeof(float);

/// A size of a workspace in floats.
inline std::size_t floats_of(std::uint64_t bytes) noexcept { return static_cast<std::size_t>(bytes / sizeof(float)); }

/// A 64-byte aligned piece of poisoned memory with a guard behind it. Its end is exact where AddressSanitizer watches.
class Scratch {
 public:
  /// `bytes` but the last `short_by` floats.
  Scratch(std::uint64_t bytes, std::size_t short_by, float filler)
      : floats_(floats_of(bytes) - std::min(floats_of(bytes), short_by)),
        filler_(filler),
        memory_(16 + floats_ + kGuard, filler) {
    const auto address = reinterpret_cast<std::uintptr_t>(memory_.data());
    start_ = (64 - address % 64) % 64 / sizeof(float);
  }

  Workspace workspace() noexcept { return {memory_.data() + start_, floats_ * sizeof(float)}; }

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
