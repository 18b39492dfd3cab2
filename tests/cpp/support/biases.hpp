#pragma once
/// Calls with what is added by place: each kind of it, and any of them together.

#include "support/problem.hpp"

namespace fovea::test {

enum class BiasKind {
  Distance,
  Relative,
  RelativePerHead,
  Buckets,
  BucketsOneWay,
  Gaussian,
  GaussianPerQuery,
  Pairs,
  PairsPerHead,
  Forward,
  Backward,
  RelativeKeys,
  RelativeValues,
  RelativeRowsPerHead,
  All,
};
std::vector<BiasKind> bias_kinds();
const char* name_of(BiasKind kind);

/// A table of rows of `width` numbers by clipped distance; its last number is followed by one that must not be read.
RelativeTable relative_table(Problem& problem, std::size_t clip, std::size_t width, bool per_head, std::uint64_t seed);

/// T5's, of `buckets` rows.
BucketTable bucket_table(Problem& problem, std::size_t buckets, std::size_t max_distance, bool bidirectional,
                         std::uint64_t seed);

/// Centers around the keys, or beyond them, and widths from half a position on.
void set_gaussian(Problem& problem, bool per_query, std::uint64_t seed);

/// One for all heads and batch entries, or for each; past its rows lie numbers that must not be read.
void set_pairs(Problem& problem, bool per_head, std::uint64_t seed);

/// Clips are around `clip`.
void set_bias(Problem& problem, BiasKind kind, std::uint64_t seed, std::size_t clip = 4);

/// Some of all kinds.
void draw_biases(Problem& problem, std::uint64_t seed);

}  // namespace fovea::test
