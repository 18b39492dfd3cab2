#pragma once
/// The steps of one direction of a recurrent layer, computed again from its output for its gradients (ops/recurrent_backward.hpp).

#include <algorithm>

#include "core/thread_pool.hpp"
#include "core/view.hpp"
#include "core/workspace.hpp"
#include "gemm/dense_rows.hpp"
#include "ops/recurrent.hpp"
#include "ops/recurrent_cell_backward.hpp"

namespace fovea {

[[nodiscard]] constexpr std::size_t recurrent_gates(RecurrentCell cell) noexcept {
  if (cell == RecurrentCell::Lstm) return 4;
  return cell == RecurrentCell::Gru || cell == RecurrentCell::GruResetBefore ? 3 : 1;
}

/// Rows of all steps and sequences: row s B + b is step s of sequence b, in the order in which the direction runs.
struct RecurrentReplayScratch {
  float *x, *h, *gates, *product;   // [T B, ...]: inputs, states before, and as CellRow has them
  float *reset, *y, *d_state;       // [T B, ...]: r h; what is projected, and the gradients of what it is projected to
  float* c;                         // [(T + 1) B, Hd]
  float *d_h, *d_next, *d_product;  // [B, P]
  float *d_c, *d_y;                 // [B, Hd]
  Workspace multiply;

  RecurrentReplayScratch(const RecurrentArgs& args, std::size_t threads, Workspace& workspace) noexcept;
};

struct RecurrentReplay {
  const RecurrentArgs& args;
  std::size_t direction;
  const RecurrentReplayScratch& scratch;
  ThreadPool* pool;

  [[nodiscard]] const RecurrentDirection& weights() const noexcept { return args.directions[direction]; }
  [[nodiscard]] std::size_t columns() const noexcept { return recurrent_gates(args.cell) * args.hidden; }
  [[nodiscard]] std::size_t rows() const noexcept { return args.tokens * args.batch; }
  [[nodiscard]] bool resets() const noexcept { return args.cell == RecurrentCell::GruResetBefore; }
  /// Columns of the product with h itself: all but those of the gate whose state is reset before.
  [[nodiscard]] std::size_t state_columns() const noexcept { return resets() ? 2 * args.hidden : columns(); }

  [[nodiscard]] std::size_t token(std::size_t s) const noexcept { return weights().backward ? args.tokens - 1 - s : s; }
  [[nodiscard]] bool is_padding(std::size_t b, std::size_t s) const noexcept {
    return args.lengths != nullptr && static_cast<std::ptrdiff_t>(token(s)) >= args.lengths[b];
  }
  [[nodiscard]] std::ptrdiff_t x_at(std::size_t b, std::size_t s) const noexcept {
    return static_cast<std::ptrdiff_t>(b) * args.x_batch + static_cast<std::ptrdiff_t>(token(s)) * args.x_token;
  }
  [[nodiscard]] std::ptrdiff_t output_at(std::size_t b, std::size_t s) const noexcept {
    return static_cast<std::ptrdiff_t>(b) * args.output_batch + static_cast<std::ptrdiff_t>(token(s)) * args.output_token +
           static_cast<std::ptrdiff_t>(direction * args.state);
  }

  [[nodiscard]] CellRow cell_row(std::size_t s, std::size_t b) const noexcept;

  /// c <- a b + bias. Sizes agree by the making of the rows, and the workspace suffices, so that it does not fail.
  void multiply(const MatrixView<const float>& a, const MatrixView<const float>& b, const float* bias,
                const MatrixView<float>& c) const noexcept;

  /// Inputs, states before and gates of all steps.
  void run() const noexcept;

 private:
  void gather() const noexcept;
  void compute() const noexcept;
};

}  // namespace fovea
