/// Products and weighted sums of rows that are read in streams: several vectors share a reading, and none of them shows.

#include "gemm/stream_products.hpp"
#include "gemm/stream_sums.hpp"
#include "ops/float16.hpp"
#include "support/random.hpp"
#include "support/slab.hpp"
#include "support/tolerance.hpp"

namespace fovea::test {
namespace {

using Counts = std::array<std::size_t, kStreams>;

/// All streams whole, some at their end, and one alone.
const std::vector<Counts> kStreamCounts = {{64, 64, 64, 64}, {64, 64, 64, 3}, {17, 17, 17, 17}, {64, 64, 0, 0}, {64, 30, 0, 0},
                                           {64, 0, 0, 0},    {1, 0, 0, 0},    {5, 0, 0, 0},     {8, 8, 8, 0}};
const std::vector<std::size_t> kStreamWidths = {1, 3, 4, 7, 8, 12, 16, 33, 64, 65, 80};
constexpr std::size_t kVectorCounts[] = {1, 2, 3, 4, 5, 7, 8};

/// Rows of each stream as halves and as the same floats, which end where their memory ends.
struct Rows {
  Rows(const Counts& counts, std::size_t width, Random& random) {
    for (std::size_t s = 0; s < kStreams; ++s) {
      for (std::size_t i = 0; i < counts[s] * width; ++i) {
        const float x = random.chance(0.1) ? 0.0f : random.chance(0.5) ? random.uniform(0.01f, 9) : random.uniform(-9, -0.01f);
        std::uint16_t half = 0;
        to_float16(&x, 1, &half);
        halves[s].push_back(half);
      }
      halves[s].shrink_to_fit();
      floats[s].resize(halves[s].size());
      from_float16(halves[s].data(), halves[s].size(), floats[s].data());
      of_floats[s] = {floats[s].data(), counts[s]};
      of_halves[s] = {{halves[s].data(), counts[s]}};
      of_any[s] = {{halves[s].data(), counts[s]}};
    }
  }

  std::array<std::vector<std::uint16_t>, kStreams> halves;
  std::array<std::vector<float>, kStreams> floats;
  RowStreams of_floats;
  Streams<ScaledFloat16Stream> of_halves;
  Streams<AnyFloat16Stream> of_any;
};

/// 64 products of each vector and stream.
struct Products {
  explicit Products(std::span<const std::vector<float>> x) : out(x.size() * kStreams * kStreamRows, kPoison) {
    for (std::size_t v = 0; v < x.size(); ++v) {
      vectors.push_back({x[v].data(), {}});
      for (std::size_t s = 0; s < kStreams; ++s) vectors[v].out[s] = &out[(v * kStreams + s) * kStreamRows];
    }
  }
  std::span<const float> of(std::size_t v, std::size_t s, std::size_t count) const { return {vectors[v].out[s], count}; }

