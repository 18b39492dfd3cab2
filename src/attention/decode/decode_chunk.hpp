#pragma once
/// The sums of a group of heads over one chunk of their keys. Each row of the chunk is loaded once for up to kSharedQueries queries
/// of all its heads: 64 keys of each of four streams, a quarter of the chunk each, are multiplied with these queries, and so are
/// their values, before the next.

#include "attention/decode/decode_tiles.hpp"

namespace fovea {

/// Whole: weights come with the scores. Scores: these are kept, and nothing is summed; Values: summed with the weights that were
/// made of them since (keeps_scores()).
enum class ChunkPass { Whole, Scores, Values };

void attend_chunk(const AttentionArgs& args, const DecodePartials& partials, const DecodeChunk& chunk,
                  const ChunkScratch& scratch, ChunkPass pass) noexcept;

}  // namespace fovea
