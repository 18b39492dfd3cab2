#pragma once
/// Sums in double over chunks of a constant number of elements, added in their order: the same bits on any number of threads.

#include <algorithm>
#include <cstddef>

#include "core/thread_pool.hpp"
#include "core/workspace.hpp"

namespace fovea {

/// Two sums, of which a weighted mean is made.
struct SumPair {
  double first = 0, second = 0;
};

/// Room for the sums of all chunks.
inline SumPair* take_chunk_sums(std::size_t count, std::size_t chunk, Workspace& workspace) noexcept {
  return workspace.take<SumPair>((count + chunk - 1) / chunk);
}

/// The sums of sum_of(from, to) over the chunks of [0, count).
template <class Sum>
SumPair sum_chunks(std::size_t count, std::size_t chunk, SumPair* sums, ThreadPool* pool, Sum sum_of) noexcept {
  const std::size_t chunks = (count + chunk - 1) / chunk;
  parallel_for(pool, chunks, [&](std::size_t index, std::size_t) {
    sums[index] = sum_of(index * chunk, std::min(count, (index + 1) * chunk));
  });
  SumPair total;
  for (std::size_t index = 0; index < chunks; ++index) {
    total.first += sums[index].first;
    total.second += sums[index].second;
  }
  return total;
}

}  // namespace fovea
