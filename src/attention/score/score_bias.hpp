#pragma once
/// Biases of a tile's scores, added after the softcap in this order: ALiBi and other distances, relative positions, buckets
/// (bucket_bias.hpp), the Gaussian around a center, the bias of a pattern's pairs, the array of pairs, the float masks.

#include <algorithm>
#include <cstdint>

#include "attention/pattern/plan.hpp"
#include "attention/problem/attention_args.hpp"
#include "attention/score/score_tile.hpp"

namespace fovea {

[[nodiscard]] bool has_bias(const AttentionArgs& args, const ScoreTile& tile) noexcept;

/// s <- s + biases. Forbidden pairs and appended keys may become anything.
void add_bias(const AttentionArgs& args, ScoreTile& tile) noexcept;

/// Calls visit(r, j, word, whether it numbers an edge) for the tile's pairs in the bias tables of a plan for `queries`; other words
/// are the floats to add.
template <class Visit>
void for_each_listed(const Plan& plan, std::size_t queries, const ScoreTile& tile, Visit visit) noexcept {
  const std::uint32_t* table = plan.first_table();
  for (std::size_t n = 0; n < plan.tables(); ++n, table += table[0]) {
    const bool is_of_edges = table[1] != 0;
    const std::uint32_t* const starts = table + 2;
    const std::uint32_t* const keys = starts + queries + 1;
    const std::uint32_t* const biases = keys + starts[queries];
    for (std::size_t r = 0; r < tile.queries; ++r) {
      const std::size_t query = tile.query_of(r);
      const std::uint32_t *key = keys + starts[query], *const end = keys + starts[query + 1];
      key = std::lower_bound(key, end, static_cast<std::uint32_t>(tile.key_of(0)));
      for (std::size_t j = 0; j < tile.keys && key != end; ++j) {
        while (key != end && *key < tile.key_of(j)) ++key;
        if (key != end && *key == tile.key_of(j)) visit(r, j, biases[key - keys], is_of_edges);
      }
    }
  }
}

/// s <- s + the bias of the plan's listed pairs, for a plan of `queries`; `edges` are the values of its graph's edges, or null
void add_listed_bias(const Plan& plan, const float* edges, std::size_t queries, ScoreTile& tile) noexcept;

}  // namespace fovea
