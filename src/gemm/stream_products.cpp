#include "gemm/stream_products.hpp"

#include <algorithm>
#include <type_traits>

#include "simd/simd.hpp"

namespace fovea {
namespace {

using simd::f32;
using simd::load;
using simd::madd;
using simd::splat;
using simd::store;

static_assert(kStreams == f32::size, "the sums of four rows are transposed into one vector");

template <class Stream>
using FourRows = std::array<const typename Stream::Element*, f32::size>;

/// The sums of four lanes each, of x and four rows, and the products of their elements from d on.
template <class Stream>
f32 total(f32 (&sums)[f32::size], const float* x, const FourRows<Stream>& row, std::size_t d, std::size_t width) noexcept {
  simd::transpose(sums);
  f32 total = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  for (; d < width; ++d) {
    const float last[f32::size] = {Stream::one(row[0] + d), Stream::one(row[1] + d), Stream::one(row[2] + d),
                                   Stream::one(row[3] + d)};
    total = madd(splat(x[d]), load(last), total);
  }
  return total;
}

/// x[v] · each of four rows, for each of the vectors.
template <class Stream, std::size_t kVectors>
struct FourProducts {
  f32 sums[kVectors][f32::size];

  FourProducts() noexcept {
    for (auto& of_vector : sums) {
      for (f32& sum : of_vector) sum = splat(0.0f);
    }
  }
  void add(const float* const (&x)[kVectors], const FourRows<Stream>& row, std::size_t d) noexcept {
    f32 a[kVectors];
    for (std::size_t v = 0; v < kVectors; ++v) a[v] = load(x[v] + d);
    for (std::size_t s = 0; s < f32::size; ++s) {
      const f32 b = Stream::four(row[s] + d);
      for (std::size_t v = 0; v < kVectors; ++v) sums[v][s] = madd(a[v], b, sums[v][s]);
    }
  }
};

/// The products of one vector with a row of each stream at a time: all streams are read side by side.
template <class Stream>
[[gnu::noinline]] void multiply_one(const StreamProducts& vector, const Streams<Stream>& streams, std::size_t rows,
                                    std::ptrdiff_t stride, std::size_t width) noexcept {
  constexpr std::size_t kUnroll = 4;
  for (std::size_t j = 0; j < rows; ++j) {
    FourRows<Stream> row;
    for (std::size_t s = 0; s < kStreams; ++s) row[s] = row_of(streams[s], std::min(j, streams[s].count - 1), stride);
    FourProducts<Stream, 1> products;
    std::size_t d = 0;
    for (; d + kUnroll * f32::size <= width; d += kUnroll * f32::size) {
      for (std::size_t u = 0; u < kUnroll; ++u) products.add({vector.x}, row, d + u * f32::size);
    }
    for (; d + f32::size <= width; d += f32::size) products.add({vector.x}, row, d);
    alignas(16) float totals[kStreams];
    store(totals, total<Stream>(products.sums[0], vector.x, row, d, width));
    for (std::size_t s = 0; s < kStreams; ++s) vector.out[s][j] = totals[s];
  }
}

/// out[4 v + i] <- vectors[v].x · row i. Two vectors keep 8 sums and what they read in registers; three or four spill. A function
/// of its own, or V8 spills them with two as well.
[[gnu::noinline]] void multiply_rows(std::span<const StreamProducts> vectors, const FourRows<RowStream>& row, std::size_t width,
                                     float* out) noexcept {
  const auto multiply = [&]<std::size_t kVectors>(std::integral_constant<std::size_t, kVectors>, std::size_t first) {
    const float* x[kVectors];
    for (std::size_t v = 0; v < kVectors; ++v) x[v] = vectors[first + v].x;
    FourProducts<RowStream, kVectors> products;
    std::size_t d = 0;
    for (; d + f32::size <= width; d += f32::size) products.add(x, row, d);
    for (std::size_t v = 0; v < kVectors; ++v)
      store(out + (first + v) * f32::size, total<RowStream>(products.sums[v], x[v], row, d, width));
  };
  std::size_t v = 0;
  for (; v + 2 <= vectors.size(); v += 2) multiply(std::integral_constant<std::size_t, 2>{}, v);
  if (v < vectors.size()) multiply(std::integral_constant<std::size_t, 1>{}, v);
}

/// The products of all vectors with four rows of each stream, rows [j, j + 4): all streams are read side by side.
void multiply_across(std::span<const StreamProducts> vectors, const RowStreams& streams, std::size_t j, std::ptrdiff_t stride,
                     std::size_t width) noexcept {
  alignas(16) float totals[f32::size][kMostVectors * f32::size];
  for (std::size_t i = 0; i < f32::size; ++i) {
    FourRows<RowStream> row;
    for (std::size_t s = 0; s < kStreams; ++s) row[s] = row_of(streams[s], std::min(j + i, streams[s].count - 1), stride);
    multiply_rows(vectors, row, width, totals[i]);
  }
  for (std::size_t v = 0; v < vectors.size(); ++v) {
    f32 of_stream[kStreams];
    for (std::size_t i = 0; i < f32::size; ++i) of_stream[i] = load(totals[i] + v * f32::size);
    simd::transpose(of_stream);
    for (std::size_t s = 0; s < kStreams; ++s) store(vectors[v].out[s] + j, of_stream[s]);
  }
}

/// Rows this wide or narrower are read once for each pair of vectors: a tile of all streams takes 16 kB, which stay in L1.
constexpr std::size_t kNarrow = 16;

/// The products of kVectors vectors with the rows of stream s. A function of its own, as multiply_rows is.
template <std::size_t kVectors, class Width>
[[gnu::noinline]] void multiply_stream(const StreamProducts* vectors, std::size_t s, const RowStream& stream,
                                       std::ptrdiff_t stride, Width width) noexcept {
  const float* x[kVectors];
  for (std::size_t v = 0; v < kVectors; ++v) x[v] = vectors[v].x;
  const std::size_t last = stream.count - 1;
  for (std::size_t j = 0; j <= last; j += f32::size) {
    FourRows<RowStream> row;
    for (std::size_t i = 0; i < f32::size; ++i) row[i] = row_of(stream, std::min(j + i, last), stride);
    FourProducts<RowStream, kVectors> products;
    std::size_t d = 0;
    for (; d + f32::size <= width; d += f32::size) products.add(x, row, d);
    for (std::size_t v = 0; v < kVectors; ++v)
      store(vectors[v].out[s] + j, total<RowStream>(products.sums[v], x[v], row, d, width));
  }
}

/// The products of all vectors with the rows of stream s.
void multiply_along(std::span<const StreamProducts> vectors, std::size_t s, const RowStream& stream, std::ptrdiff_t stride,
                    std::size_t width) noexcept {
  const auto multiply = [&](auto known) {
    std::size_t v = 0;
    for (; v + 2 <= vectors.size(); v += 2) multiply_stream<2>(&vectors[v], s, stream, stride, known);
    if (v < vectors.size()) multiply_stream<1>(&vectors[v], s, stream, stride, known);
  };
  width == 8 ? multiply(std::integral_constant<std::size_t, 8>{}) : multiply(width);
}

/// The products of one vector with the rows of one stream, which is read as four: four rows are multiplied at a time.
template <class Stream>
[[gnu::noinline]] void multiply_quarters(const StreamProducts& vector, const Stream& stream, std::ptrdiff_t stride,
                                         std::size_t width) noexcept {
  const std::size_t quarter = (stream.count + kStreams - 1) / kStreams;
  StreamProducts parts = {vector.x, {}};
  Streams<Stream> from;
  for (std::size_t i = 0; i < kStreams; ++i) {
    // A part without rows is read as the last row.
    const std::size_t first = std::min(i * quarter, stream.count - 1);
    from[i] = {{row_of(stream, first, stride), std::min(quarter, stream.count - first)}};
    parts.out[i] = vector.out[0] + i * quarter;
  }
  multiply_one(parts, from, quarter, stride, width);
}

template <class Stream>
void multiply_float16(const StreamProducts& vector, const Streams<Stream>& streams, std::ptrdiff_t stride,
                      std::size_t width) noexcept {
  const std::size_t rows = streams[0].count;
  const bool all = streams[kStreams - 1].count > 0;
  if (all) return multiply_one(vector, streams, rows, stride, width);
  for (std::size_t s = 0; s < kStreams; ++s) {
    if (streams[s].count > 0) multiply_quarters({vector.x, {vector.out[s]}}, streams[s], stride, width);
  }
}

}  // namespace

void multiply_streams(std::span<const StreamProducts> vectors, const RowStreams& streams, std::ptrdiff_t stride,
                      std::size_t width) noexcept {
  const std::size_t rows = streams[0].count;
  const bool all = streams[kStreams - 1].count > 0;
  if (!all || width <= kNarrow) {
    for (std::size_t s = 0; s < kStreams; ++s) {
      if (streams[s].count > 0) multiply_along(vectors, s, streams[s], stride, width);
    }
    return;
  }
  if (vectors.size() == 1) return multiply_one(vectors[0], streams, rows, stride, width);
  for (std::size_t j = 0; j < rows; j += f32::size) multiply_across(vectors, streams, j, stride, width);
}

void multiply_streams(const StreamProducts& vector, const Streams<ScaledFloat16Stream>& streams, std::ptrdiff_t stride,
                      std::size_t width) noexcept {
  multiply_float16(vector, streams, stride, width);
}

void multiply_streams(const StreamProducts& vector, const Streams<AnyFloat16Stream>& streams, std::ptrdiff_t stride,
                      std::size_t width) noexcept {
  multiply_float16(vector, streams, stride, width);
}

}  // namespace fovea
