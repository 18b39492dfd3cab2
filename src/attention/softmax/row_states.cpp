#include "attention/softmax/row_states.hpp"

#include <algorithm>
#include <cstring>

#include "attention/softmax/normalized_rows.hpp"
#include "attention/softmax/normalizer.hpp"
#include "attention/softmax/relative_values.hpp"
#include "attention/softmax/row_results.hpp"
#include "attention/softmax/weight_scale.hpp"
#include "core/saturated.hpp"
#include "gemm/panels.hpp"

namespace fovea {
namespace {

constexpr std::size_t kLanes = 4;

/// Rows of lists (normalize_list()) have no states.
bool has_sums(const AttentionArgs& args) noexcept {
  return sums_values(args) || (needs_full_row(args) && !normalizes_lists(args));
}

std::size_t value_floats_of(const AttentionArgs& args) noexcept { return round_up(args.value_width, kNr); }

std::size_t stride_of(const AttentionArgs& args) noexcept {
  return has_sums(args) ? clamped_count(saturated_sum(value_floats_of(args), distance_floats(args))) : 0;
}

std::size_t top_k_rows(const AttentionArgs& args, std::size_t rows) noexcept {
  return row_state(args) == RowState::TopK && !normalizes_lists(args) ? rows : 0;
}

}  // namespace

RowStates::RowStates(const AttentionArgs& args, std::size_t rows, Workspace& workspace) noexcept
    : value_floats_(value_floats_of(args)),
      stride_(stride_of(args)),
      o_(workspace.take<float>(rows, stride_)),
      m_(workspace.take<float>(row_state(args) == RowState::Softmax ? rows : 0)),
      lanes_(workspace.take<float>(kLanes, sums_values(args) ? rows : 0)),
      argmax_(workspace.take<ArgmaxState>(row_state(args) == RowState::Argmax ? rows : 0)) {
  const std::size_t heaps = top_k_rows(args, rows);
  top_k_.states = workspace.take<TopKState>(heaps);
  top_k_.heaps = workspace.take<Ranked>(heaps, top_k_of(args));
  top_k_.k = top_k_of(args);
}

SoftmaxRows RowStates::softmax(std::size_t row) const noexcept { return {sums(row), m_ + row, lanes_ + kLanes * row}; }

PointwiseRows RowStates::pointwise(std::size_t row) const noexcept { return {sums(row), lanes_ + kLanes * row}; }

void RowStates::init(const AttentionArgs& args, std::size_t first, std::size_t count) const noexcept {
  std::fill_n(o_ + first * stride_, count * stride_, 0.0f);
  if (sums_values(args)) std::fill_n(lanes_ + kLanes * first, kLanes * count, 0.0f);
  if (row_state(args) == RowState::Softmax) return fovea::init(softmax(first), count);
  if (row_state(args) == RowState::Argmax) std::fill_n(argmax_ + first, count, ArgmaxState{});
  std::fill_n(top_k_.states + first, top_k_rows(args, count), TopKState{});
}

void RowStates::update(const AttentionArgs& args, ScoreTile& tile, std::size_t first) const noexcept {
  switch (row_state(args)) {
    case RowState::Softmax:
      rescale(tile, softmax(first));
      exponentiate(tile, softmax(first));
      return scale_weights(args, tile);
    case RowState::Pointwise: weigh_scores(args.variant.normalizer, tile, pointwise(first)); return scale_weights(args, tile);
    case RowState::Argmax: return update_argmax(args, tile, argmax_ + first);
    case RowState::TopK: return update_top_k(tile, top_k_.from(first));
    case RowState::FullRow: return;  // normalize_row()
  }
}

void RowStates::finish(const AttentionArgs& args, std::size_t batch, std::size_t head, std::size_t query,
                       std::size_t row) const noexcept {
  if (sums_values(args)) add_relative_values(args, head, sums(row).o, value_floats_);
  switch (row_state(args)) {
    case RowState::Softmax: {
      const SoftmaxRows softmax_row = softmax(row);
      return write_row(args, batch, head, query, *softmax_row.m, softmax_row.l, softmax_row.o);
    }
    case RowState::Pointwise: return write_pointwise_row(args, batch, head, query, pointwise(row));
    case RowState::Argmax: return write_argmax_row(args, batch, head, query, argmax_[row]);
    case RowState::TopK: return write_top_k_row(args, batch, head, query, top_k_.states[row].kind, top_k_.heap(row));
    case RowState::FullRow: return;  // write_normalized()
  }
}

std::size_t RowStates::saved_floats(const AttentionArgs& args) noexcept {
  if (row_state(args) == RowState::Argmax) return sizeof(ArgmaxState) / sizeof(float);
  const std::size_t m_floats = row_state(args) == RowState::Softmax ? 1 : 0;
  return clamped_count(saturated_sum(stride_of(args), kLanes, m_floats));
}

void RowStates::save(const AttentionArgs& args, std::size_t row, float* saved) const noexcept {
  if (row_state(args) == RowState::Argmax) return static_cast<void>(std::memcpy(saved, argmax_ + row, sizeof(ArgmaxState)));
  saved = std::copy_n(sums(row).o, stride_, saved);
  saved = std::copy_n(lanes_ + kLanes * row, kLanes, saved);
  if (row_state(args) == RowState::Softmax) *saved = m_[row];
}

void RowStates::restore(const AttentionArgs& args, std::size_t row, const float* saved) const noexcept {
  if (row_state(args) == RowState::Argmax)
    return static_cast<void>(std::memcpy(static_cast<void*>(argmax_ + row), saved, sizeof(ArgmaxState)));
  std::copy_n(saved, stride_, sums(row).o);
  std::copy_n(saved + stride_, kLanes, lanes_ + kLanes * row);
  if (row_state(args) == RowState::Softmax) m_[row] = saved[stride_ + kLanes];
}

}  // namespace fovea
