#pragma once
/// Scratch memory that the caller owns and a kernel cuts into pieces. Nothing is allocated inside a kernel.
/// A kernel's scratch layout is written once, as a function that takes its pieces from a workspace: called with a workspace
/// without memory it counts the bytes (count_bytes), called with one that has them it hands them out.

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "core/saturated.hpp"

namespace fovea {

/// Bytes of a cache line: every piece starts on one, relative to the workspace's start.
inline constexpr std::uint64_t kWorkspaceLine = 64;

/// Whole lines, at most kLargestSize.
[[nodiscard]] constexpr std::uint64_t whole_lines(std::uint64_t bytes) noexcept {
  return bytes > kLargestSize - (kWorkspaceLine - 1) ? kLargestSize
                                                     : (bytes + kWorkspaceLine - 1) / kWorkspaceLine * kWorkspaceLine;
}

class Workspace {
 public:
  /// Counts what is taken from it. All pieces are null.
  constexpr Workspace() noexcept = default;

  Workspace(void* data, std::uint64_t bytes) noexcept : data_(static_cast<std::byte*>(data)), size_(bytes), counts_(false) {}

  /// The next piece, with room for the product of the counts. Null when the workspace is too small: then every later piece is
  /// null too, and sufficed() false.
  template <class T, class... Counts>
  constexpr T* take(Counts... counts) noexcept {
    static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= kWorkspaceLine);
    std::byte* const piece = take_bytes(saturated_product(counts..., sizeof(T)));
    return piece == nullptr ? nullptr : reinterpret_cast<T*>(piece);
  }

  /// A workspace of `bytes` bytes of this one's.
  constexpr Workspace cut(std::uint64_t bytes) noexcept {
    std::byte* const piece = take_bytes(bytes);
    return counts_ ? Workspace() : Workspace(piece, piece == nullptr ? 0 : bytes);
  }

  /// Bytes taken so far, in whole lines; at most kLargestSize.
  [[nodiscard]] constexpr std::uint64_t bytes() const noexcept { return taken_; }

  /// Whether all pieces so far are memory. A kernel takes all it needs, asks this once, and only then begins.
  [[nodiscard]] constexpr bool sufficed() const noexcept { return !counts_ && sufficed_; }

 private:
  constexpr std::byte* take_bytes(std::uint64_t bytes) noexcept {
    const std::uint64_t rounded = whole_lines(bytes), before = taken_;
    if (counts_) {
      taken_ = saturated_sum(taken_, rounded);
      return nullptr;
    }
    if (rounded > size_ - taken_) sufficed_ = false;
    if (!sufficed_) return nullptr;
    taken_ += rounded;
    return data_ + before;
  }

  std::byte* data_ = nullptr;
  std::uint64_t size_ = 0, taken_ = 0;
  bool counts_ = true, sufficed_ = true;
};

/// Bytes that `layout(workspace)` takes.
template <class Layout>
[[nodiscard]] constexpr std::uint64_t count_bytes(Layout layout) noexcept {
  Workspace counting;
  layout(counting);
  return counting.bytes();
}

/// Pieces of equal size, one for each thread.
class ThreadWorkspaces {
 public:
  /// Each as large as `layout(workspace)` takes.
  template <class Layout>
  ThreadWorkspaces(Workspace& workspace, std::size_t threads, Layout layout) noexcept
      : each_(count_bytes(layout)), data_(workspace.take<std::byte>(threads, each_)) {}

  [[nodiscard]] Workspace of(std::size_t thread) const noexcept { return {data_ + thread * each_, each_}; }

 private:
  std::uint64_t each_;
  std::byte* data_;
};

}  // namespace fovea
