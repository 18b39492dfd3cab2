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

/// Whether the sum takes all rows of all streams.
template <class Streams>
bool takes_all(const StreamSum& sum, const Streams& streams, const Extent& extent) noexcept {
  for (std::size_t s = 0; s < extent.streams; ++s) {
    const std::uint64_t rows = bit_range(0, streams[s].count);
    if ((sum.weights[s].chosen & rows) != rows) return false;
  }
  return true;
}

/// The sums of kSums rows of o, 4 kVectors columns of each, in registers.
template <std::size_t kSums, std::size_t kVectors>
struct ColumnSums {
  f32 sums[kSums][kVectors];

  ColumnSums(const StreamSum* sum, std::size_t column) noexcept {
    for (std::size_t i = 0; i < kSums; ++i) {
      for (std::size_t c = 0; c < kVectors; ++c) sums[i][c] = load(sum[i].o + column + c * f32::size);
    }
  }
  template <class Stream>
  void add(const float* const (&p)[kSums], std::size_t j, const typename Stream::Element* row) noexcept {
    f32 weights[kSums];
    for (std::size_t i = 0; i < kSums; ++i) weights[i] = splat(p[i][j]);
    for (std::size_t c = 0; c < kVectors; ++c) {
      const f32 v = Stream::four(row + c * f32::size);
      for (std::size_t i = 0; i < kSums; ++i) sums[i][c] = madd(weights[i], v, sums[i][c]);
    }
  }
  void keep(const StreamSum* sum, std::size_t column) const noexcept {
    for (std::size_t i = 0; i < kSums; ++i) {
      for (std::size_t c = 0; c < kVectors; ++c) store(sum[i].o + column + c * f32::size, sums[i][c]);
    }
  }
};

/// o[column .. column + 4 kVectors) += Σ p[s][j] row[...] of one sum. Without gaps no bit is looked at.
struct AllStreams {
  template <std::size_t kSums, std::size_t kVectors, class Stream>
  static void accumulate(const StreamSum* sum, const Streams<Stream>& streams, const Extent& extent, bool gaps,
                         std::ptrdiff_t stride, std::size_t column) noexcept {
    ColumnSums<1, kVectors> sums(sum, column);
    for (std::size_t j = 0; j < extent.rows; ++j) {
      for (std::size_t s = 0; s < extent.streams; ++s) {
        const auto& [p, chosen] = sum->weights[s];
        if (!gaps || (chosen >> j & 1) != 0) sums.template add<Stream>({p}, j, row_of(streams[s], j, stride) + column);
      }
    }
    sums.keep(sum, column);
  }
};

/// o[column .. column + 4 kVectors) += Σ p[j] row[...] of kSums sums, which take all rows of the first stream, the only one.
struct OneStream {
  template <std::size_t kSums, std::size_t kVectors>
  static void accumulate(const StreamSum* sum, const RowStreams& streams, const Extent& extent, bool, std::ptrdiff_t stride,
                         std::size_t column) noexcept {
    ColumnSums<kSums, kVectors> sums(sum, column);
    const float* p[kSums];
    for (std::size_t i = 0; i < kSums; ++i) p[i] = sum[i].weights[0].p;
    const float* row = streams[0].rows + column;
    for (std::size_t j = 0; j < extent.rows; ++j, row += stride) sums.template add<RowStream>(p, j, row);
    sums.keep(sum, column);
  }
};

