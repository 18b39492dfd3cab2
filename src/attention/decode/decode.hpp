#pragma once
/// Attention of a few queries to many keys, as a decoder does it token by token: bound by reading keys and values, so that each
/// is loaded once for all heads and queries that are multiplied with it, and nothing is packed.
/// The keys of a head are cut into chunks of kDecodeChunk from key 0, each with sums of its own, which are merged in order
/// (arXiv:2311.01282 calls it flash-decoding): so threads can share one head, and the bits do not depend on how many do.

#include <cstddef>

#include "attention/decode/decode_partials.hpp"
#include "attention/problem/attention_args.hpp"
#include "core/thread_pool.hpp"
#include "core/workspace.hpp"

namespace fovea {

/// The most queries of a call that takes this path; fewer with additive scores, which are cheaper from packed keys. Packing keys
/// and values for 16 queries took half of their time, for 32 a third.
inline constexpr std::size_t kDecodeQueries = 63;
inline constexpr std::size_t kAdditiveDecodeQueries = 8;

/// About 1 MB of partial sums, or one chunk's for each thread where that is more: (Dk + Dv + 5) floats per row, and one for each
/// distance of relative keys and of values. For each thread some 85 kB more, and 256 (Dk + Dv) floats with keys or values that are
/// gathered.
struct DecodeScratch {
  DecodePartials partials;
  ThreadWorkspaces chunks;

  DecodeScratch(const AttentionArgs& args, std::size_t threads, Workspace& workspace) noexcept;
};

/// The range of queries holds at least one. `pool` may be null.
void decode(const AttentionArgs& args, const DecodeScratch& scratch, ThreadPool* pool) noexcept;

}  // namespace fovea
