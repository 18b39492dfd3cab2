#pragma once
/// The gradients of additive scores s[i,j] = Σ_a w[a] f(q[i,a] + k[j,a]) (score/additive_score.hpp), from those of the scores, dX.
///   d_q[i,a] += Σ_j dX w[a] f'     d_k[j,a] += Σ_i dX w[a] f'     d_w[a] += Σ dX f          f' = f'(q[i,a] + k[j,a])
/// f'(0) is 0 for relu and the slope for leaky relu.

#include <cstddef>
#include <cstdint>

#include "attention/problem/attention_variant.hpp"
#include "attention/score/score_tile.hpp"

namespace fovea {

/// Queries and keys in column panels (gemm/panels.hpp), `queries` and `keys` of them, `width` wide.
struct AdditivePairs {
  const float* q;
  const float* k;
  std::size_t queries, keys, width;
  const float* dx;               // [queries][kKeyTile]
  const std::uint64_t* allowed;  // [queries]: pairs that count; others are not read
};

/// Where the sums go on, each null where it is not wanted: d_q [queries] rows `d_q_stride` apart, or of those the ones in a list, d_k column panels of
/// `d_k_rows` keys, d_w [width].
struct AdditiveSums {
  float* d_q;
  std::ptrdiff_t d_q_stride;
  const std::uint32_t* d_q_list;
  float* d_k;
  std::size_t d_k_rows;
  float* d_w;
};

void add_additive_gradients(const AdditiveScore& score, const AdditivePairs& pairs, const AdditiveSums& sums) noexcept;

}  // namespace fovea
