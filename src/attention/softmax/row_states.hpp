#pragma once
/// The states of query rows while their keys arrive tile by tile, by the normalizer of the call: each kind has its own.

#include <cstddef>

#include "attention/problem/attention_args.hpp"
#include "attention/score/score_tile.hpp"
#include "attention/softmax/online_softmax.hpp"
#include "attention/softmax/pointwise_rows.hpp"
#include "attention/softmax/selected_rows.hpp"
#include "attention/softmax/value_sums.hpp"
#include "core/workspace.hpp"

namespace fovea {

class RowStates {
 public:
  RowStates(const AttentionArgs& args, std::size_t rows, Workspace& workspace) noexcept;

  /// Floats of a value, in whole panels. Sums by distance follow it (relative_values.hpp).
  [[nodiscard]] std::size_t value_floats() const noexcept { return value_floats_; }

  /// The sums of values from `row` on; null rows for normalizers that select keys.
  [[nodiscard]] ValueSums sums(std::size_t row) const noexcept { return {o_ + row * stride_, stride_}; }

  /// `count` rows from `first` on have seen no key.
  void init(const AttentionArgs& args, std::size_t first, std::size_t count) const noexcept;

  /// Rows from `first` on <- these rows and the scores of the tile, which become weights, undivided and scaled, where values are
  /// summed.
  void update(const AttentionArgs& args, ScoreTile& tile, std::size_t first) const noexcept;

  /// Output, weights and lse of a row that has seen all its keys. Its state is used up.
  void finish(const AttentionArgs& args, std::size_t batch, std::size_t head, std::size_t query,
              std::size_t row) const noexcept;

  /// Floats of a row's state kept from one pass of a pattern to the next.
  [[nodiscard]] static std::size_t saved_floats(const AttentionArgs& args) noexcept;
  void save(const AttentionArgs& args, std::size_t row, float* saved) const noexcept;
  void restore(const AttentionArgs& args, std::size_t row, const float* saved) const noexcept;

 private:
  [[nodiscard]] SoftmaxRows softmax(std::size_t row) const noexcept;
  [[nodiscard]] PointwiseRows pointwise(std::size_t row) const noexcept;

  std::size_t value_floats_, stride_;
  float* o_;             // [rows][stride]
  float* m_;             // [rows], of softmax
  float* lanes_;         // [rows][4]: l of softmax, the keys of relu and sigmoid
  ArgmaxState* argmax_;  // [rows], of argmax and sampled
  TopKRows top_k_;
};

}  // namespace fovea
