#pragma once
/// Queries of one head that share packed keys and values.

#include <cstddef>

#include "attention/problem/head_index.hpp"

namespace fovea {

/// 264, whole strips of 4 as of 6 rows: packing K and V then costs a fiftieth of the products. 132, 264 queries, H=8, D=64,
/// N=2048: 46.8, 47.5 GFLOP/s (Node 24, 2026-11-21).
inline constexpr std::size_t kQueryBlock = 264;

struct QueryBlock : HeadIndex {
  std::size_t first, count;  // count <= kQueryBlock
};

}  // namespace fovea
