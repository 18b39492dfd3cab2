#pragma once
/// Relative positions added to values (Shaw et al. 2018, arXiv:1803.02155 §3.2, eq. 3), by clipped distance c.
///   out[i] = Σ_j w[i,j] v[j] + Σ_c W[i,c] rV[c],   W[i,c] = Σ_j w[i,j] over the j at c
/// W is summed tile by tile behind the row's o and rescaled with it: nothing is of size Tq × Tk × Dv. Few keys of one row,
/// which are gathered, take their rows of the table as they take values.
/// Cost: Dv d multiply-adds for each query, d = 2 clip + 1, beside Dv Tk.   Workspace: d floats for each query.

#include <cstddef>
#include <cstdint>

#include "attention/problem/attention_args.hpp"
#include "attention/score/score_tile.hpp"
#include "attention/softmax/value_sums.hpp"

namespace fovea {

/// Floats behind a row's o for W: a multiple of kNr, 0 without rV.
std::size_t distance_floats(const AttentionArgs& args) noexcept;

/// by_distance[c] <- by_distance[c] + row[j] for the columns [tile.from, end) of a row at p; they have keys with a position.
void sum_row_by_distance(const ScoreTile& tile, std::int64_t p, std::size_t clip, std::size_t end, const float* row,
                         float* by_distance) noexcept;

/// W <- W + the tile's weights, which s holds; W is found `value_floats` behind the start of each row's o.
void sum_by_distance(const AttentionArgs& args, const ScoreTile& tile, ValueSums sums, std::size_t value_floats) noexcept;

/// o <- o + W rV, once a row has seen all its keys. A distance that nothing was summed for counts nothing.
void add_relative_values(const AttentionArgs& args, std::size_t head, float* o, std::size_t value_floats) noexcept;

/// o <- o + weight rV[c] of one key of a row
void add_relative_value(const AttentionArgs& args, std::size_t batch, std::size_t head, std::size_t query, std::size_t key,
                        float weight, float* o) noexcept;

/// o <- o + Σ_j s[j] rV[c] for a tile of one row, whose weights s holds
void add_gathered_relative_values(const AttentionArgs& args, const ScoreTile& tile, float* o) noexcept;

}  // namespace fovea
