#include "optimizers/gradient_norm.hpp"

#include <algorithm>

#include "gemm/dot.hpp"
#include "ops/chunked_sums.hpp"
#include "simd/map_onto.hpp"

namespace fovea {
namespace {

constexpr std::size_t kChunk = 4096;

}  // namespace

std::uint64_t squared_norm_workspace_bytes(std::size_t count) noexcept {
  return count_bytes([&](Workspace& workspace) { take_chunk_sums(count, kChunk, workspace); });
}

Status squared_norm(const float* x, std::size_t count, double* norm, Workspace workspace, ThreadPool* pool) noexcept {
  SumPair* const sums = take_chunk_sums(count, kChunk, workspace);
  if (!workspace.sufficed()) return Status::Memory;
  *norm = sum_chunks(count, kChunk, sums, is_short_work(count) ? nullptr : pool, [&](std::size_t from, std::size_t to) {
            return SumPair{dot_in_double(x + from, x + from, to - from), 0};
          }).first;
  return Status::Ok;
}

void scale(float factor, std::size_t count, float* x, ThreadPool* pool) noexcept {
  parallel_for(is_short_work(count) ? nullptr : pool, (count + kChunk - 1) / kChunk, [&](std::size_t task, std::size_t) {
    const std::size_t from = task * kChunk;
    map_onto(x + from, std::min(kChunk, count - from), [by = simd::splat(factor)](simd::f32 a) { return a * by; });
  });
}

}  // namespace fovea
