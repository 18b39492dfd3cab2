#pragma once
/// The weights of a block of queries and a tile of keys, the gradients of their products, and what both give to the gradients
/// of queries, keys and values.
///   d_v += wᵀ d_output      d_q += dX k      d_k += dXᵀ q
/// The sums over keys and over queries go on, in order, where the last tile or block left them.

#include <cstddef>
#include <cstdint>

#include "attention/backward/packed_rows.hpp"
#include "attention/backward/pair_sums.hpp"
#include "attention/backward/strip_scores.hpp"
#include "attention/score/score_tile.hpp"
#include "core/workspace.hpp"

namespace fovea {

/// Scratch of one thread, and the pairs that it holds last.
class PairGradients {
 public:
  PairGradients(const AttentionBackwardArgs& args, Workspace& workspace) noexcept;

  /// The pairs of the block and the tile, and their gradients, where any pair may be allowed. With `pairs` wanted, the block's
  /// first query is at `row` of the walk of `sums`.
  void add(const AttentionBackwardArgs& args, const PackedQueries& queries, const PackedKeys& keys,
           const WantedGradients& wanted, const PairSums* sums = nullptr, std::size_t row = 0) noexcept;

  /// Adds the pairs of a pattern instead: columns of each of the block's strips.
  void add_planned(const AttentionBackwardArgs& args, const PackedQueries& queries, const PackedKeys& keys,
                   const WantedGradients& wanted, const StripColumns* strips, const PairSums* sums, std::size_t row) noexcept;

 private:
  void compute_strip(const AttentionBackwardArgs& args, const PackedQueries& queries, const PackedKeys& keys, std::size_t row,
                     const WantedGradients& wanted) noexcept;
  void add_strips(const AttentionBackwardArgs& args, const PackedQueries& queries, const PackedKeys& keys,
                  const WantedGradients& wanted, const PairSums* sums, std::size_t walk_row) noexcept;
  void differentiate(const AttentionBackwardArgs& args, const PackedQueries& queries, const ScoreTile& tile, std::size_t row,
                     const WantedGradients& wanted, const float (&capped)[kMr][kKeyTile]) noexcept;
  void add_to_queries(const AttentionBackwardArgs& args, const PackedQueries& queries, const PackedKeys& keys) const noexcept;
  void add_additive(const AttentionBackwardArgs& args, const PackedQueries& queries, const PackedKeys& keys,
                    const WantedGradients& wanted) const noexcept;
  void add_one_by_one(const AttentionBackwardArgs& args, const PackedQueries& queries, const PackedKeys& keys,
                      const WantedGradients& wanted) const noexcept;

  float* weights_;   // [kBackwardRows][kKeyTile]
  float* scores_;    // dX
  float* row_sums_;  // [kMr][width]: rows of d_q that cannot be added to where they lie
  const PairSums* sums_ = nullptr;
  std::size_t first_row_ = 0;  // of the block, in the walk
  StripColumns strips_[kBackwardRows / kMr];
  std::uint64_t allowed_[kBackwardRows];
  bool all_allowed_ = false;  // every pair of the strips that have pairs is
};

}  // namespace fovea
