#pragma once
/// Normalizers that select keys of a row: argmax, sampled, top-k.
///   argmax    w[j] = 1 for the highest s[j], else 0
///   sampled   w[j] = 1 for the highest s[j] + g[j], else 0; g from Stream::Sampled (core/random.hpp), so that j is drawn with
///             the probability softmax(s)[j]                                       (Maddison et al. 2014, arXiv:1411.0030 §2)
///   top-k     w = softmax over the k highest s[j], or all where they are fewer, else 0     (ops/top_k.hpp)
/// Among equal scores the lowest key wins, whatever the order of the tiles. A row with a NaN or +inf among its scores is
/// NonFinite from then on.

#include <cstddef>
#include <cstdint>

#include "attention/problem/attention_args.hpp"
#include "attention/score/score_tile.hpp"
#include "ops/threshold.hpp"
#include "ops/top_k.hpp"

namespace fovea {

/// The state of a row of argmax or sampled attention.
struct ArgmaxState {
  double value = 0;  // the highest so far, and its key
  std::uint32_t key = 0;
  RowKind kind = RowKind::FullyMasked;
};

/// The state of a row of top-k attention.
struct TopKState {
  std::uint32_t count = 0;  // of the scores in its heap
  RowKind kind = RowKind::FullyMasked;
};

/// The states of rows of top-k attention.
struct TopKRows {
  TopKState* states = nullptr;  // [rows]
  Ranked* heaps = nullptr;      // [rows][k]
  std::size_t k = 0;

  [[nodiscard]] TopKRows from(std::size_t row) const noexcept { return {states + row, heaps + row * k, k}; }
  [[nodiscard]] TopKHeap heap(std::size_t row) const noexcept { return {heaps + row * k, states[row].count}; }
};

/// How many keys top-k keeps of a row.
[[nodiscard]] std::size_t top_k_of(const AttentionArgs& args) noexcept;

/// total <- the choice among the keys of `total` and those of `part`, of the same row
void merge(ArgmaxState& total, const ArgmaxState& part) noexcept;

/// rows[r] <- rows[r] and the scores of row r of the tile
void update_argmax(const AttentionArgs& args, const ScoreTile& tile, ArgmaxState* rows) noexcept;
void update_top_k(const ScoreTile& tile, const TopKRows& rows) noexcept;

}  // namespace fovea
