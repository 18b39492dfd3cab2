#pragma once
/// Relative positions added to keys (Shaw et al. 2018, arXiv:1803.02155 §3.2, eq. 4), by clipped distance c.
///   s[i,j] = q[i] · k[j] + (q[i] · rK)[c]
/// The products of a row with all d = 2 clip + 1 rows of rK are made once and looked up. Few keys of one row, which are
/// gathered, take their rows of the table as they take keys.
/// Cost: Dk d multiply-adds for each query, beside Dk Tk.   Workspace: d floats for each query, and Dk d for rK.

#include <cstddef>

#include "attention/problem/attention_args.hpp"
#include "attention/score/score_tile.hpp"
#include "core/workspace.hpp"

namespace fovea {

/// q · rK of the rows of a block, for every distance. Without rK it is empty.
class RelativeProducts {
 public:
  RelativeProducts(const AttentionArgs& args, std::size_t rows, Workspace& workspace) noexcept;

  /// products[i] <- q[i] rKᵀ for `strips` strips of packed queries of a head.
  void multiply(const AttentionArgs& args, std::size_t head, const float* q, std::size_t strips) const noexcept;

  /// Gives the tile the products of its rows, from `row` of the block on.
  void set(ScoreTile& tile, std::size_t row) const noexcept {
    if (stride_ == 0) return;
    tile.relative = products_ + row * stride_;
    tile.relative_stride = stride_;
  }

 private:
  std::size_t stride_;
  float* table_;     // column panels
  float* products_;  // [rows][stride]
};

/// s <- s + query · rK[c] for a tile of one row and its keys with a position
void add_gathered_relative_keys(const AttentionArgs& args, ScoreTile& tile, const float* query) noexcept;

}  // namespace fovea
