#include "attention/score/score_mods.hpp"

#include <algorithm>
#include <limits>

#include "attention/score/clipped_distance.hpp"
#include "attention/score/large_scores.hpp"
#include "attention/score/row_max.hpp"
#include "attention/score/score_bias.hpp"
#include "attention/score/tile_masks.hpp"
#include "core/infinity.hpp"
#include "simd/simd.hpp"

namespace fovea {
namespace {

using simd::f32;
using simd::load;
using simd::splat;
using simd::store;

/// s <- scale * s: what the queries' packing does where there is no cap
void scale_scores(const AttentionArgs& args, ScoreTile& tile) noexcept {
  for (std::size_t r = 0; r < tile.rows; ++r) {
    over_columns(tile, [&](std::size_t j) { store(tile.s[r] + j, load(tile.s[r] + j) * splat(args.scale)); });
  }
}

/// s <- softcap * tanh(s / softcap)
void cap(const AttentionArgs& args, ScoreTile& tile) noexcept {
  const f32 softcap = splat(args.softcap);
  for (std::size_t r = 0; r < tile.rows; ++r) {
    float* const s = tile.s[r];
    over_columns(tile, [&](std::size_t j) { store(s + j, softcap * simd::tanh(load(s + j) / softcap)); });
  }
}

/// s <- s / temperature, and row_max with it: rounding keeps the order. What is finite does not become -inf, which forbids.
void divide_by_temperature(const AttentionArgs& args, ScoreTile& tile) noexcept {
  const f32 temperature = splat(args.variant.temperature), lowest = splat(std::numeric_limits<float>::lowest());
  const auto divide = [&](float* at) {
    const f32 x = load(at);
    store(at, simd::select(x == splat(kMinusInfinity), x, simd::at_least(x / temperature, lowest)));
  };
  for (std::size_t r = 0; r < tile.rows; ++r) {
    over_columns(tile, [&](std::size_t j) { divide(tile.s[r] + j); });
    divide(tile.row_max[r]);
  }
}

/// The scores of the appended keys of a tile, to which nothing is added by position.
class AppendedScores {
 public:
  AppendedScores(const AttentionArgs& args, const ScoreTile& tile) noexcept {
    if (args.appended_keys == 0) return;
    from_ = positioned_columns(args.position_rules(tile.batch), tile);
    to_ = tile.keys;
    for (std::size_t r = 0; r < tile.rows; ++r) std::copy(tile.s[r] + from_, tile.s[r] + to_, scores_[r] + from_);
  }

  void restore(ScoreTile& tile) const noexcept {
    for (std::size_t r = 0; from_ < to_ && r < tile.rows; ++r) {
      std::copy(scores_[r] + from_, scores_[r] + to_, tile.s[r] + from_);
    }
  }

 private:
  std::size_t from_ = 0, to_ = 0;
  float scores_[kMr][kKeyTile];
};

}  // namespace

void make_capped_scores(const AttentionArgs& args, ScoreTile& tile, LogitStage stage) noexcept {
  if (args.variant.packs_exp_2x()) recompute_large_additive_scores(args, tile, stage);
  if (tile.relative != nullptr) {
    const AppendedScores appended(args, tile);
    add_by_distance(args, tile, tile.relative, tile.relative_stride, args.variant.relative_keys.clip);
    appended.restore(tile);
  }
  if (scales_scores(args)) scale_scores(args, tile);
  if (args.variant.relative_keys.data != nullptr) recompute_infinite_dots(args, tile, stage);
  update_row_max(tile);
  if (args.variant.score == Score::Dot) recompute_large_dots(args, tile);
  if (stage != LogitStage::Raw && args.softcap > 0.0f) cap(args, tile);
}

void make_biased_scores(const AttentionArgs& args, ScoreTile& tile) noexcept {
  const bool biased = has_bias(args, tile);
  if (biased) {
    const AppendedScores appended(args, tile);
    add_bias(args, tile);
    appended.restore(tile);
  }
  if (!tile.all_allowed) mask_scores(tile);
  if (args.softcap > 0.0f || biased) update_row_max(tile);
  if (args.variant.temperature != 1.0f) divide_by_temperature(args, tile);
}

void apply_score_mods(const AttentionArgs& args, ScoreTile& tile, LogitStage stage) noexcept {
  make_capped_scores(args, tile, stage);
  if (stage == LogitStage::Biased) make_biased_scores(args, tile);
}

}  // namespace fovea