  std::vector<float> out;
  std::vector<StreamProducts> vectors;
};

std::vector<float> normals(std::size_t count, Random& random) {
  std::vector<float> x(count);
  for (float& one : x) one = random.normal();
  return x;
}

}  // namespace

TEST(Streams, ProductsAreTheDefinitionsAndThoseOfEachVectorAlone) {
  Random random(7);
  for (const Counts& counts : kStreamCounts)
    for (const std::size_t width : kStreamWidths)
      for (const std::size_t vectors : kVectorCounts) {
        const Rows rows(counts, width, random);
        std::vector<std::vector<float>> x;
        for (std::size_t v = 0; v < vectors; ++v) x.push_back(normals(width, random));
        Products all(x);
        multiply_streams(all.vectors, rows.of_floats, static_cast<std::ptrdiff_t>(width), width);
        for (std::size_t v = 0; v < vectors; ++v) {
          Products alone({&x[v], 1}), halves({&x[v], 1}), any({&x[v], 1});
          multiply_streams(alone.vectors, rows.of_floats, static_cast<std::ptrdiff_t>(width), width);
          std::vector<float> scaled = x[v];
          for (float& one : scaled) one *= 0x1p112f;
          halves.vectors[0].x = scaled.data();
          multiply_streams(halves.vectors[0], rows.of_halves, static_cast<std::ptrdiff_t>(width), width);
          multiply_streams(any.vectors[0], rows.of_any, static_cast<std::ptrdiff_t>(width), width);
          for (std::size_t s = 0; s < kStreams; ++s) {
            ASSERT_TRUE(same_bits(all.of(v, s, counts[s]), alone.of(0, s, counts[s]))) << width << ", vector " << v;
            ASSERT_TRUE(same_bits(all.of(v, s, counts[s]), halves.of(0, s, counts[s]))) << width << ", vector " << v;
            ASSERT_TRUE(same_bits(all.of(v, s, counts[s]), any.of(0, s, counts[s]))) << width << ", vector " << v;
            Oracle oracle;
            for (std::size_t j = 0; j < counts[s]; ++j) {
              double sum = 0, terms = 0;
              float plain = 0;
              for (std::size_t d = 0; d < width; ++d) {
                const double product = static_cast<double>(x[v][d]) * static_cast<double>(rows.floats[s][j * width + d]);
                sum += product;
                terms += std::abs(product);
                plain += x[v][d] * rows.floats[s][j * width + d];
              }
              oracle.truth.push_back(sum);
              oracle.plain.push_back(plain);
              oracle.scale.push_back(terms);
            }
            oracle.line = std::max<std::size_t>(counts[s], 1);
            ASSERT_TRUE(within_tolerance(all.of(v, s, counts[s]), oracle)) << width << ", vector " << v;
          }
        }
      }
}

TEST(Streams, SumsAreTheDefinitionsAndThoseOfEachAlone) {
  Random random(8);
  for (const Counts& counts : kStreamCounts)
    for (const std::size_t width : kStreamWidths)
      for (const std::size_t sums : kVectorCounts)
        for (const bool masked : {false, true}) {
          const Rows rows(counts, width, random);
          const std::vector<float> start = normals(sums * width, random);
          const std::vector<float> p = normals(sums * kStreams * kStreamRows, random);
          std::vector<float> scaled = p, all = start, alone = start, halves = start, any = start;
          for (float& one : scaled) one *= 0x1p112f;
          std::vector<StreamSum> shared(sums);
          for (std::size_t i = 0; i < sums; ++i) {
            StreamSum own{}, half{}, one_of_any{};
            for (std::size_t s = 0; s < kStreams; ++s) {
              const std::size_t at = (i * kStreams + s) * kStreamRows;
              const std::uint64_t rows_of = counts[s] == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << counts[s]) - 1;
              const std::uint64_t chosen = masked ? random.bits() & rows_of : rows_of;
              own.weights[s] = {&p[at], chosen};
              half.weights[s] = {&scaled[at], chosen};
              one_of_any.weights[s] = own.weights[s];
            }
            shared[i] = own;
            shared[i].o = &all[i * width];
            own.o = &alone[i * width];
            half.o = &halves[i * width];
            one_of_any.o = &any[i * width];
            accumulate_streams({&own, 1}, rows.of_floats, static_cast<std::ptrdiff_t>(width), width);
            accumulate_streams(half, rows.of_halves, static_cast<std::ptrdiff_t>(width), width);
            accumulate_streams(one_of_any, rows.of_any, static_cast<std::ptrdiff_t>(width), width);
            Oracle oracle;
            for (std::size_t c = 0; c < width; ++c) {
              double sum = static_cast<double>(start[i * width + c]), terms = std::abs(sum);
              float plain = start[i * width + c];
              for (std::size_t s = 0; s < kStreams; ++s)
                for (std::size_t j = 0; j < counts[s]; ++j) {
                  if ((own.weights[s].chosen >> j & 1) == 0) continue;
                  const double term =
                      static_cast<double>(own.weights[s].p[j]) * static_cast<double>(rows.floats[s][j * width + c]);
                  sum += term;
                  terms += std::abs(term);
                  plain += own.weights[s].p[j] * rows.floats[s][j * width + c];
                }
              oracle.truth.push_back(sum);
              oracle.plain.push_back(plain);
              oracle.scale.push_back(terms);
            }
            oracle.line = width;
            ASSERT_TRUE(within_tolerance(std::span(alone).subspan(i * width, width), oracle)) << width << ", sum " << i;
          }
          accumulate_streams(shared, rows.of_floats, static_cast<std::ptrdiff_t>(width), width);
          ASSERT_TRUE(same_bits(all, alone)) << sums << " sums of " << width;
          ASSERT_TRUE(same_bits(halves, alone)) << sums << " sums of " << width;
          ASSERT_TRUE(same_bits(any, alone)) << sums << " sums of " << width;
        }
}

}  // namespace fovea::test
