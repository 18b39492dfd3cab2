#include "ops/recurrent_backward.hpp"

#include <algorithm>

#include "gemm/column_sums.hpp"
#include "gemm/transposed_product.hpp"
#include "ops/recurrent_replay.hpp"
#include "simd/map_onto.hpp"

namespace fovea {
namespace {

/// One direction of a call.
class DirectionBackward {
 public:
  DirectionBackward(const RecurrentBackwardArgs& args, const RecurrentReplay& replay) noexcept
      : all_(args),
        args_(args.forward),
        replay_(replay),
        scratch_(replay.scratch),
        weights_(replay.weights()),
        gradients_(args.directions[replay.direction]),
        columns_(replay.columns()) {}

  void run() const noexcept {
    replay_.run();
    start();
    for (std::size_t s = args_.tokens; s-- > 0;) step_back(s);
    add_weights();
    add_inputs();
  }

 private:
  void add_product(const MatrixView<const float>& a, const MatrixView<const float>& b, float* sum) const noexcept {
    if (sum == nullptr) return;
    static_cast<void>(
        transposed_product(a, b, dense_rows(sum, a.columns, b.columns), /*replaces=*/false, scratch_.multiply, replay_.pool));
  }

  /// The gradients of the last state.
  void start() const noexcept {
    const auto begin = [](const float* from, std::size_t count, float* to) {
      from != nullptr ? static_cast<void>(std::copy_n(from, count, to)) : static_cast<void>(std::fill_n(to, count, 0.0f));
    };
    begin(gradients_.hidden, args_.batch * args_.state, scratch_.d_h);
    begin(gradients_.cell, args_.batch * args_.hidden, scratch_.d_c);
  }

  void step_back(std::size_t s) const noexcept {
    const std::size_t batch = args_.batch, hidden = args_.hidden, state = args_.state;
    const bool is_gru = args_.cell == RecurrentCell::Gru || replay_.resets();
    for (std::size_t b = 0; b < batch; ++b) {
      float* const d_h = scratch_.d_h + b * state;
      if (all_.d_output != nullptr && !replay_.is_padding(b, s)) add_onto(d_h, state, all_.d_output + replay_.output_at(b, s));
      if (!args_.projects()) continue;
      float* const kept = scratch_.d_state + (s * batch + b) * state;
      replay_.is_padding(b, s) ? std::fill_n(kept, state, 0.0f) : std::copy_n(d_h, state, kept);
    }
    if (args_.projects()) {
      replay_.multiply(dense_rows<const float>(scratch_.d_h, batch, state), dense_rows(weights_.weight_hr, state, hidden),
                       nullptr, dense_rows(scratch_.d_y, batch, hidden));
    }
    for (std::size_t b = 0; b < batch; ++b) {
      const CellRow row = replay_.cell_row(s, b);
      if (replay_.is_padding(b, s)) {
        std::fill_n(row.gates, columns_, 0.0f);
        std::fill_n(row.product, columns_, 0.0f);
        std::copy_n(scratch_.d_h + b * state, state, row.d_h);
        continue;
      }
      if (!is_gru) std::fill_n(row.d_h, state, 0.0f);
      gate_gradients(row);
    }
    pass_products(s);
    for (std::size_t i = 0; i < batch * state; ++i) scratch_.d_h[i] = scratch_.d_next[i] + scratch_.d_product[i];
  }

  /// d_product <- the gradient of the states before step s, through the products with them.
  void pass_products(std::size_t s) const noexcept {
    const std::size_t batch = args_.batch, hidden = args_.hidden, state = args_.state, first = s * batch * columns_;
    const MatrixView<float> to = dense_rows(scratch_.d_product, batch, state);
    if (!replay_.resets()) {
      const float* const sums = args_.cell == RecurrentCell::Gru ? scratch_.product : scratch_.gates;
      return replay_.multiply(dense_rows(sums + first, batch, columns_), dense_rows(weights_.weight_hh, columns_, state),
                              nullptr, to);
    }
    const float* const sums = scratch_.gates + first;
    replay_.multiply(dense_rows(sums + 2 * hidden, batch, hidden, columns_),
                     dense_rows(weights_.weight_hh + 2 * hidden * state, hidden, state), nullptr, to);
    for (std::size_t b = 0; b < batch; ++b) {
      if (!replay_.is_padding(b, s)) add_reset_gradient(replay_.cell_row(s, b));
    }
    replay_.multiply(dense_rows(sums, batch, 2 * hidden, columns_), dense_rows(weights_.weight_hh, 2 * hidden, state), nullptr,
                     to);
  }

