#pragma once
/// The units of the plans of a call, pass after pass, counted over all batch entries and heads.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "attention/pattern/plan.hpp"
#include "attention/problem/attention_inputs.hpp"

namespace fovea {

/// One unit of a plan: a block of queries, with tiles of keys and leftover pairs.
struct PlanUnit : HeadIndex {
  const std::uint32_t* words;
};

/// The plan of every batch entry and head.
using PlanTable = const std::uint32_t* const*;

inline std::size_t heads_of(const AttentionInputs& inputs) noexcept { return inputs.batch * inputs.heads; }

/// The most passes that a plan has.
inline std::size_t passes_of(const AttentionInputs& inputs, PlanTable plans) noexcept {
  std::size_t most = 0;
  for (std::size_t head = 0; head < heads_of(inputs); ++head) most = std::max(most, Plan(plans[head]).passes());
  return most;
}

/// About how many pairs the plans compute.
inline double planned_pairs(const AttentionInputs& inputs, PlanTable plans) noexcept {
  double pairs = 0;
  for (std::size_t head = 0; head < heads_of(inputs); ++head) pairs += static_cast<double>(Plan(plans[head]).pairs());
  return pairs;
}

/// The units of one pass of all plans, counted through.
class PassUnits {
 public:
  /// `ends` has room for every head.
  PassUnits(const AttentionInputs& inputs, PlanTable plans, std::size_t pass, std::uint32_t* ends) noexcept
      : inputs_(inputs), plans_(plans), pass_(pass), ends_(ends) {
    std::uint32_t count = 0;
    for (std::size_t head = 0; head < heads_of(inputs); ++head) {
      const Plan plan(plans[head]);
      if (pass < plan.passes()) count += static_cast<std::uint32_t>(plan.units_of(pass));
      ends[head] = count;
    }
    count_ = count;
  }

  [[nodiscard]] std::size_t count() const noexcept { return count_; }

  [[nodiscard]] PlanUnit at(std::size_t index) const noexcept {
    const std::uint32_t* const end = std::upper_bound(ends_, ends_ + heads_of(inputs_), static_cast<std::uint32_t>(index));
    const auto head = static_cast<std::size_t>(end - ends_);
    const std::size_t within = index - (head == 0 ? 0 : ends_[head - 1]);
    const Plan plan(plans_[head]);
    return {inputs_.head_at(head), plan.unit(plan.first_unit(pass_) + within)};
  }

 private:
  const AttentionInputs& inputs_;
  PlanTable plans_;
  std::size_t pass_, count_;
  std::uint32_t* ends_;
};

}  // namespace fovea
