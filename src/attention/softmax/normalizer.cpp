#include "attention/softmax/normalizer.hpp"

namespace fovea {

bool sums_values(const AttentionArgs& args) noexcept {
  return row_state(args) == RowState::Softmax || row_state(args) == RowState::Pointwise;
}

bool needs_full_row(const AttentionArgs& args) noexcept { return row_state(args) == RowState::FullRow; }

bool normalizes_lists(const AttentionArgs& args) noexcept {
  return args.plans != nullptr && args.variant.normalizer.kind >= NormalizerKind::TopK;
}

}  // namespace fovea
