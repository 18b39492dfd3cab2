#include "ops/recurrent_replay.hpp"

#include "gemm/matmul.hpp"
#include "gemm/transposed_product.hpp"

namespace fovea {
namespace {

/// wᵀ of a weight [out, in], the right factor of a product of rows.
MatrixView<const float> transposed(const float* w, std::size_t out, std::size_t in) noexcept {
  return {w, in, out, 1, static_cast<std::ptrdiff_t>(in)};
}

}  // namespace

RecurrentReplayScratch::RecurrentReplayScratch(const RecurrentArgs& args, std::size_t threads, Workspace& workspace) noexcept {
  const std::size_t columns = clamped_count(saturated_product(recurrent_gates(args.cell), args.hidden));
  const bool has_cell = args.cell == RecurrentCell::Lstm, resets = args.cell == RecurrentCell::GruResetBefore;
  const auto rows = [&](std::size_t width, bool wanted = true) {
    return workspace.take<float>(wanted ? args.tokens : 0, args.batch, width);
  };
  x = rows(args.width);
  h = rows(args.state);
  gates = rows(columns);
  product = rows(columns);
  reset = rows(args.state, resets);
  y = rows(args.hidden, args.projects());
  d_state = rows(args.state, args.projects());
  c = workspace.take<float>(has_cell ? args.tokens + 1 : 0, args.batch, args.hidden);
  for (float** const one : {&d_h, &d_next, &d_product}) *one = workspace.take<float>(args.batch, args.state);
  for (float** const one : {&d_c, &d_y}) *one = workspace.take<float>(args.batch, args.hidden);
  multiply = workspace.cut(std::max(matmul_workspace_bytes(threads), transposed_product_workspace_bytes(threads)));
}

CellRow RecurrentReplay::cell_row(std::size_t s, std::size_t b) const noexcept {
  const std::size_t row = s * args.batch + b, hidden = args.hidden, state = args.state;
  const auto of = [](float* data, std::size_t index, std::size_t width) {
    return data == nullptr ? nullptr : data + index * width;
  };
  const bool has_cell = args.cell == RecurrentCell::Lstm;
  float* const c = has_cell ? scratch.c : nullptr;
  return {args.cell,
          args.update_replaces,
          hidden,
          scratch.gates + row * columns(),
          scratch.product + row * columns(),
          scratch.h + row * state,
          of(resets() ? scratch.reset : nullptr, row, state),
          of(c, row, hidden),
          of(c, row + args.batch, hidden),
          of(args.projects() ? scratch.y : nullptr, row, hidden),
          (args.projects() ? scratch.d_y : scratch.d_h) + b * hidden,
          scratch.d_c + b * hidden,
          scratch.d_next + b * state,
          scratch.d_product + b * state};
}

void RecurrentReplay::multiply(const MatrixView<const float>& a, const MatrixView<const float>& b, const float* bias,
                               const MatrixView<float>& c) const noexcept {
  static_cast<void>(matmul(a, b, bias, c, scratch.multiply, pool));
}

/// Inputs and states before every step; zeros where there is padding, that nothing of it reaches a sum.
void RecurrentReplay::gather() const noexcept {
  for (std::size_t s = 0; s < args.tokens; ++s) {
    for (std::size_t b = 0; b < args.batch; ++b) {
      const std::size_t row = s * args.batch + b;
      float *const x = scratch.x + row * args.width, *const h = scratch.h + row * args.state;
      std::fill_n(x, args.width, 0.0f);
      std::fill_n(h, args.state, 0.0f);
      if (is_padding(b, s)) continue;
      if (args.width > 0) std::copy_n(args.x + x_at(b, s), args.width, x);
      if (s > 0 && !is_padding(b, s - 1)) {
        std::copy_n(args.output + output_at(b, s - 1), args.state, h);
      } else if (weights().initial_hidden != nullptr) {
        std::copy_n(weights().initial_hidden + b * args.state, args.state, h);
      }
    }
  }
}

/// The gates of all steps.
void RecurrentReplay::compute() const noexcept {
  const std::size_t hidden = args.hidden, state = args.state, width = args.width, batch = args.batch;
  const std::size_t first = state_columns();
  multiply(dense_rows<const float>(scratch.x, rows(), width), transposed(weights().weight_ih, columns(), width),
           weights().bias_ih, dense_rows(scratch.gates, rows(), columns()));
  multiply(dense_rows<const float>(scratch.h, rows(), state), transposed(weights().weight_hh, first, state), weights().bias_hh,
           dense_rows(scratch.product, rows(), first, columns()));
  if (args.cell == RecurrentCell::Lstm) {
    std::fill_n(scratch.c, batch * hidden, 0.0f);
    if (weights().initial_cell != nullptr) std::copy_n(weights().initial_cell, batch * hidden, scratch.c);
  }
  for (std::size_t s = 0; s < args.tokens; ++s) {
    for (std::size_t b = 0; b < batch; ++b) {
      const CellRow row = cell_row(s, b);
      compute_gates(row);
      if (row.c != nullptr && is_padding(b, s)) std::copy_n(row.c, hidden, row.next_c);
    }
  }
  if (!resets()) return;
  multiply(dense_rows<const float>(scratch.reset, rows(), state),
           transposed(weights().weight_hh + first * state, hidden, state),
           weights().bias_hh != nullptr ? weights().bias_hh + first : nullptr,
           dense_rows(scratch.product + first, rows(), hidden, columns()));
  for (std::size_t s = 0; s < args.tokens; ++s) {
    for (std::size_t b = 0; b < batch; ++b) compute_reset_gate(cell_row(s, b));
  }
}

void RecurrentReplay::run() const noexcept {
  gather();
  compute();
}

}  // namespace fovea
