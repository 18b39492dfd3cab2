#include "gemm/int8_product.hpp"

#include "support/random.hpp"
#include "support/scratch.hpp"
#include "support/tolerance.hpp"

namespace fovea::test {
namespace {

/// [K, N], or stored as [N, K].
struct Weights {
  std::size_t k, n;
  bool transposed;
  std::vector<float> values;  // as they are stored
  std::vector<std::byte> packed;

  Weights(std::size_t depth, std::size_t columns, bool by_columns, std::uint64_t seed)
      : k(depth), n(columns), transposed(by_columns), values(depth * columns) {
    Random random(seed);
    for (float& value : values) value = random.normal();
  }

  float& at(std::size_t d, std::size_t j) { return values[transposed ? j * k + d : d * n + j]; }
  MatrixView<const float> view() const {
    if (transposed) return {values.data(), k, n, 1, static_cast<std::ptrdiff_t>(k)};
    return {values.data(), k, n, static_cast<std::ptrdiff_t>(n), 1};
  }

  Int8Weights quantized() {
    const std::size_t panels = (n + 7) / 8;
    packed.assign(panels * (int8_panel_bytes(k) + 64), std::byte{0xA5});
    packed.shrink_to_fit();
    quantize_weights(view(), 0, n, packed.data());
    return {packed.data(), k, n};
  }
};

constexpr Int8Inputs kBoth[] = {Int8Inputs::Fast, Int8Inputs::Precise};

/// How a call of so many rows rounds them: u of -levels … levels within `half` a step and more, and the least maximum of a row that
/// does not count as zeros.
struct Rounding {
  float levels, least;
  double half;
};

Rounding rounding_of(Int8Inputs inputs, std::size_t rows) {
  if (inputs == Int8Inputs::Precise) return {8191.0f, 0x1p-113f, 0.502};
  if (rows <= 4) return {16383.0f, 0x1p-112f, 0.503};
  return {63.0f, 0x1p-119f, 0.501};
}

/// The header's definition: rounded numbers in integers, and for each output the bound of the error.
struct Definition {
  std::vector<float> exact;
  std::vector<double> bound, truth;
};

Definition define(const std::vector<float>& x, std::size_t rows, Weights& weights, const float* bias, Int8Inputs inputs) {
  Definition definition;
  const std::size_t depth = weights.k;
  const Rounding rounding = rounding_of(inputs, rows);
  for (std::size_t i = 0; i < rows; ++i) {
    float top = 0;
    for (std::size_t d = 0; d < depth; ++d) top = std::max(top, std::abs(x[i * depth + d]));
    const bool tiny_row = top < rounding.least;
    const float scale = tiny_row ? 0.0f : top / rounding.levels, factor = tiny_row ? 0.0f : rounding.levels / top;
    for (std::size_t j = 0; j < weights.n; ++j) {
      float most = 0;
      for (std::size_t d = 0; d < depth; ++d) most = std::max(most, std::abs(weights.at(d, j)));
      const bool tiny = most < 0x1p-119f;
      const float w_scale = tiny ? 0.0f : most / 127.0f, w_factor = tiny ? 0.0f : 127.0f / most;
      std::int64_t sum = 0;
      double truth = 0, weight_size = 0, x_size = 0, exact_size = 0;
      for (std::size_t d = 0; d < depth; ++d) {
        const float value = x[i * depth + d], w = weights.at(d, j);
        const auto u = static_cast<std::int64_t>(std::nearbyint(value * factor));
        const auto q = static_cast<std::int64_t>(std::nearbyint(w * w_factor));
        sum += u * q;
        truth += static_cast<double>(value) * static_cast<double>(w);
        weight_size += std::abs(static_cast<double>(w_scale) * static_cast<double>(q));
        x_size += std::abs(static_cast<double>(value));
        exact_size += std::abs(static_cast<double>(w));
      }
      float out = static_cast<float>(sum) * std::min(scale, w_scale) * std::max(scale, w_scale);
      const double eps = 0x1p-23, size = std::abs(static_cast<double>(out));
      if (bias != nullptr) out += bias[j];
      definition.exact.push_back(out);
      definition.truth.push_back(truth + (bias != nullptr ? static_cast<double>(bias[j]) : 0.0));
      definition.bound.push_back(
          rounding.half * static_cast<double>(scale) * weight_size + 0.501 * static_cast<double>(w_scale) * x_size +
          4 * eps * size + 2 * eps * std::abs(static_cast<double>(out)) +
          (tiny_row ? static_cast<double>(rounding.least) * exact_size : 0.0) + (tiny ? 0x1p-119 * x_size : 0.0));
    }
  }
  return definition;
}

std::vector<float> product(const std::vector<float>& x, std::size_t rows, Weights& weights, const float* bias,
                           Int8Inputs inputs, ThreadPool* pool = nullptr) {
  const std::size_t gap = 3;
  std::vector<float> c(rows * (weights.n + gap), kPoison);
  std::vector<float> workspace(floats_of(int8_product_workspace_bytes(rows, weights.k, threads_of(pool))), kPoison);
  workspace.shrink_to_fit();
  const auto depth = static_cast<std::ptrdiff_t>(weights.k);
  const Status status = int8_product({x.data(), rows, weights.k, depth}, weights.quantized(), inputs, bias,
                                     {c.data(), rows, weights.n, static_cast<std::ptrdiff_t>(weights.n + gap)},
                                     {workspace.data(), workspace.size() * sizeof(float)}, pool);
  EXPECT_EQ(status, Status::Ok);
  std::vector<float> rows_of;
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < weights.n + gap; ++j) {
      const float value = c[i * (weights.n + gap) + j];
      if (j < weights.n)
        rows_of.push_back(value);
      else
        EXPECT_EQ(bits_of(value), bits_of(kPoison)) << "written outside of c";
    }
  }
  return rows_of;
}

