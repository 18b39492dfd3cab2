#pragma once
/// The one workspace of the module, and the one place where a size of scratch memory is refused. It grows geometrically;
/// what is large is given back after the call.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>

#include "core/workspace.hpp"

namespace fovea::wasm {

class Arena {
 public:
  /// False if memory is refused, and refused_bytes() tells the request: sizes come saturated (core/saturated.hpp), never wrapped.
  bool reserve(std::uint64_t bytes) noexcept {
    if (bytes <= bytes_) return true;
    // Its contents are scratch: the old block may go first, so that old and new need not fit side by side.
    const std::uint64_t before = bytes_;
    std::free(data_);
    data_ = nullptr;
    bytes_ = 0;
    for (const std::uint64_t size : {std::max(bytes, 2 * before), bytes}) {
      if (size > std::numeric_limits<std::size_t>::max()) continue;
      data_ = std::malloc(static_cast<std::size_t>(size));
      if (data_ != nullptr) {
        bytes_ = size;
        return true;
      }
    }
    refuse(bytes);
    return false;
  }

  /// Gives back a block so large that other memory may need its room.
  void trim() noexcept {
    if (bytes_ <= kKeptBytes) return;
    std::free(data_);
    data_ = nullptr;
    bytes_ = 0;
  }

  /// Notes memory that was refused elsewhere.
  void refuse(std::uint64_t bytes) noexcept { refused_bytes_ = bytes; }

  [[nodiscard]] Workspace workspace() const noexcept { return {data_, bytes_}; }
  [[nodiscard]] std::uint64_t refused_bytes() const noexcept { return refused_bytes_; }

 private:
  /// The block of this size or less stays from call to call.
  static constexpr std::uint64_t kKeptBytes = std::uint64_t{1} << 24;

  void* data_ = nullptr;
  std::uint64_t bytes_ = 0;
  std::uint64_t refused_bytes_ = 0;
};

}  // namespace fovea::wasm
