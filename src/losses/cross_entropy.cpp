#include "losses/cross_entropy.hpp"

#include <algorithm>
#include <cmath>

#include "core/infinity.hpp"
#include "ops/chunked_sums.hpp"
#include "ops/lane_sums.hpp"
#include "simd/map_onto.hpp"
#include "simd/simd.hpp"

namespace fovea {
namespace {

using simd::f32;
using simd::splat;

constexpr std::size_t kRows = 32;  // of one task, and of a chunk of the sums
constexpr std::size_t kCost = 8;   // multiply-adds in the time of a logit

bool are_classes(const CrossEntropyArgs& args) noexcept {
  return std::all_of(args.targets, args.targets + args.rows, [&](std::int32_t target) {
    return target == args.ignore_index || (target >= 0 && static_cast<std::size_t>(target) < args.classes);
  });
}

/// The weight of a row; 0 where it is left out.
double weight_of(const CrossEntropyArgs& args, std::size_t row) noexcept {
  if (args.targets[row] == args.ignore_index) return 0;
  return args.weights == nullptr ? 1 : static_cast<double>(args.weights[row]);
}

/// The maximum; a NaN may hide from it, never from the sum of exponentials.
float max_of(const float* x, std::size_t count) noexcept {
  f32 lanes = splat(kMinusInfinity);
  std::size_t i = 0;
  for (; i + f32::size <= count; i += f32::size) lanes = simd::max(lanes, simd::load(x + i));
  float all = simd::reduce_max(lanes);
  for (; i < count; ++i) all = x[i] > all ? x[i] : all;
  return all;
}

/// Σ exp(x - shift)
float sum_exp(const float* x, std::size_t count, float shift) noexcept {
  const f32 m = splat(shift);
  const auto exponential = [m](f32 a) { return simd::exp(simd::without_tiny(a - m)); };
  const std::size_t whole = count / f32::size * f32::size;
  f32 sums = splat(0.0f);
  for (std::size_t i = 0; i < whole; i += f32::size) sums = sums + exponential(simd::load(x + i));
  float sum = simd::reduce_add(sums);
  for (std::size_t i = whole; i < count; ++i) sum += simd::exp(x[i] - shift);
  return sum;
}

/// The nll of a row; writes its statistics.
double nll_of(const CrossEntropyArgs& args, std::size_t row) noexcept {
  const float* const x = args.x + static_cast<std::ptrdiff_t>(row) * args.x_row;
  const float m = max_of(x, args.classes), sum = sum_exp(x, args.classes, m);
  args.statistics[2 * row] = m;
  args.statistics[2 * row + 1] = 1.0f / sum;
  return std::log(static_cast<double>(sum)) + (static_cast<double>(m) - static_cast<double>(x[args.targets[row]]));
}

ThreadPool* threads_for(const CrossEntropyArgs& args, ThreadPool* pool) noexcept {
  return is_short_work(args.rows, args.classes, kCost) ? nullptr : pool;
}

}  // namespace

std::uint64_t cross_entropy_workspace_bytes(std::size_t rows) noexcept {
  return count_bytes([&](Workspace& workspace) { take_chunk_sums(rows, kRows, workspace); });
}

Status cross_entropy(const CrossEntropyArgs& args, float* loss, Workspace workspace, ThreadPool* pool) noexcept {
  if (!are_classes(args)) return Status::Value;
  SumPair* const sums = take_chunk_sums(args.rows, kRows, workspace);
  if (!workspace.sufficed()) return Status::Memory;
  const SumPair total = sum_chunks(args.rows, kRows, sums, threads_for(args, pool), [&](std::size_t from, std::size_t to) {
    SumPair own;
    for (std::size_t row = from; row < to; ++row) {
      const double weight = weight_of(args, row);
      if (weight == 0) continue;
      own.first += weight * nll_of(args, row);
      own.second += weight;
    }
    return own;
  });
  *loss = static_cast<float>(total.first / total.second);
  return Status::Ok;
}

Status cross_entropy_backward(const CrossEntropyArgs& args, const float* d_loss, float* d_x, Workspace workspace,
                              ThreadPool* pool) noexcept {
  if (!are_classes(args)) return Status::Value;
  SumPair* const sums = take_chunk_sums(args.rows, kRows, workspace);
  if (!workspace.sufficed()) return Status::Memory;
  const SumPair total = sum_chunks(args.rows, kRows, sums, nullptr, [&](std::size_t from, std::size_t to) {
    SumPair own;
    for (std::size_t row = from; row < to; ++row) own.second += weight_of(args, row);
    return own;
  });
  parallel_for(threads_for(args, pool), (args.rows + kRows - 1) / kRows, [&](std::size_t task, std::size_t) {
    for (std::size_t row = task * kRows; row < std::min(args.rows, (task + 1) * kRows); ++row) {
      const double weight = weight_of(args, row);
      if (weight == 0) continue;
      const auto factor = static_cast<float>(static_cast<double>(*d_loss) * weight / total.second);
      const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(row) * args.x_row;
      const f32 m = splat(args.statistics[2 * row]), share = splat(args.statistics[2 * row + 1]), scale = splat(factor);
      map_onto(
          d_x + at, args.classes, [=](f32 sum, f32 x) { return sum + scale * (simd::exp(simd::without_tiny(x - m)) * share); },
          args.x + at);
      d_x[at + args.targets[row]] -= factor;
    }
  });
  return Status::Ok;
}

}  // namespace fovea
