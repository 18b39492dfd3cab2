#pragma once
/// A recurrent layer over sequences, in one direction or in both: h <- cell(x[t], h), token after token.
///   Tanh, Relu      h' = f(W_ih x + b_ih + W_hh h + b_hh)
///   Gru             r, z = σ(W x + b_ih + W_hh h + b_hh),  n = tanh(W_in x + b_in + r (W_hn h + b_hn)),  h' = (1 - z) n + z h
///   GruResetBefore  the same but  n = tanh(W_in x + b_in + W_hn (r h) + b_hn)
///   Of both with update_replaces  h' = (1 - z) h + z n
///   Lstm            i, f, o = σ(...), g = tanh(...) of the same sums,  c' = f c + i g,  h' = o tanh(c'), or W_hr of it
/// Shapes: x [B, T, I]; G = 1, 3 (r, z, n) or 4 (i, f, g, o) gates; W_ih [G Hd, I]; W_hh [G Hd, P]; b [G Hd]; W_hr [P, Hd];
///   h [B, P], P = Hd without W_hr; c [B, Hd]; output [B, T, directions P], the directions side by side.
/// Lengths: from token lengths[b] on there is padding: its output is 0, the state at the last token before it stays, and the
///   direction that runs backward starts there. A sequence of length 0 keeps its initial state.
/// Errors: Status::Shape, Status::Memory.   Workspace: recurrent_workspace_bytes().
/// Accuracy: <= 2x the error of the plain float32 loops + 8 eps of the result's first-order condition.
/// Determinism: a sequence's results depend on it and on the weights alone; threads share out directions and sequences.
/// Papers: Elman 1990; Cho et al. 2014, arXiv:1406.1078 §2.3; Hochreiter, Schmidhuber 1997, with the forget gate of Gers,
///   Schmidhuber, Cummins 2000; update_replaces: Bahdanau, Cho, Bengio 2015, arXiv:1409.0473; projection: Sak, Senior, Beaufays 2014, arXiv:1402.1128. Gates in PyTorch's order.

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/status.hpp"
#include "core/thread_pool.hpp"
#include "core/workspace.hpp"

namespace fovea {

enum class RecurrentCell : std::uint32_t { Tanh, Relu, Gru, GruResetBefore, Lstm };

/// Each array is contiguous; null where it is optional and absent: a bias, W_hr, an initial state (then it is 0).
struct RecurrentDirection {
  bool backward = false;
  const float* weight_ih = nullptr;
  const float* weight_hh = nullptr;
  const float* bias_ih = nullptr;
  const float* bias_hh = nullptr;
  const float* weight_hr = nullptr;
  const float* initial_hidden = nullptr;
  const float* initial_cell = nullptr;
  float* hidden = nullptr;  // the last state, written
  float* cell = nullptr;    // Lstm only
};

/// Strides in elements; widths are contiguous.
struct RecurrentArgs {
  RecurrentCell cell = RecurrentCell::Tanh;
  bool update_replaces = false;  // of Gru, GruResetBefore
  std::size_t batch = 0, tokens = 0;
  std::size_t width = 0;   // I
  std::size_t hidden = 0;  // Hd
  std::size_t state = 0;   // P
  const float* x = nullptr;
  std::ptrdiff_t x_batch = 0, x_token = 0;
  float* output = nullptr;
  std::ptrdiff_t output_batch = 0, output_token = 0;
  const std::int32_t* lengths = nullptr;  // [B], or null: T
  std::array<RecurrentDirection, 2> directions{};
  std::size_t direction_count = 0;

  [[nodiscard]] bool projects() const noexcept { return directions[0].weight_hr != nullptr; }
};

[[nodiscard]] std::uint64_t recurrent_workspace_bytes(const RecurrentArgs& args, std::size_t threads = 1) noexcept;

[[nodiscard]] Status recurrent(const RecurrentArgs& args, Workspace workspace, ThreadPool* pool = nullptr) noexcept;

}  // namespace fovea