/// Adds the rows to kSums sums. A function of its own, or V8 keeps sums on the stack.
template <std::size_t kSums, class From, class Stream>
[[gnu::noinline]] void accumulate_rows(const StreamSum* sums, const Streams<Stream>& streams, const Extent& extent,
                                       std::ptrdiff_t stride, std::size_t width) noexcept {
  const bool gaps = streams[extent.streams - 1].count < extent.rows || !takes_all(*sums, streams, extent);
  std::size_t c = 0;
  if constexpr (kSums == 1) {
    constexpr std::size_t kMost = Stream::kColumns;
    for (; c + kMost <= width; c += kMost) From::template accumulate<1, kMost / 4>(sums, streams, extent, gaps, stride, c);
    for (; c + 16 <= width; c += 16) From::template accumulate<1, 4>(sums, streams, extent, gaps, stride, c);
  }
  for (; c + 8 <= width; c += 8) From::template accumulate<kSums, 2>(sums, streams, extent, gaps, stride, c);
  for (; c + 4 <= width; c += 4) From::template accumulate<kSums, 1>(sums, streams, extent, gaps, stride, c);
  for (; c < width; ++c) {
    for (std::size_t j = 0; j < extent.rows; ++j) {
      for (std::size_t s = 0; s < extent.streams; ++s) {
        if ((sums->weights[s].chosen >> j & 1) == 0) continue;
        const float v = Stream::one(row_of(streams[s], j, stride) + c);
        for (std::size_t i = 0; i < kSums; ++i) sums[i].o[c] += sums[i].weights[s].p[j] * v;
      }
    }
  }
}

/// Rows of one stream that are this wide or narrower, 4 kB of a tile, stay in L1: all of them go to four sums, then to the next.
constexpr std::size_t kNarrow = 16;

void accumulate_one_stream(std::span<const StreamSum> sums, const RowStreams& streams, const Extent& extent,
                           std::ptrdiff_t stride, std::size_t width) noexcept {
  for (std::size_t i = 0; i < sums.size(); i += 4) {
    const std::size_t here = std::min<std::size_t>(4, sums.size() - i);
    if (here == 4) accumulate_rows<4, OneStream>(&sums[i], streams, extent, stride, width);
    if ((here & 2) != 0) accumulate_rows<2, OneStream>(&sums[i], streams, extent, stride, width);
    if ((here & 1) != 0) accumulate_rows<1, OneStream>(&sums[i + here - 1], streams, extent, stride, width);
  }
}

/// Rows that all sums take before the next ones: 4 kB at width 64. With four times as many, loads from L3 are a third
/// slower: the processor prefetches only while it computes.
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
  if (shared.streams == 1 || shared.count == shared.streams * shared.step) {
    for (std::size_t row = 0; row * shared.streams < shared.count; row += f32::size) {
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
void accumulate_all(std::span<const StreamSum> sums, const RowStreams& streams, const Extent& extent, std::ptrdiff_t stride,
                    std::size_t width) noexcept {
  // One stream alone comes first, and its rows follow each other.
  const std::size_t step = extent.streams == 1 ? kSharedRows : f32::size;
  for (std::size_t j = 0; j < extent.rows; j += step) {
    SharedRows shared;
    shared.streams = extent.streams;
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
  const Extent extent(streams);
  bool all = true;
  for (std::size_t i = 0; all && i < sums.size(); ++i) all = takes_all(sums[i], streams, extent);
  if (all && extent.streams == 1 && (sums.size() == 1 || width <= kNarrow)) {
    return accumulate_one_stream(sums, streams, extent, stride, width);
  }
  if (all && sums.size() > 1 && width <= kSharedWidth) return accumulate_all(sums, streams, extent, stride, width);
  for (const StreamSum& sum : sums) accumulate_rows<1, AllStreams>(&sum, streams, extent, stride, width);
}

void accumulate_streams(const StreamSum& sum, const Streams<ScaledFloat16Stream>& streams, std::ptrdiff_t stride,
                        std::size_t width) noexcept {
  accumulate_rows<1, AllStreams>(&sum, streams, Extent(streams), stride, width);
}

void accumulate_streams(const StreamSum& sum, const Streams<AnyFloat16Stream>& streams, std::ptrdiff_t stride,
                        std::size_t width) noexcept {
  accumulate_rows<1, AllStreams>(&sum, streams, Extent(streams), stride, width);
}

}  // namespace fovea
