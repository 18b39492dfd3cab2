#pragma once
/// The allowed pairs of one batch entry and query head: pairs of a pattern that the positional mask and the mask arrays
/// allow, and all those of appended keys.

#include <cstddef>
#include <cstdint>

#include "attention/pattern/compile.hpp"
#include "core/status.hpp"
#include "core/workspace.hpp"

namespace fovea {

struct PairsArgs {
  PatternArgs pattern;
  /// They begin at this batch entry and head; their batch and head strides are not used.
  PairsView<std::uint8_t> bool_mask, key_bool_mask;
  PairsView<float> float_mask, key_float_mask;
};

/// 0 for a program that check_pattern refuses.
[[nodiscard]] std::uint64_t pairs_workspace_bytes(const PairsArgs& args) noexcept;

/// counts[i] <- how many keys query i may attend to;  indices <- those keys, one query after another, ascending, unless null.
/// Errors: as compile_pattern.
[[nodiscard]] Status pattern_pairs(const PairsArgs& args, std::int32_t* counts, std::int32_t* indices,
                                   Workspace workspace) noexcept;

}  // namespace fovea
