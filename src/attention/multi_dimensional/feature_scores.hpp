#pragma once
/// The scores of one query with a tile of keys in multi-dimensional attention: a row of D features for each key.

#include <cstddef>
#include <cstdint>

#include "attention/multi_dimensional/multi_dimensional.hpp"
#include "attention/score/score_tile.hpp"
#include "core/workspace.hpp"

namespace fovea {

/// A tile of keys as the scores want it, and where they go. Rows are padded to whole vectors or panels.
struct FeatureTile {
  std::size_t width_stride, feature_stride;
  float* k;        // [kKeyTile][width_stride]
  float* factors;  // Bounded: exp(2 k / c), the same
  float* s;        // [whole row panels][feature_stride]
  float* hidden;   // Tanh, Elu: [kMr][width_stride], then a row panel [width][kMr]

  FeatureTile(const MultiDimensionalArgs& args, Workspace& workspace) noexcept;
};

/// Room for W as column panels, once for a call; none for Bounded.
float* take_feature_weights(const MultiDimensionalArgs& args, Workspace& workspace) noexcept;
void pack_feature_weights(const MultiDimensionalArgs& args, float* panels) noexcept;

/// k, factors <- `count` keys
void load_keys(const MultiDimensionalArgs& args, SourceRows keys, std::size_t count, const FeatureTile& tile) noexcept;

/// s[j] <- the scores of a query's row [E] and the keys j whose bits are set; `query` has room for two padded rows, which are
/// overwritten.
void score_features(const MultiDimensionalArgs& args, const float* row, std::uint64_t keys, const float* w_panels,
                    const FeatureTile& tile, float* query) noexcept;

}  // namespace fovea