std::vector<float> normals(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<float> values(count);
  for (float& value : values) value = random.normal();
  return values;
}

}  // namespace

TEST(Int8Product, HasTheBitsOfTheDefinitionAndStaysWithinItsBoundOnRaggedSizes) {
  std::uint64_t seed = 1;
  for (const std::size_t k : {1u, 3u, 4u, 5u, 63u, 64u, 65u, 391u, 2047u, 2048u, 2049u, 8192u}) {
    for (const std::size_t n : {1u, 7u, 8u, 9u, 33u, 61u, 70u}) {
      for (const std::size_t rows : {1u, 2u, 3u, 4u, 5u, 6u, 7u, 11u, 13u, 140u}) {
        if ((rows == 140 && k * n > 4000) || (k > 2000 && (rows > 5 || n > 17))) continue;
        ++seed;
        Weights weights(k, n, seed % 2 == 0, seed);
        const std::vector<float> x = normals(rows * k, seed + 1000), bias = normals(n, seed + 2000);
        const float* const added = seed % 3 == 0 ? nullptr : bias.data();
        for (const Int8Inputs inputs : kBoth) {
          const std::vector<float> got = product(x, rows, weights, added, inputs);
          const Definition definition = define(x, rows, weights, added, inputs);
          ASSERT_TRUE(same_bits(got, definition.exact)) << "K " << k << ", N " << n << ", rows " << rows;
          for (std::size_t i = 0; i < got.size(); ++i) {
            ASSERT_LE(std::abs(static_cast<double>(got[i]) - definition.truth[i]), definition.bound[i]);
          }
        }
      }
    }
  }
}

