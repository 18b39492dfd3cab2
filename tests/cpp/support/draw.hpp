#pragma once
/// Calls of attention with any of their options, drawn at random.

#include "support/problem.hpp"

namespace fovea::test {

/// Ranges that sizes are drawn from.
struct DrawnSizes {
  std::vector<std::size_t> queries = {1, 2, 3, 4, 5, 8, 31, 63, 64, 65, 130};
  std::vector<std::size_t> keys = {1, 2, 3, 4, 5, 8, 31, 63, 64, 65, 130};
  std::vector<std::size_t> widths = {1, 2, 3, 4, 5, 7, 8, 9, 12, 16, 17, 33};
};

Problem draw_problem(std::uint64_t seed, const DrawnSizes& from = {});
Problem draw_problem(Random& random, const DrawnSizes& from);

/// A drawn problem with the last keys appended, up to all of them, and any masks of the others that a call may have.
Problem draw_appended(std::uint64_t seed, const DrawnSizes& from = {});

/// Masks of key padding for the keys with a position, of one kind or both.
void draw_key_masks(Problem& problem, Random& random);

/// Additive scores, of one vector of weights or of one for each head.
void draw_additive(Problem& problem, Random& random);

}  // namespace fovea::test
