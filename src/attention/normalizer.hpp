#pragma once
/// Weights from scores that arrive tile by tile, in other ways than softmax, whose are in online_softmax.hpp.
///   relu      w[j] = max(s[j], 0) / n, or undivided; n = the row's allowed keys       (Wortsman et al. 2023, arXiv:2309.08586)
///   sigmoid   w[j] = 1 / (1 + exp(-s[j] - bias))                                 (Ramapuram et al. 2024, arXiv:2409.04431)
///   hard      w[j] = 1 for the highest s[j], else 0
///   sampled   w[j] = 1 for the highest s[j] + g[j], else 0; g from Stream::Sampled (core/random.hpp), so that j is drawn with
///             the probability softmax(s)[j]                                       (Maddison et al. 2014, arXiv:1411.0030 §2)
///   top-k     w = softmax over the k highest s[j], or all where they are fewer, else 0     (ops/top_k.hpp)
///   sparsemax, entmax15: of whole rows (ops/sparsemax.hpp, ops/entmax.hpp)
/// Of equal scores the lowest key wins, whatever the order of the tiles. A score of -inf counts as forbidden; NaN or +inf makes
/// its row NaN. Each row decides for itself, so its bits are its own.

#include <cstdint>

#include "attention/online_softmax.hpp"
#include "attention/score_tile.hpp"
#include "ops/top_k.hpp"
#include "simd/batch.hpp"

namespace fovea {

/// Whether the values are summed tile by tile, times weights that are known up to a factor of the row.
[[nodiscard]] bool sums_values(const AttentionArgs& args) noexcept;

/// Whether weights need all scores of their row at once.
[[nodiscard]] bool is_row_global(const AttentionArgs& args) noexcept;

/// Whether a pattern's pairs are scored into the lists of args.sparse_weights first, and normalized there, row by row.
[[nodiscard]] bool normalizes_lists(const AttentionArgs& args) noexcept;

/// How many keys top-k keeps of a row.
[[nodiscard]] std::size_t most_kept(const AttentionArgs& args) noexcept;

/// RunningRows of the tile <- what they were, and its scores. Their meaning is the normalizer's:
///   relu, sigmoid   l = the number of keys, NaN for a broken row; the tile's scores become weights, undivided
///   hard, sampled   m = -inf until a key is chosen, NaN for a broken row; l = what is chosen
///   top-k           m the same; l = how many are kept, o = those
void take_scores(const AttentionArgs& args, ScoreTile& tile, RunningRows rows) noexcept;

/// The weight of a score of relu or sigmoid, before the division.
[[nodiscard]] simd::f32 weight_of(const Normalizer& normalizer, simd::f32 score) noexcept;

/// The row's key of the highest value. Kept in the lanes of l.
struct Chosen {
  double value;
  std::uint32_t key;
};
[[nodiscard]] Chosen read_chosen(const float* l) noexcept;

/// The row's best scores, kept in its o and counted in its l.
[[nodiscard]] Best read_best(const float* l, float* o) noexcept;

}  // namespace fovea
