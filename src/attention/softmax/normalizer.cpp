#include "attention/softmax/normalizer.hpp"

namespace fovea {

bool sums_values(const AttentionArgs& args) noexcept {
  return row_state(args) == RowState::Softmax || row_state(args) == RowState::Pointwise;
}

bool needs_full_row(const AttentionArgs& args) noexcept { return row_state(args) == RowState::FullRow; }

bool keeps_scores(const AttentionArgs& args) noexcept {
  return row_state(args) == RowState::FullRow || row_state(args) == RowState::TopK;
}

bool normalizes_lists(const AttentionArgs& args) noexcept { return args.plans != nullptr && keeps_scores(args); }

}  // namespace fovea
