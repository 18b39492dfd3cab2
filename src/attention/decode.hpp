#pragma once
/// Attention of a few queries to many keys, as a decoder does it token by token: bound by reading keys and values, so that each
/// is read once for all heads and queries that share it, and nothing is packed.
/// The keys of a head are cut into chunks of kDecodeChunk from key 0, each with sums of its own, which are merged in order
/// (arXiv:2311.01282 calls it flash-decoding): so threads can share one head, and the bits do not depend on how many do.

#include <cstddef>

#include "attention/attention.hpp"
#include "core/thread_pool.hpp"
#include "core/workspace.hpp"

namespace fovea {

/// Calls of at most so many queries go this way. Packing pays from about twice that on.
inline constexpr std::size_t kDecodeQueries = 8;
inline constexpr std::size_t kDecodeChunk = 1024;

/// (Dv + 5) floats per query row and chunk, and one for each distance of relative values, to hold the sums of all chunks: less
/// than a hundredth of the keys and values. With keys or values that are gathered, 256 (Dk + Dv) more for each thread.
std::size_t decode_workspace_floats(const AttentionArgs& args, std::size_t threads) noexcept;

/// The range of queries holds at least one. `pool` may be null.
void decode(const AttentionArgs& args, Workspace workspace, ThreadPool* pool) noexcept;

}  // namespace fovea
