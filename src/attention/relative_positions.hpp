#pragma once
/// What scores and outputs take from tables by clipped distance, c = clip(j - p, -clip, clip) + clip (Shaw et al. 2018,
/// arXiv:1803.02155 §3.2; d = 2 clip + 1 distances).
///   Keys (eq. 4):    s[i,j] = q[i] · k[j] + (q[i] · rK)[c]: the products of a row with all of rK are made once and looked up
///   Values (eq. 3):  out[i] = Σ_j w[i,j] v[j] + Σ_c W[i,c] rV[c],   W[i,c] = Σ_j w[i,j] over the j at c
/// W is summed tile by tile behind the row's o, where it is rescaled with it. Nothing is of size Tq × Tk but scores.
/// Cost: (Dk + Dv) d for each query, beside (Dk + Dv) Tk.   Workspace: d floats for each query and table, Dk d for rK.
/// Few keys of a row, which are listed one by one, take their rows of the tables as they take keys and values.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "attention/attention.hpp"
#include "attention/online_softmax.hpp"
#include "attention/score_tile.hpp"
#include "core/workspace.hpp"

namespace fovea {

/// c
inline std::size_t clipped_distance(std::size_t key, std::int64_t p, std::size_t clip) noexcept {
  const auto most = static_cast<std::int64_t>(clip);
  return static_cast<std::size_t>(std::clamp(static_cast<std::int64_t>(key) - p, -most, most) + most);
}

/// s[r][j] <- s[r][j] + numbers[r stride + c]
void add_by_distance(const AttentionArgs& args, ScoreTile& tile, const float* numbers, std::size_t stride,
                     std::size_t clip) noexcept;

/// q · rK of the rows of a block, for every distance. Without rK it is empty.
class RelativeProducts {
 public:
  static std::size_t workspace_floats(const AttentionArgs& args, std::size_t rows) noexcept;
  static RelativeProducts take(const AttentionArgs& args, std::size_t rows, Workspace& workspace) noexcept;

  /// Of the row panels `q`, which hold `strips` strips of queries of a head.
  void multiply(const AttentionArgs& args, std::size_t head, const float* q, std::size_t strips) const noexcept;

  /// Gives the tile the products of its rows, from `row` of the block on.
  void set(ScoreTile& tile, std::size_t row) const noexcept {
    if (products_ == nullptr) return;
    tile.relative = products_ + row * stride_;
    tile.relative_stride = stride_;
  }

 private:
  float* table_ = nullptr;     // column panels
  float* products_ = nullptr;  // [rows][stride]
  std::size_t stride_ = 0;
};

/// Floats behind a row's o for W: a multiple of kPanelColumns, 0 without rV.
std::size_t distance_floats(const AttentionArgs& args) noexcept;

/// W <- W + the tile's weights, which s holds; W is found `value_floats` behind the start of each row's o.
void sum_by_distance(const AttentionArgs& args, const ScoreTile& tile, RunningRows rows, std::size_t value_floats) noexcept;

/// o <- o + W rV, once a row has seen all its keys. A distance that nothing was summed for counts nothing.
void add_relative_values(const AttentionArgs& args, std::size_t head, float* o, std::size_t value_floats) noexcept;

/// o <- o + weight rV[c] of one key of a row
void add_relative_value(const AttentionArgs& args, std::size_t batch, std::size_t head, std::size_t query, std::size_t key,
                        float weight, float* o) noexcept;

/// s <- s + query · rK[c] for a tile of one row
void add_listed_relative_keys(const AttentionArgs& args, ScoreTile& tile, const float* query) noexcept;

/// o <- o + Σ_j s[j] rV[c] for a tile of one row, whose weights s holds
void accumulate_listed_relative_values(const AttentionArgs& args, const ScoreTile& tile, float* o) noexcept;

}  // namespace fovea
