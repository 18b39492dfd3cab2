#include "ops/broadcast_sums.hpp"

#include <algorithm>

#include "simd/map_onto.hpp"
#include "simd/simd.hpp"

namespace fovea {
namespace {

constexpr std::size_t kRun = 512;    // elements whose terms are made at once
constexpr std::size_t kChunk = 64;   // runs whose terms are summed before they are added
constexpr std::size_t kCost = 16;    // multiply-adds that an element counts for
constexpr std::size_t kTask = 4096;  // elements of one task, in whole runs

/// Some of the axes, without the last one, and at the end one of length 1.
struct AxisSubset {
  std::int32_t lengths[kMaxWalkAxes + 1];
  std::int32_t strides[kBroadcastArrays][kMaxWalkAxes + 1];
  BroadcastAxes axes;

  /// Takes the axes along which the array is repeated, or the others.
  AxisSubset(const BroadcastAxes& all, std::size_t array, bool repeated) noexcept {
    for (std::size_t axis = 0; axis + 1 < all.rank; ++axis) {
      if ((all.strides[array][axis] == 0) != repeated) continue;
      lengths[axes.rank] = all.lengths[axis];
      for (std::size_t n = 0; n < kBroadcastArrays; ++n) strides[n][axes.rank] = all.strides[n][axis];
      ++axes.rank;
    }
    lengths[axes.rank] = 1;
    for (std::size_t n = 0; n < kBroadcastArrays; ++n) {
      strides[n][axes.rank] = 0;
      axes.strides[n] = strides[n];
    }
    ++axes.rank;
    axes.lengths = lengths;
  }
  AxisSubset(const AxisSubset&) = delete;
  AxisSubset& operator=(const AxisSubset&) = delete;
};

double sum_in_double(const float* terms, std::size_t count) noexcept {
  simd::f64 sums(0.0);
  std::size_t i = 0;
  for (; i + simd::f64::size <= count; i += simd::f64::size) sums = sums + simd::load_double(terms + i);
  const double pairs = simd::add_pairs(sums, sums).get(0);
  return i < count ? pairs + static_cast<double>(terms[i]) : pairs;
}

class BroadcastSum {
 public:
  BroadcastSum(const BroadcastAxes& axes, const BroadcastTarget& target, const BroadcastTerms& terms) noexcept
      : target_(target),
        terms_(terms),
        own_(axes, target.index, /*repeated=*/false),
        others_(axes, target.index, /*repeated=*/true),
        length_(axes.rank == 0 ? 1 : axes.length(axes.rank - 1)),
        rows_(own_.axes.size()),
        summed_(others_.axes.size()),
        step_(axes.last_stride(target.index)) {}

  void add(ThreadPool* pool) const noexcept {
    if (length_ == 0 || rows_ == 0 || summed_ == 0) return;
    const std::size_t runs = (length_ + kRun - 1) / kRun;
    ThreadPool* const chosen = is_short_work(length_, rows_, summed_, kCost) ? nullptr : pool;
    if (step_ == 0 || runs == 1) {
      const std::size_t together = std::max<std::size_t>(1, kTask / std::max<std::size_t>(1, length_ * summed_));
      return parallel_for(chosen, (rows_ + together - 1) / together, [&](std::size_t task, std::size_t) {
        walk_rows(own_.axes, task * together, std::min(rows_, (task + 1) * together),
                  [&](const auto& start, std::size_t, std::size_t) { add_row(start, 0, length_); });
      });
    }
    const std::size_t tasks = (length_ + kTask - 1) / kTask;
    parallel_for(chosen, rows_ * tasks, [&](std::size_t task, std::size_t) {
      const std::size_t row = task / tasks, first = task % tasks * kTask;
      walk_rows(own_.axes, row, row + 1,
                [&](const auto& start, std::size_t, std::size_t) { add_row(start, first, std::min(length_, first + kTask)); });
    });
  }

 private:
  /// Elements [from, to) of the row at `start`, and of all that are summed with it.
  void add_row(const BroadcastOffsets& start, std::size_t from, std::size_t to) const noexcept {
    double total = 0;
    for (; from < to; from += kRun) total += add_run(start, from, std::min(kRun, to - from));
    if (step_ == 0) target_.data[start[target_.index]] += static_cast<float>(total);
  }

  /// Adds one run; returns its sum where the run repeats one element.
  double add_run(const BroadcastOffsets& start, std::size_t from, std::size_t count) const noexcept {
    alignas(16) float terms[kRun], chunk[kRun];
    double total = 0;
    walk_rows(others_.axes, 0, summed_, [&](const auto& moved, std::size_t at, std::size_t) {
      BroadcastOffsets offsets = start;
      for (std::size_t n = 0; n < kBroadcastArrays; ++n) offsets[n] += moved[n];
      const bool is_first = at % kChunk == 0;
      terms_.make(terms_.context, offsets, from, count, is_first ? chunk : terms);
      if (step_ == 0) {
        total += sum_in_double(is_first ? chunk : terms, count);
        return;
      }
      if (!is_first) add_onto(chunk, count, terms);
      if (at % kChunk == kChunk - 1 || at + 1 == summed_)
        put(chunk, count, target_.data + start[target_.index] + static_cast<std::ptrdiff_t>(from) * step_);
    });
    return total;
  }

  void put(const float* terms, std::size_t count, float* to) const noexcept {
    if (step_ == 1 && !target_.replaces) return add_onto(to, count, terms);
    for (std::size_t i = 0; i < count; ++i, to += step_) *to = target_.replaces ? terms[i] : *to + terms[i];
  }

  BroadcastTarget target_;
  BroadcastTerms terms_;
  AxisSubset own_, others_;
  std::size_t length_, rows_, summed_;
  std::ptrdiff_t step_;
};

}  // namespace

void write_row_major(std::size_t rank, const std::int32_t* lengths, std::int32_t* strides) noexcept {
  std::int32_t stride = 1;
  for (std::size_t axis = rank; axis-- > 0;) {
    strides[axis] = stride;
    stride *= lengths[axis];
  }
}

void add_broadcast_sums(const BroadcastAxes& axes, const BroadcastTarget& target, const BroadcastTerms& terms,
                        ThreadPool* pool) noexcept {
  BroadcastSum(axes, target, terms).add(pool);
}

}  // namespace fovea
