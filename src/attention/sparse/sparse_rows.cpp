#include "attention/sparse/sparse_rows.hpp"

#include <algorithm>

#include "attention/softmax/row_results.hpp"
#include "core/infinity.hpp"
#include "gemm/panels.hpp"

namespace fovea {

float* SparseRows::state_of(std::size_t query) const noexcept {
  return args_.state + args_.row_index(unit_.batch, unit_.head, query) * RowStates::saved_floats(args_);
}

void SparseRows::begin(const PlanReader& plan) const noexcept {
  const bool is_first = (plan.flags & kFirstPass) != 0;
  for (std::size_t row = 0; row < plan.rows.count; ++row) {
    const std::size_t query = plan.rows.at(row);
    if (!is_first) {
      states_.restore(args_, row, state_of(query));
    } else if (float* const weights = weights_row(args_, unit_.batch, unit_.head, query); weights != nullptr) {
      std::fill_n(weights, args_.keys, kMinusInfinity);
    }
  }
  const std::size_t restored = is_first ? 0 : plan.rows.count;
  states_.init(args_, restored, round_up(plan.rows.count, kMr) - restored);
}

void SparseRows::end(const PlanReader& plan) const noexcept {
  for (std::size_t row = 0; row < plan.rows.count; ++row) {
    const std::size_t query = plan.rows.at(row);
    if ((plan.flags & kLastPass) != 0) {
      states_.finish(args_, unit_.batch, unit_.head, query, row);
    } else {
      states_.save(args_, row, state_of(query));
    }
  }
}

}  // namespace fovea