TEST(Int8Product, RowsAndColumnsOfAnySizeKeepTheBoundWhereTheProductOfTheirScalesLeavesTheRange) {
  const std::vector<float> sizes = {0x1p-118f, 1e-30f, 1e-22f, 1e-10f, 1.0f, 1e10f, 1e22f, 1e30f, 0x1p124f};
  for (const std::size_t rows : {1u, 2u, 4u, 5u, 9u, 18u}) {
    for (std::size_t first = 0; first < sizes.size(); ++first) {
      const std::size_t depth = 6, columns = 11;
      Weights weights(depth, columns, first % 2 == 0, first + 1);
      std::vector<float> x = normals(rows * depth, rows);
      // One number of each row and column is far larger than the others, and they do not meet: sums are small, or 0.
      for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t d = 0; d < depth; ++d) x[i * depth + d] = std::clamp(x[i * depth + d], -2.0f, 2.0f);
        x[i * depth] *= sizes[(first + i) % sizes.size()];
      }
      for (std::size_t j = 0; j < columns; ++j) {
        for (std::size_t d = 0; d < depth; ++d) {
          const float size = j % 2 == 0 && d + 1 < depth ? 1.0f : sizes[(first + j) % sizes.size()];
          weights.at(d, j) = std::clamp(weights.at(d, j), -2.0f, 2.0f) * size;
        }
      }
      const std::vector<float> bias = normals(columns, 3);
      for (const int call : {0, 1, 2, 3}) {
        const float* const added = call % 2 == 0 ? nullptr : bias.data();
        const Int8Inputs inputs = kBoth[call / 2];
        const std::vector<float> got = product(x, rows, weights, added, inputs);
        const Definition definition = define(x, rows, weights, added, inputs);
        ASSERT_TRUE(same_bits(got, definition.exact)) << "rows " << rows << ", first " << first;
        for (std::size_t i = 0; i < got.size(); ++i) {
          ASSERT_FALSE(std::isnan(got[i])) << "rows " << rows << ", first " << first << ", element " << i;
          const double least = std::abs(definition.truth[i]) - definition.bound[i];
          if (std::isinf(got[i])) {
            EXPECT_GE(std::abs(definition.truth[i]) + definition.bound[i], 0x1.fffffep127);
          } else {
            ASSERT_LE(least, std::abs(static_cast<double>(got[i])) + 0x1p-149);
            ASSERT_LE(std::abs(static_cast<double>(got[i]) - definition.truth[i]), definition.bound[i] + 0x1p-149);
          }
        }
      }
    }
  }
}

TEST(Int8Product, TheLargestSumsAreExact) {
  // With 15 bits, 31 bits hold 1,032 products: a sum in two halves 2,064. With 14 bits they hold 2,064, too.
  for (const std::size_t k : {1u, 2u, 3u, 5u, 2047u, 2048u, 2049u, 2064u, 2068u, 4096u, 8192u, 133144u}) {
    Weights weights(k, 4, true, 1);
    for (std::size_t d = 0; d < k; ++d) {
      weights.at(d, 0) = 127;
      weights.at(d, 1) = -127;
      weights.at(d, 2) = d % 2 == 0 ? 127.0f : -127.0f;
      weights.at(d, 3) = d == 0 ? 127.0f : 1.0f;  // an odd sum, which float32 may not hold
    }
    for (std::size_t call = 0; call < 14; ++call) {
      const std::size_t rows = call % 7 + 1;
      const Int8Inputs inputs = kBoth[call / 7];
      const float levels = rounding_of(inputs, rows).levels;
      std::vector<float> x(rows * k, levels);
      for (std::size_t d = 0; d < k; ++d) x[(rows - 1) * k + d] = -levels;
      const std::vector<float> got = product(x, rows, weights, nullptr, inputs);
      const double size = static_cast<double>(levels), depth = static_cast<double>(k);
      for (std::size_t i = 0; i < rows; ++i) {
        const double u = i + 1 == rows ? -size : size;
        EXPECT_EQ(got[i * 4], static_cast<float>(u * 127 * depth)) << k << ", " << rows;
        EXPECT_EQ(got[i * 4 + 1], -got[i * 4]);
        EXPECT_EQ(got[i * 4 + 2], static_cast<float>(k % 2 == 0 ? 0.0 : u * 127));
        EXPECT_EQ(got[i * 4 + 3], static_cast<float>(u * (126 + depth)));
      }
    }
  }
}

