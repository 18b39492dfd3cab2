#pragma once
/// The queries of a chunk of linear attention, a strip at a time.

#include <cstddef>

#include "gemm/row_tiles.hpp"
#include "linear_attention/chunks.hpp"

namespace fovea {

/// One chunk of one head: its keys and values as they lie in the scratch, and the state before it.
struct LinearChunk {
  const LinearArgs& args;
  const LinearSizes sizes;
  const LinearHead& head;
  const LinearScratch& scratch;
  std::size_t from, queries, keys;
  bool is_finite = true;    // its values
  PackedBView values = {};  // where they are read
};

/// The outputs of the chunk's queries: of the state, and in a causal call of its keys up to each query.
void attend_chunk(const LinearChunk& chunk, bool with_keys) noexcept;

}  // namespace fovea
