#include "ops/top_k.hpp"

#include <algorithm>
#include <bit>

#include "core/infinity.hpp"
#include "simd/simd.hpp"

namespace fovea {
namespace {

bool ranks_first(const Ranked& a, const Ranked& b) noexcept {
  return a.score > b.score || (a.score == b.score && a.key < b.key);
}

}  // namespace

void push(TopKHeap& best, std::size_t k, Ranked candidate) noexcept {
  if (best.count < k) {
    best.ranked[best.count++] = candidate;
  } else {
    if (!ranks_first(candidate, best.ranked[0])) return;
    std::pop_heap(best.ranked, best.ranked + k, ranks_first);
    best.ranked[k - 1] = candidate;
  }
  std::push_heap(best.ranked, best.ranked + best.count, ranks_first);
}

void push_all(TopKHeap& best, std::size_t k, const float* scores, std::size_t n) noexcept {
  using simd::f32;
  const auto last = [&] { return best.count < k ? kMinusInfinity : best.ranked[0].score; };
  const auto offer = [&](std::size_t j) {
    // An equal score has a higher key than those before it.
    if (scores[j] > last()) push(best, k, {scores[j], static_cast<std::uint32_t>(j)});
  };
  std::size_t j = 0;
  for (; j + f32::size <= n; j += f32::size) {
    for (auto higher = (simd::load(scores + j) > simd::splat(last())).mask(); higher != 0; higher &= higher - 1) {
      offer(j + static_cast<std::size_t>(std::countr_zero(higher)));
    }
  }
  for (; j < n; ++j) offer(j);
}

void softmax_of_heap(TopKHeap best) noexcept {
  Ranked *const first = best.ranked, *const end = first + best.count;
  std::sort(first, end, [](const Ranked& a, const Ranked& b) { return a.key < b.key; });
  float m = first->score;
  for (const Ranked* one = first; one != end; ++one) m = std::max(m, one->score);
  float l = 0.0f;
  for (Ranked* one = first; one != end; ++one) l += one->score = simd::exp(one->score - m);
  for (Ranked* one = first; one != end; ++one) one->score /= l;
}

}  // namespace fovea