TEST(Int8Product, ARowHasTheSameBitsAmongRowsOfTheSameRoundingAPreciseOneAmongAnyAndOnAnyThreads) {
  ThreadPool pool;
  ASSERT_EQ(pool.start(3), kHasThreads ? 3u : 1u);
  for (const std::size_t n : {70u, 517u}) {
    Weights weights(411, n, true, n);
    const std::vector<float> x = normals(200 * 411, 5);
    const std::vector<float> few = product(x, 4, weights, nullptr, Int8Inputs::Fast),
                             many = product(x, 200, weights, nullptr, Int8Inputs::Fast),
                             precise = product(x, 200, weights, nullptr, Int8Inputs::Precise);
    for (const std::size_t rows : {1u, 2u, 3u, 4u, 5u, 8u, 12u, 13u, 65u, 200u}) {
      for (ThreadPool* threads : {static_cast<ThreadPool*>(nullptr), &pool}) {
        for (const Int8Inputs inputs : kBoth) {
          const std::vector<float>& whole = inputs == Int8Inputs::Precise ? precise : rows <= 4 ? few : many;
          const std::vector<float> got = product(x, rows, weights, nullptr, inputs, threads);
          ASSERT_TRUE(same_bits(got, {whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(got.size())})) << rows;
        }
      }
    }
    EXPECT_FALSE(same_bits(few, {many.begin(), many.begin() + static_cast<std::ptrdiff_t>(few.size())}));
  }
}

TEST(Int8Product, FewRowsAndPreciseOnesAreFarNearerToTheProductOfRoundedWeights) {
  Weights weights(512, 64, true, 8);
  std::vector<float> rounded(512 * 64);
  const std::vector<float> x = normals(5 * 512, 9);
  dequantize_weights(weights.quantized(), 0, nullptr, {rounded.data(), 512, 64, 64, 1});
  const auto furthest = [&](std::size_t rows, Int8Inputs inputs) {
    const std::vector<float> got = product(x, rows, weights, nullptr, inputs);
    double far = 0;
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < 64; ++j) {
        double truth = 0;
        for (std::size_t d = 0; d < 512; ++d)
          truth += static_cast<double>(x[i * 512 + d]) * static_cast<double>(rounded[d * 64 + j]);
        far = std::max(far, std::abs(static_cast<double>(got[i * 64 + j]) - truth));
      }
    }
    return far;
  };
  EXPECT_LT(100 * furthest(4, Int8Inputs::Fast), furthest(5, Int8Inputs::Fast));
  EXPECT_LT(60 * furthest(5, Int8Inputs::Precise), furthest(5, Int8Inputs::Fast));
}

TEST(Int8Product, RowsOfTheLeastSizesKeepTheBound) {
  Weights weights(7, 9, false, 11);
  for (const std::size_t rows : {1u, 3u, 4u, 5u, 9u}) {
    for (const float top : {0x1p-140f, 0x1.fffffep-120f, 0x1p-119f, 0x1.fffffep-114f, 0x1p-113f, 0x1.8p-113f, 0x1.fffffep-113f,
                            0x1p-112f, 0x1p-100f}) {
      std::vector<float> x = normals(rows * 7, 12);
      for (std::size_t i = 0; i < x.size(); ++i) x[i] = i % 7 == 3 ? -top : std::clamp(x[i], -1.0f, 1.0f) * top;
      for (const Int8Inputs inputs : kBoth) {
        const std::vector<float> got = product(x, rows, weights, nullptr, inputs);
        const Definition definition = define(x, rows, weights, nullptr, inputs);
        ASSERT_TRUE(same_bits(got, definition.exact)) << rows << ", " << top;
        for (std::size_t i = 0; i < got.size(); ++i) {
          EXPECT_EQ(got[i] == 0.0f, top < rounding_of(inputs, rows).least);
          EXPECT_LE(std::abs(static_cast<double>(got[i]) - definition.truth[i]), definition.bound[i] + 0x1p-149);
        }
      }
    }
  }
}

TEST(Int8Product, RowsAndColumnsOfZerosOrDenormalsGiveTheBias) {
  Weights weights(9, 11, false, 4);
  for (std::size_t d = 0; d < 9; ++d) {
    weights.at(d, 2) = 0;
    weights.at(d, 5) = 0x1p-130f;
  }
  for (const std::size_t rows : {3u, 4u, 7u}) {
    std::vector<float> x = normals(rows * 9, 6);
    for (std::size_t d = 0; d < 9; ++d) {
      x[9 + d] = 0;
      x[18 + d] = -0x1p-140f;
    }
    const std::vector<float> bias = normals(11, 7);
    for (const Int8Inputs inputs : kBoth) {
      const std::vector<float> got = product(x, rows, weights, bias.data(), inputs);
      for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < 11; ++j) {
          const bool is_zero = i == 1 || i == 2 || j == 2 || j == 5;
          EXPECT_EQ(got[i * 11 + j] == bias[j], is_zero) << i << ", " << j;
        }
      }
    }
  }
}

