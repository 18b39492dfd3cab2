#pragma once
/// The one workspace of the module. It only grows, geometrically, and notes a growth after memory was had.

#include <algorithm>
#include <cstddef>
#include <cstdlib>

#include "core/workspace.hpp"

namespace fovea::wasm {

class Arena {
 public:
  /// False if memory is refused; what was there stays, and refused_bytes() tells the request.
  bool reserve(std::size_t floats) noexcept {
    if (floats <= floats_) return true;
    // Its contents are scratch: the old block may go first, so that old and new need not fit side by side.
    const std::size_t before = floats_;
    std::free(data_);
    floats_ = 0;
    for (const std::size_t size : {std::max(floats, 2 * before), floats}) {
      data_ = static_cast<float*>(std::malloc(size * sizeof(float)));
      if (data_ != nullptr) {
        floats_ = size;
        return true;
      }
    }
    refuse(floats * sizeof(float));
    return false;
  }

  /// Notes memory that was refused elsewhere.
  void refuse(std::size_t bytes) noexcept { refused_bytes_ = bytes; }

  [[nodiscard]] Workspace workspace() const noexcept { return {data_, floats_}; }
  [[nodiscard]] std::size_t refused_bytes() const noexcept { return refused_bytes_; }

 private:
  float* data_ = nullptr;
  std::size_t floats_ = 0;
  std::size_t refused_bytes_ = 0;
};

}  // namespace fovea::wasm
