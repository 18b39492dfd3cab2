#pragma once
/// Scratch memory that the caller owns and a kernel cuts into pieces. Nothing is allocated inside a kernel.

#include <cstddef>
#include <cstdint>

namespace fovea {

/// Floats per 64-byte line: every piece starts on one, relative to the workspace's start.
inline constexpr std::size_t kWorkspaceAlign = 16;

constexpr std::size_t workspace_round(std::size_t floats) noexcept {
  return (floats + kWorkspaceAlign - 1) / kWorkspaceAlign * kWorkspaceAlign;
}

class Workspace {
 public:
  Workspace(float* data, std::size_t floats) noexcept : data_(data), left_(floats) {}

  /// The next piece, or null when the workspace is too small: then every later piece is null too, and sufficed() false.
  float* take(std::size_t floats) noexcept {
    const std::size_t rounded = workspace_round(floats);
    if (rounded > left_) sufficed_ = false;
    if (!sufficed_) return nullptr;
    float* piece = data_;
    data_ += rounded;
    left_ -= rounded;
    return piece;
  }

  [[nodiscard]] bool holds(std::size_t floats) const noexcept { return floats <= left_; }

  /// Whether all pieces so far were had. A kernel takes all it needs, asks this once, and only then begins.
  [[nodiscard]] bool sufficed() const noexcept { return sufficed_; }

 private:
  float* data_;
  std::size_t left_;
  bool sufficed_ = true;
};

}  // namespace fovea
