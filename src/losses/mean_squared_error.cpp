#include "losses/mean_squared_error.hpp"

#include <algorithm>

#include "ops/chunked_sums.hpp"
#include "simd/map_onto.hpp"
#include "simd/simd.hpp"

namespace fovea {
namespace {

constexpr std::size_t kChunk = 4096;

}  // namespace

std::uint64_t mean_squared_error_workspace_bytes(std::size_t count) noexcept {
  return count_bytes([&](Workspace& workspace) { take_chunk_sums(count, kChunk, workspace); });
}

Status mean_squared_error(const float* x, const float* target, std::size_t count, float* loss, Workspace workspace,
                          ThreadPool* pool) noexcept {
  SumPair* const sums = take_chunk_sums(count, kChunk, workspace);
  if (!workspace.sufficed()) return Status::Memory;
  const SumPair total =
      sum_chunks(count, kChunk, sums, is_short_work(count) ? nullptr : pool, [&](std::size_t from, std::size_t to) {
        simd::f64 lanes(0.0);
        std::size_t i = from;
        for (; i + simd::f64::size <= to; i += simd::f64::size) {
          const simd::f64 off = simd::load_double(x + i) - simd::load_double(target + i);
          lanes = lanes + off * off;
        }
        SumPair own = {simd::add_pairs(lanes, lanes).get(0), 0};
        if (i < to) {
          const double off = static_cast<double>(x[i]) - static_cast<double>(target[i]);
          own.first += off * off;
        }
        return own;
      });
  *loss = static_cast<float>(total.first / static_cast<double>(count));
  return Status::Ok;
}

void mean_squared_error_backward(const float* x, const float* target, std::size_t count, const float* d_loss, float* d_x,
                                 float* d_target, ThreadPool* pool) noexcept {
  const auto factor = static_cast<float>(2 * static_cast<double>(*d_loss) / static_cast<double>(count));
  const auto add = [&](float* gradient, float slope) {
    if (gradient == nullptr) return;
    const simd::f32 scale = simd::splat(slope);
    parallel_for(is_short_work(count) ? nullptr : pool, (count + kChunk - 1) / kChunk, [&](std::size_t task, std::size_t) {
      const std::size_t from = task * kChunk;
      map_onto(
          gradient + from, std::min(kChunk, count - from),
          [=](simd::f32 sum, simd::f32 a, simd::f32 b) { return sum + scale * (a - b); }, x + from, target + from);
    });
  };
  add(d_x, factor);
  add(d_target, -factor);
}

}  // namespace fovea
