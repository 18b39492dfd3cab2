#pragma once
/// Appends keys, or values, to those of a cache (kv_layout.hpp): copied, or rounded to float16.
/// Shapes: from [B, Hkv, T, width]; the cache [B, Hkv, rows, width], contiguous.   Errors: Status::Value (no room).
/// Accuracy: float16 to nearest, ties to even: off by at most 2^-11 of itself, below 2^-14 by 2^-25; infinity from 65520
/// on.

#include <cstddef>
#include <cstdint>

#include "core/status.hpp"
#include "core/view.hpp"

namespace fovea {

struct AppendArgs {
  std::size_t batch = 0, heads = 0, tokens = 0, width = 0;
  HeadsView<const float> from;
  float* floats = nullptr;           // the cache, or
  std::uint16_t* float16 = nullptr;  // where it holds float16
  std::size_t rows = 0;              // of each head
  std::size_t at = 0;                // the row of the first token
  /// Set to 1 where a float16 is infinite or NaN, or more than 1/256 of them are subnormal: such a cache does
  /// not convert inline (kv_layout.hpp). May be null.
  std::uint32_t* irregular = nullptr;
};

[[nodiscard]] Status append_rows(const AppendArgs& args) noexcept;

}  // namespace fovea
