#pragma once
/// Rotary positions: each pair (u, v) of a row turns by the angle of its token's position p.
///   (u, v) -> (u cos a_i - v sin a_i, u sin a_i + v cos a_i),   a_i = scale p f_i,   f_i = base^(-2i / R),  i < R / 2
///   pairs: (x[i], x[i + R/2]), or interleaved (x[2i], x[2i + 1]); the row beyond R stays.
///   ntk     base <- base ntk^(R / (R - 2)): the slowest pair turns `ntk` times slower, the fastest as before
///   Llama 3 f_i, by its wave length l = 2 pi / f_i: as it is where l < original / high; divided by `factor` where
///           l > original / low; between them f_i ((1 - s) / factor + s), s = (original / l - low) / (high - low)
/// Shapes: x, out [B, H, T, D]; positions [T] or [B, T], or null: start + t; cos, sin [rows, R / 2], row p for position p, or
///   null: computed; out may be x.   Requires: R even, R <= D.   Errors: Status::Shape, Status::Value (a position outside of the tables),
///   Status::Memory.   Workspace: rotary_workspace_bytes().
/// Accuracy: angles, sines and cosines in double, rounded once; then two products and a sum.
/// Papers: arXiv:2104.09864 §3.2.2; scale: arXiv:2306.15595; ntk: arXiv:2309.00071 §3.1; Llama 3: arXiv:2407.21783, as
///   released with Llama 3.1.

#include <cstddef>
#include <cstdint>

#include "core/status.hpp"
#include "core/thread_pool.hpp"
#include "core/view.hpp"
#include "core/workspace.hpp"

namespace fovea {

struct RotaryFrequencies {
  double base = 10000, scale = 1, ntk = 1;
  double factor = 1, low = 1, high = 4, original = 0;  // of Llama 3; original = 0: not used
};

struct RotaryArgs {
  bool interleaved = false;
  std::size_t batch = 0, heads = 0, tokens = 0, width = 0;
  std::size_t rotary = 0;  // R
  HeadsView<const float> x;
  HeadsView<float> out;
  const std::int32_t* positions = nullptr;
  std::ptrdiff_t positions_batch = 0;
  std::int32_t start = 0;
  RotaryFrequencies frequencies;
  const float* cos = nullptr;
  const float* sin = nullptr;
  std::size_t table_rows = 0;
};

[[nodiscard]] std::uint64_t rotary_workspace_bytes(const RotaryArgs& args, std::size_t threads = 1) noexcept;

[[nodiscard]] Status rotary(const RotaryArgs& args, Workspace workspace, ThreadPool* pool = nullptr) noexcept;

}  // namespace fovea
