#pragma once
/// The gradient of attention by compiled patterns (pattern/plan.hpp), whose pairs are constants: unit by unit, each tile's blocks
/// with the products of dense attention's gradient. Time follows the kept pairs; a row's leftover pairs are tiles of one query.
/// Units of a key/value head add to the same keys: they are one task, and those of all heads are where sums over pairs are wanted.

#include "attention/backward/backward_scratch.hpp"

namespace fovea {

/// The arguments must have been checked.
void pattern_backward(const AttentionBackwardArgs& args, const BackwardWorkspace& workspace, ThreadPool* pool) noexcept;

}  // namespace fovea
