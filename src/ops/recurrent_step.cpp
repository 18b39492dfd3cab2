#include "ops/recurrent_step.hpp"

#include <algorithm>

#include "gemm/panel_rows.hpp"
#include "gemm/panels.hpp"
#include "ops/gru_cell.hpp"
#include "ops/lstm_cell.hpp"
#include "ops/rnn_cell.hpp"

namespace fovea {
namespace {

GateRow row_of(const RecurrentArgs& args, const RecurrentExtents& e, const DirectionBuffers& lane, std::size_t b,
               const float* input) noexcept {
  const bool has_out = args.cell == RecurrentCell::GruResetBefore || args.projects();
  return {input + b * e.columns, lane.product + b * e.product,
          args.hidden,           e.padded,
          lane.h + b * e.state,  args.cell == RecurrentCell::Lstm ? lane.c + b * e.padded : nullptr,
          args.update_replaces,  has_out ? lane.out + b * e.padded : nullptr};
}

}  // namespace

void RecurrentStep::run(std::size_t t, const float* input) const noexcept {
  const bool resets = args_.cell == RecurrentCell::GruResetBefore;
  // product <- W_hh h + b_hh
  multiply(lane_.h, e_.state, 0, resets ? 2 : e_.gates);
  for (std::size_t b = first_; b < last_; ++b) {
    if (!is_padding(b, t)) gates(b, input);
  }
  if (resets) {
    // product of n <- W_hn (r h) + b_hn
    multiply(lane_.out, e_.padded, 2, 3);
    for (std::size_t b = first_; b < last_; ++b) {
      if (!is_padding(b, t)) gru_update(row_of(args_, e_, lane_, b, input));
    }
  }
  if (args_.projects()) project(t);
  for (std::size_t b = first_; b < last_; ++b) write(b, t);
}

void RecurrentStep::multiply(const float* rows, std::size_t stride, std::size_t from_gate, std::size_t to_gate) const noexcept {
  const std::size_t skip = from_gate * e_.padded, columns = (to_gate - from_gate) * e_.padded;
  multiply_rows_by_panels(rows + first_ * stride, stride, last_ - first_, lane_.weights + skip * args_.state, args_.state,
                          columns / kNr, lane_.bias + skip, lane_.product + first_ * e_.product + skip, e_.product);
}

void RecurrentStep::gates(std::size_t b, const float* input) const noexcept {
  const GateRow row = row_of(args_, e_, lane_, b, input);
  switch (args_.cell) {
    case RecurrentCell::Tanh: return tanh_gates(row);
    case RecurrentCell::Relu: return relu_gates(row);
    case RecurrentCell::Gru: return gru_gates(row);
    case RecurrentCell::GruResetBefore: return gru_reset(row);
    case RecurrentCell::Lstm: return lstm_gates(row);
  }
}

void RecurrentStep::project(std::size_t t) const noexcept {
  // h <- W_hr (o tanh(c))
  multiply_rows_by_panels(lane_.out + first_ * e_.padded, e_.padded, last_ - first_, lane_.projection, args_.hidden,
                          e_.state / kNr, nullptr, lane_.product + first_ * e_.product, e_.product);
  for (std::size_t b = first_; b < last_; ++b) {
    if (!is_padding(b, t)) std::copy_n(lane_.product + b * e_.product, args_.state, lane_.h + b * e_.state);
  }
}

void RecurrentStep::write(std::size_t b, std::size_t t) const noexcept {
  float* const to = args_.output + static_cast<std::ptrdiff_t>(b) * args_.output_batch +
                    static_cast<std::ptrdiff_t>(t) * args_.output_token + direction_ * args_.state;
  if (is_padding(b, t)) {
    std::fill_n(to, args_.state, 0.0f);
  } else {
    std::copy_n(lane_.h + b * e_.state, args_.state, to);
  }
}

}  // namespace fovea
