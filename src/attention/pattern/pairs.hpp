#pragma once
/// The allowed pairs of one batch entry and query head: those of a pattern that rules of place and masks allow, too.

#include <cstddef>
#include <cstdint>

#include "attention/pattern/compile.hpp"
#include "core/status.hpp"
#include "core/workspace.hpp"

namespace fovea {

struct PairsArgs {
  PatternArgs pattern;
  /// Of this batch entry and head: their strides of batch and head are not looked at.
  PairsView<std::uint8_t> bool_mask;
  PairsView<float> float_mask;
};

/// Of a program that check_pattern passes; 0 for others.
[[nodiscard]] std::size_t pairs_workspace_floats(const PairsArgs& args) noexcept;

/// counts[i] <- how many keys query i may attend to;  indices <- those keys, one query after another, ascending, unless null.
/// Errors: as compile_pattern.
[[nodiscard]] Status pattern_pairs(const PairsArgs& args, std::int32_t* counts, std::int32_t* indices,
                                   Workspace workspace) noexcept;

}  // namespace fovea
