#pragma once
/// The k highest of numbered scores that come one after another, in any order, and the softmax over them.
///   Of two scores the higher ranks first, of equal ones (+0 = -0) the one with the lower key: which k are kept does not
///   depend on the order in which they come.
/// Preconditions: k >= 1; scores are finite; a key comes once.
/// Accuracy of the softmax: <= 2x the error of the float32 definition + 8 eps.   Workspace: the caller's k places.
/// Top-k attention: Gupta, Dar, Goodman, Ciprut, Berant 2021, arXiv:2106.06899.

#include <cstddef>
#include <cstdint>

namespace fovea {

struct Ranked {
  float score;
  std::uint32_t key;
};

/// Places that hold `count` of the scores that came, of which `ranked[0]` ranks last.
struct TopKHeap {
  Ranked* ranked;
  std::size_t count;
};

/// best <- the k that rank first among it and the candidate
void push(TopKHeap& best, std::size_t k, Ranked candidate) noexcept;

/// best <- the k that rank first of n scores with the keys 0 to n - 1, -inf left out; best is empty
void push_all(TopKHeap& best, std::size_t k, const float* scores, std::size_t n) noexcept;

/// scores <- exp(score - max) / Σ exp(score - max), of ascending keys. At least one is there.
void softmax_of_heap(TopKHeap best) noexcept;

}  // namespace fovea