TEST(Int8Product, NonfiniteRowsAndColumnsAreNanAndNoOther) {
  for (const float loud : {kNan, kInfinity, -kInfinity}) {
    for (const std::size_t at : {0u, 6u, 8u}) {
      for (const std::size_t rows : {3u, 4u, 7u}) {
        Weights weights(9, 11, true, 4);
        weights.at(at, 3) = loud;
        std::vector<float> x = normals(rows * 9, 6);
        x[2 * 9 + at] = loud;
        for (const Int8Inputs inputs : kBoth) {
          const std::vector<float> got = product(x, rows, weights, nullptr, inputs);
          for (std::size_t i = 0; i < rows; ++i) {
            for (std::size_t j = 0; j < 11; ++j) EXPECT_EQ(std::isnan(got[i * 11 + j]), i == 2 || j == 3) << i << ", " << j;
          }
        }
      }
    }
  }
}

TEST(Int8Product, WeightsComeBackWithinHalfAStepAndPiecesAreThoseOfTheWhole) {
  Weights weights(13, 37, true, 9);
  const Int8Weights quantized = weights.quantized();
  std::vector<float> back(13 * 37, kPoison);
  dequantize_weights(quantized, 0, nullptr, {back.data(), 13, 37, 37, 1});
  for (std::size_t d = 0; d < 13; ++d) {
    for (std::size_t j = 0; j < 37; ++j) EXPECT_LE(std::abs(back[d * 37 + j] - weights.at(d, j)), 0.501f * quantized.scales[j]);
  }
  const std::vector<std::uint32_t> list = {36, 0, 17};
  std::vector<float> some(13 * 3, kPoison);
  dequantize_weights(quantized, 0, list.data(), {some.data(), 13, 3, 3, 1});
  for (std::size_t d = 0; d < 13; ++d) {
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(some[d * 3 + i], back[d * 37 + list[i]]);
  }
  std::vector<std::byte> pieces(weights.packed.size(), std::byte{0x5A});
  for (std::size_t j = 0; j < 37; j += 16) {
    const MatrixView<const float> b = weights.view();
    quantize_weights({b.at(0, j), 13, std::min<std::size_t>(16, 37 - j), b.row_stride, b.column_stride}, j, 37, pieces.data());
  }
  EXPECT_TRUE(pieces == weights.packed);
}

TEST(Int8Product, WrongSizesAndTooLittleMemoryAreErrors) {
  Weights weights(5, 6, false, 1);
  const Int8Weights quantized = weights.quantized();
  const std::vector<float> x = normals(20, 1);
  std::vector<float> c(24, kPoison), workspace(floats_of(int8_product_workspace_bytes(4, 5)));
  const MatrixView<const float> a = {x.data(), 4, 5, 5};
  const Workspace scratch(workspace.data(), workspace.size() * sizeof(float));
  EXPECT_EQ(int8_product(a, quantized, Int8Inputs::Fast, nullptr, {c.data(), 3, 6, 6}, scratch), Status::Shape);
  EXPECT_EQ(int8_product({x.data(), 4, 5, 5, 2}, quantized, Int8Inputs::Fast, nullptr, {c.data(), 4, 6, 6}, scratch),
            Status::Shape);
  EXPECT_EQ(
      int8_product({x.data(), 4, kMostInt8Depth + 1, 5}, quantized, Int8Inputs::Fast, nullptr, {c.data(), 4, 6, 6}, scratch),
      Status::Shape);
  EXPECT_EQ(
      int8_product(a, quantized, Int8Inputs::Fast, nullptr, {c.data(), 4, 6, 6}, {workspace.data(), scratch.bytes() + 64}),
      Status::Memory);
  EXPECT_TRUE(all_poison(c));
}

}  // namespace fovea::test
