#pragma once
/// The softmax of each feature of a block of queries, online: tiles of keys are loaded, and the allowed pairs of each query and
/// tile added to its running sums.

#include <cstddef>
#include <cstdint>

#include "attention/multi_dimensional/feature_scores.hpp"
#include "attention/multi_dimensional/multi_dimensional.hpp"
#include "attention/problem/head_index.hpp"
#include "attention/problem/token_list.hpp"
#include "core/workspace.hpp"

namespace fovea {

/// The scratch of one thread.
struct FeatureScratch {
  FeatureTile tile;
  float* v;      // [kKeyTile][feature_stride]
  float* query;  // two rows
  float* sums;   // [rows of a block][3][feature_stride]: m, l and o of each query

  FeatureScratch(const MultiDimensionalArgs& args, Workspace& workspace) noexcept;
};

/// Queries of a block, at most.
[[nodiscard]] std::size_t feature_block_rows(const MultiDimensionalArgs& args) noexcept;

/// Floats of the sums of one query.
[[nodiscard]] std::size_t feature_sums_size(const MultiDimensionalArgs& args) noexcept;

/// One query of a block: its number, and its row there.
struct FeatureRow {
  const MultiDimensionalArgs& args;
  const HeadIndex& head;
  const FeatureScratch& scratch;
  std::size_t query, row;

  [[nodiscard]] float* sums() const noexcept { return scratch.sums + 3 * row * scratch.tile.feature_stride; }

  /// The sums of no key; weights that are asked for -inf.
  void init() const noexcept;

  /// The sums <- these and the pairs with the loaded keys whose bits are set. Masks and a plan's bias are added.
  void add_pairs(const TokenList& keys, std::uint64_t allowed, const float* w_panels) const noexcept;

  /// output <- o / l;  weights <- exp(s - m) / l;  lse <- m + ln l;  0 and -inf for a feature without a key above -inf
  void finish() const noexcept;

 private:
  void add_masks(const TokenList& keys, std::uint64_t allowed) const noexcept;
  void add_tile(std::uint64_t allowed) const noexcept;
  [[nodiscard]] float* weights() const noexcept;
};

/// k, factors, v <- a tile of keys and their values
void load_feature_tile(const MultiDimensionalArgs& args, const HeadIndex& head, const TokenList& keys,
                       const FeatureScratch& scratch) noexcept;

}  // namespace fovea
