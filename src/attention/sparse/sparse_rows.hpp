#pragma once
/// The states of a unit's rows: initialized or restored from an earlier pass, and saved for the next or written as results.

#include <cstddef>

#include "attention/pattern/plan.hpp"
#include "attention/problem/attention_args.hpp"
#include "attention/softmax/row_states.hpp"
#include "attention/sparse/sparse_unit.hpp"

namespace fovea {

class SparseRows {
 public:
  SparseRows(const AttentionArgs& args, const PlanUnit& unit, const RowStates& states) noexcept
      : args_(args), unit_(unit), states_(states) {}

  /// The states of the unit's rows, and of rows past the last in its last strip, which are computed too.
  void begin(const PlanReader& plan) const noexcept;
  void end(const PlanReader& plan) const noexcept;

 private:
  [[nodiscard]] float* state_of(std::size_t query) const noexcept;

  const AttentionArgs& args_;
  const PlanUnit& unit_;
  const RowStates& states_;
};

}  // namespace fovea
