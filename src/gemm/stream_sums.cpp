#include "gemm/stream_sums.hpp"

#include <algorithm>

#include "core/bits.hpp"
#include "simd/simd.hpp"

namespace fovea {
namespace {

using simd::f32;
using simd::load;
using simd::madd;
using simd::splat;
using simd::store;

/// o[0 .. 4 kVectors) += Σ p[s][j] row[...] of one sum
template <std::size_t kVectors, class Streams>
void accumulate_columns(const StreamSum& sum, const Streams& streams, std::size_t rows, bool all, std::ptrdiff_t stride,
                        std::size_t column) noexcept {
  float* const o = sum.o + column;
  f32 sums[kVectors];
  for (std::size_t c = 0; c < kVectors; ++c) sums[c] = load(o + c * f32::size);
  for (std::size_t j = 0; j < rows; ++j) {
    for (std::size_t s = 0; s < kStreams; ++s) {
      if (!all && (sum.weights[s].chosen >> j & 1) == 0) continue;
      const f32 p = splat(sum.weights[s].p[j]);
      const auto* const row = row_of(streams[s], j, stride) + column;
      for (std::size_t c = 0; c < kVectors; ++c) sums[c] = madd(p, load_four(row + c * f32::size), sums[c]);
    }
  }
  for (std::size_t c = 0; c < kVectors; ++c) store(o + c * f32::size, sums[c]);
}

template <class Streams>
[[gnu::noinline]] void accumulate_one(const StreamSum& sum, const Streams& streams, std::ptrdiff_t stride,
                                      std::size_t width) noexcept {
  std::size_t rows = 0;
  for (const auto& stream : streams) rows = std::max(rows, stream.count);
  bool all = true;
  for (const RowWeights& one : sum.weights) all = all && one.chosen == ~std::uint64_t{0};
  std::size_t c = 0;
  for (; c + 64 <= width; c += 64) accumulate_columns<16>(sum, streams, rows, all, stride, c);
  for (; c + 16 <= width; c += 16) accumulate_columns<4>(sum, streams, rows, all, stride, c);
  for (; c + 4 <= width; c += 4) accumulate_columns<1>(sum, streams, rows, all, stride, c);
  for (; c < width; ++c) {
    for (std::size_t j = 0; j < rows; ++j) {
      for (std::size_t s = 0; s < kStreams; ++s) {
        const auto& [p, chosen] = sum.weights[s];
        if ((chosen >> j & 1) != 0) sum.o[c] += p[j] * load_one(row_of(streams[s], j, stride) + c);
      }
    }
  }
}

/// Rows that all sums take before the next ones: 4 kB at width 64. With four times as many, what comes from L3 comes a third
/// slower: the processor fetches ahead only while it computes.
constexpr std::size_t kSharedRows = 16;

/// Wider rows are read anew for each sum. 32 heads over 8, 4096 keys, ms: rows shared 1.79, 2.17, 3.66, 4.64 at widths 64, 80, 96,
/// 128; read anew 1.75, 1.89, 2.17, 2.72 (Node 24, lower quartiles, 2026-11-22).
constexpr std::size_t kSharedWidth = 64;

/// Some rows, and the weights of four sums for each.
struct SharedRows {
  std::size_t count = 0;
  std::size_t streams = 0, step = 0;  // of how many streams, and how many of each
  const float* row[kSharedRows];
  alignas(16) float p[kSharedRows][4];
};

/// o[0 .. 4 kVectors) of kSums sums += Σ p[n][first + sum] row[n][column ...]
template <std::size_t kSums, std::size_t kVectors>
inline void accumulate_block(const StreamSum* sum, const SharedRows& shared, std::size_t first, std::size_t column) noexcept {
  f32 sums[kSums][kVectors];
  for (std::size_t i = 0; i < kSums; ++i) {
    for (std::size_t c = 0; c < kVectors; ++c) sums[i][c] = load(sum[i].o + column + c * f32::size);
  }
  for (std::size_t n = 0; n < shared.count; ++n) {
    const float* const row = shared.row[n] + column;
    f32 v[kVectors];
    for (std::size_t c = 0; c < kVectors; ++c) v[c] = load(row + c * f32::size);
    for (std::size_t i = 0; i < kSums; ++i) {
      const f32 p = splat(shared.p[n][first + i]);
      for (std::size_t c = 0; c < kVectors; ++c) sums[i][c] = madd(p, v[c], sums[i][c]);
    }
  }
  for (std::size_t i = 0; i < kSums; ++i) {
    for (std::size_t c = 0; c < kVectors; ++c) store(sum[i].o + column + c * f32::size, sums[i][c]);
  }
}

/// A function of its own, or V8 keeps sums on the stack.
template <std::size_t kSums>
[[gnu::noinline]] void accumulate_sums(const StreamSum* sum, const SharedRows& shared, std::size_t first,
                                       std::size_t width) noexcept {
  std::size_t c = 0;
  for (; c + 8 <= width; c += 8) accumulate_block<kSums, 2>(sum, shared, first, c);
  for (; c + 4 <= width; c += 4) accumulate_block<kSums, 1>(sum, shared, first, c);
  for (; c < width; ++c) {
    for (std::size_t n = 0; n < shared.count; ++n) {
      for (std::size_t i = 0; i < kSums; ++i) sum[i].o[c] += shared.p[n][first + i] * shared.row[n][c];
    }
  }
}

/// p[n] <- the weights of up to four sums for row n, the first of them row j of its stream. Rows without gaps go four at a time.
void gather_weights(const StreamSum* sum, std::size_t sums, const RowStreams& streams, std::size_t j,
                    SharedRows& shared) noexcept {
  const StreamSum* four[4];
  for (std::size_t i = 0; i < 4; ++i) four[i] = sum + std::min(i, sums - 1);
  if (shared.count == shared.streams * shared.step) {
    for (std::size_t row = 0; row < shared.step; row += f32::size) {
      for (std::size_t s = 0; s < shared.streams; ++s) {
        f32 p[4];
        for (std::size_t i = 0; i < 4; ++i) p[i] = load(four[i]->weights[s].p + j + row);
        simd::transpose(p);
        for (std::size_t i = 0; i < f32::size; ++i) store(shared.p[(row + i) * shared.streams + s], p[i]);
      }
    }
    return;
  }
  std::size_t n = 0;
  for (std::size_t row = j; n < shared.count; ++row) {
    for (std::size_t s = 0; s < kStreams; ++s) {
      if (row >= streams[s].count) continue;
      for (std::size_t i = 0; i < 4; ++i) shared.p[n][i] = four[i]->weights[s].p[row];
      ++n;
    }
  }
}

/// Every sum takes all rows of all streams.
void accumulate_all(std::span<const StreamSum> sums, const RowStreams& streams, std::ptrdiff_t stride,
                    std::size_t width) noexcept {
  std::size_t rows = 0, count = 0;
  for (const RowStream& stream : streams) {
    rows = std::max(rows, stream.count);
    count += stream.count > 0 ? 1 : 0;
  }
  // One stream alone comes first, and its rows follow each other.
  const std::size_t step = count == 1 ? kSharedRows : f32::size;
  for (std::size_t j = 0; j < rows; j += step) {
    SharedRows shared;
    shared.streams = count;
    shared.step = step;
    for (std::size_t i = j; i < j + step; ++i) {
      for (std::size_t s = 0; s < kStreams; ++s) {
        if (i < streams[s].count) shared.row[shared.count++] = row_of(streams[s], i, stride);
      }
    }
    for (std::size_t i = 0; i < sums.size(); i += 4) {
      const std::size_t here = std::min<std::size_t>(4, sums.size() - i);
      gather_weights(&sums[i], here, streams, j, shared);
      if (here == 4) accumulate_sums<4>(&sums[i], shared, 0, width);
      if ((here & 2) != 0) accumulate_sums<2>(&sums[i], shared, 0, width);
      if ((here & 1) != 0) accumulate_sums<1>(&sums[i + here - 1], shared, here - 1, width);
    }
  }
}

}  // namespace

void accumulate_streams(std::span<const StreamSum> sums, const RowStreams& streams, std::ptrdiff_t stride,
                        std::size_t width) noexcept {
  bool all = sums.size() > 1 && width <= kSharedWidth;
  for (std::size_t s = 0; s < kStreams; ++s) {
    const std::uint64_t rows = bit_range(0, streams[s].count);
    for (std::size_t i = 0; all && i < sums.size(); ++i) all = (sums[i].weights[s].chosen & rows) == rows;
  }
  if (all) return accumulate_all(sums, streams, stride, width);
  for (const StreamSum& sum : sums) accumulate_one(sum, streams, stride, width);
}

void accumulate_streams(const StreamSum& sum, const Float16Streams& streams, std::ptrdiff_t stride,
                        std::size_t width) noexcept {
  accumulate_one(sum, streams, stride, width);
}

}  // namespace fovea
