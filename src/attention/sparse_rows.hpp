#pragma once
/// The running sums of a unit's rows: begun or taken up where an earlier unit has left them, and left or written as results.

#include <cstddef>

#include "attention/attention.hpp"
#include "attention/online_softmax.hpp"
#include "attention/pattern/plan.hpp"
#include "attention/sparse_unit.hpp"
#include "core/workspace.hpp"

namespace fovea {

class SparseRows {
 public:
  static std::size_t workspace_floats(const AttentionArgs& args) noexcept;

  /// Floats of state for each row: o, l, m.
  static std::size_t state_floats(const AttentionArgs& args) noexcept;

  SparseRows(const AttentionArgs& args, const SparseUnit& unit, Workspace& workspace) noexcept;

  /// Of o: a value in panels; what is summed by distance follows it (relative_positions.hpp).
  [[nodiscard]] std::size_t value_floats() const noexcept { return value_floats_; }

  [[nodiscard]] RunningRows from(std::size_t row) const noexcept;

  /// Of a plan's block: its rows, and those of the last strip that do not exist but are computed, too.
  void begin(const PlanReader& plan) const noexcept;
  void end(const PlanReader& plan) const noexcept;

 private:
  [[nodiscard]] float* state_of(std::size_t query) const noexcept;

  const AttentionArgs& args_;
  const SparseUnit& unit_;
  std::size_t value_floats_, stride_;
  float* o_;  // [rows][stride]
  float* m_;
  float* l_;
};

}  // namespace fovea
