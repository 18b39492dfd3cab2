#pragma once
/// The gradient of dense attention, tile by tile. Where there are as many key/value heads as threads, each is walked once,
/// tiles of keys in the outer loop (five products); else the queries' gradients and the keys' are two walks, shared out in
/// blocks (seven products). Both add the same numbers in the same order. Sums over pairs (pair_sums.hpp) are made in walks along
/// the keys, those of one head, or of all where heads share them, by one thread.

#include "attention/backward/backward_scratch.hpp"
#include "core/thread_pool.hpp"

namespace fovea {

/// The arguments must have been checked.
void dense_backward(const AttentionBackwardArgs& args, const BackwardWorkspace& workspace, ThreadPool* pool) noexcept;

}  // namespace fovea