  void add_weights() const noexcept {
    const std::size_t hidden = args_.hidden, state = args_.state;
    const float* const sums = args_.cell == RecurrentCell::Gru ? scratch_.product : scratch_.gates;
    const auto gates = dense_rows<const float>(scratch_.gates, replay_.rows(), columns_);
    add_product(gates, dense_rows<const float>(scratch_.x, replay_.rows(), args_.width), gradients_.weight_ih);
    if (gradients_.bias_ih != nullptr) add_column_sums(gates, gradients_.bias_ih, replay_.pool);
    const std::size_t first = replay_.state_columns();
    add_product(dense_rows(sums, replay_.rows(), first, columns_), dense_rows<const float>(scratch_.h, replay_.rows(), state),
                gradients_.weight_hh);
    if (replay_.resets() && gradients_.weight_hh != nullptr) {
      add_product(dense_rows(sums + first, replay_.rows(), hidden, columns_),
                  dense_rows<const float>(scratch_.reset, replay_.rows(), state), gradients_.weight_hh + first * state);
    }
    if (gradients_.bias_hh != nullptr)
      add_column_sums(dense_rows(sums, replay_.rows(), columns_), gradients_.bias_hh, replay_.pool);
    if (args_.projects()) {
      add_product(dense_rows<const float>(scratch_.d_state, replay_.rows(), state),
                  dense_rows<const float>(scratch_.y, replay_.rows(), hidden), gradients_.weight_hr);
    }
  }

  void add_inputs() const noexcept {
    const std::size_t batch = args_.batch;
    if (gradients_.initial_hidden != nullptr) add_onto(gradients_.initial_hidden, batch * args_.state, scratch_.d_h);
    if (gradients_.initial_cell != nullptr) add_onto(gradients_.initial_cell, batch * args_.hidden, scratch_.d_c);
    if (all_.d_x == nullptr || args_.width == 0) return;
    replay_.multiply(dense_rows<const float>(scratch_.gates, replay_.rows(), columns_),
                     dense_rows(weights_.weight_ih, columns_, args_.width), nullptr,
                     dense_rows(scratch_.x, replay_.rows(), args_.width));
    for (std::size_t s = 0; s < args_.tokens; ++s) {
      for (std::size_t b = 0; b < batch; ++b) {
        add_onto(all_.d_x + replay_.x_at(b, s), args_.width, scratch_.x + (s * batch + b) * args_.width);
      }
    }
  }

  const RecurrentBackwardArgs& all_;
  const RecurrentArgs& args_;
  const RecurrentReplay& replay_;
  const RecurrentReplayScratch& scratch_;
  const RecurrentDirection& weights_;
  const RecurrentDirectionGradients& gradients_;
  std::size_t columns_;
};

bool are_valid(const RecurrentArgs& args) noexcept {
  if (args.hidden == 0 || args.state == 0 || args.direction_count == 0 || args.direction_count > 2) return false;
  if (args.projects() ? args.cell != RecurrentCell::Lstm : args.state != args.hidden) return false;
  for (std::size_t b = 0; b < args.batch && args.lengths != nullptr; ++b) {
    if (args.lengths[b] < 0 || static_cast<std::size_t>(args.lengths[b]) > args.tokens) return false;
  }
  return true;
}

}  // namespace

std::uint64_t recurrent_backward_workspace_bytes(const RecurrentBackwardArgs& args, std::size_t threads) noexcept {
  if (!are_valid(args.forward)) return 0;
  return count_bytes([&](Workspace& workspace) { RecurrentReplayScratch(args.forward, threads, workspace); });
}

Status recurrent_backward(const RecurrentBackwardArgs& args, Workspace workspace, ThreadPool* pool) noexcept {
  if (!are_valid(args.forward)) return Status::Shape;
  const RecurrentReplayScratch scratch(args.forward, threads_of(pool), workspace);
  if (!workspace.sufficed()) return Status::Memory;
  for (std::size_t d = 0; d < args.forward.direction_count; ++d)
    DirectionBackward(args, {args.forward, d, scratch, pool}).run();
  return Status::Ok;
}

}  // namespace fovea
