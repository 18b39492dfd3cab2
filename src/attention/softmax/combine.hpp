#pragma once
/// Joins attention over disjoint sets of keys: what each set gave becomes what their union gives.
///   m = max_i lse[i],  w[i] = exp(lse[i] - m)
///   output = Σ_i w[i] output[i] / (Σ_i w[i] + exp(sink - m))            lse = m + ln Σ_i w[i], without the sink
/// Shapes: of every part output [B, H, Tq, Dv], lse [B, H, Tq], by strides; output the same; lse contiguous or null; sinks [H]
///   or null.
/// Requires: parts made without sinks; results do not overlap parts.
/// Rows: a part whose lse is -inf is skipped, whatever its output holds; all skipped: output 0, lse -inf. A NaN or +inf lse
///   makes its row NaN and no other.
/// Range: the sum of a row's outputs is float32: beyond 3e38 it overflows.
/// Errors: Status::Memory (workspace too small).   Workspace: combine_workspace_bytes(): one row.
/// Accuracy: <= 2x the error of the float32 definition + 8 eps (tests/cpp/support/tolerance.hpp), for the lse as given. They
///   are float32: each is off by up to eps |lse| / 2 before it comes here, and its weight by that share of itself.
/// Determinism: sums run in the order of the parts; a row's bits depend on its own parts alone.
/// Paper: arXiv:1805.02867, its parallel form; with outputs: Flash-Decoding (Dao, Haziza, Massa, Sizov 2023).

#include <cstddef>

#include "core/status.hpp"
#include "core/view.hpp"
#include "core/workspace.hpp"

namespace fovea {

struct CombinePart {
  HeadsView<const float> output;
  HeadsView<const float> lse;  // rows of one number
};

struct CombineArgs {
  std::size_t batch = 0, heads = 0, queries = 0, value_width = 0;
  const CombinePart* parts = nullptr;
  std::size_t count = 0;  // of the parts
  HeadsView<float> output;
  float* lse = nullptr;
  const float* sinks = nullptr;
};

[[nodiscard]] std::uint64_t combine_workspace_bytes(const CombineArgs& args) noexcept;

[[nodiscard]] Status combine(const CombineArgs& args, Workspace workspace) noexcept;

}  // namespace fovea
