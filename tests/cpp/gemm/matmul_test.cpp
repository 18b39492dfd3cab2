#include "support/product.hpp"

namespace fovea::test {

TEST(Matmul, EveryRaggedSizeAgreesWithTheDefinition) {
  const std::vector<std::size_t> sizes = {0, 1, 3, 4, 5, 8, 9, 63, 64, 65};
  std::uint64_t seed = 1;
  for (const std::size_t m : sizes)
    for (const std::size_t k : sizes)
      for (const std::size_t n : sizes) {
        ++seed;
        Product product(m, k, n, seed % 2 == 0, seed % 3 == 0 ? 0 : seed % 7, seed % 5 < 2, seed);
        ASSERT_TRUE(product.agrees()) << "M " << m << ", K " << k << ", N " << n << ", seed " << seed;
      }
}

TEST(Matmul, SizesAroundTheBlocksAgreeWithTheDefinition) {
  std::uint64_t seed = 5000;
  // Blocks have 132 rows and 64 columns, chunks of a sum 384 products.
  for (const std::size_t m : {1u, 131u, 132u, 133u})
    for (const std::size_t k : {384u, 385u, 770u})
      for (const std::size_t n : {1u, 64u, 130u}) {
        ++seed;
        Product product(m, k, n, seed % 2 == 0, seed % 4, seed % 3 == 0, seed);
        ASSERT_TRUE(product.agrees()) << "M " << m << ", K " << k << ", N " << n << ", seed " << seed;
      }
}

TEST(Matmul, ATransposedViewGivesTheBitsOfThePlainOne) {
  for (const std::size_t n : {1u, 5u, 8u, 70u}) {
    for (const std::size_t k : {1u, 7u, 64u, 300u}) {
      Product plain(9, k, n, false, 0, true, n + k), transposed(9, k, n, true, 3, true, n + k);
      ASSERT_EQ(plain.run(), Status::Ok);
      ASSERT_EQ(transposed.run(), Status::Ok);
      EXPECT_TRUE(same_bits(transposed.c.elements(), plain.c.elements()));
    }
  }
}

TEST(Matmul, LongSumsOfOneSignStayWithinTheRule) {
  for (const std::size_t k : {1000u, 10007u, 50000u}) {
    Product product(5, k, 9, k % 2 == 0, 0, false, k);
    Random random(k);
    product.a.fill([&] { return random.uniform(0, 1); });
    product.b.fill([&] { return random.uniform(0, 1); });
    ASSERT_TRUE(product.agrees()) << k;
  }
}

TEST(Matmul, WithoutDepthTheResultIsTheBiasOrZero) {
  Product with_bias(5, 0, 9, false, 3, true, 1), without(5, 0, 9, false, 3, false, 1);
  ASSERT_EQ(with_bias.run(), Status::Ok);
  ASSERT_EQ(without.run(), Status::Ok);
  for (std::size_t i = 0; i < 5; ++i)
    for (std::size_t j = 0; j < 9; ++j) EXPECT_EQ(with_bias.c.at(i, j), with_bias.bias[j]);
  EXPECT_TRUE(all_zero(without.c.elements()));
  EXPECT_TRUE(with_bias.c.filler_intact());
}

TEST(Matmul, NonfiniteRowsAndColumnsReachTheirOwnResultsOnly) {
  for (const float loud : {kNan, kInfinity, -kInfinity}) {
    for (const bool transposed : {false, true}) {
      for (const std::size_t at : {0u, 3u, 4u, 8u}) {
        Product clean(9, 70, 11, transposed, 1, false, 7), in_a = clean, in_b = clean;
        in_a.a.at(at, 66) = loud;
        in_b.b.at(66, at) = loud;
        ASSERT_EQ(clean.run(), Status::Ok);
        ASSERT_EQ(in_a.run(), Status::Ok);
        ASSERT_EQ(in_b.run(), Status::Ok);
        for (std::size_t i = 0; i < 9; ++i)
          for (std::size_t j = 0; j < 11; ++j) {
            ASSERT_EQ(std::isfinite(in_a.c.at(i, j)), i != at);
            ASSERT_EQ(std::isfinite(in_b.c.at(i, j)), j != at);
            if (i != at) {
              ASSERT_TRUE(same_bits(in_a.c.at(i, j), clean.c.at(i, j)));
            }
            if (j != at) {
              ASSERT_TRUE(same_bits(in_b.c.at(i, j), clean.c.at(i, j)));
            }
          }
      }
    }
  }
}

TEST(Matmul, AnElementDependsOnItsRowAndColumnAlone) {
  // One row and column at another position of another product: its panel, its strip and its neighbors all change.
  Product large(131, 300, 75, false, 0, true, 11);
  ASSERT_EQ(large.run(), Status::Ok);
  for (const std::size_t i : {0u, 2u, 127u, 128u, 130u}) {
    for (const std::size_t j : {0u, 7u, 63u, 64u, 74u}) {
      Product one(1, 300, 1, false, 0, true, 1);
      for (std::size_t k = 0; k < 300; ++k) {
        one.a.at(0, k) = large.a.at(i, k);
        one.b.at(k, 0) = large.b.at(k, j);
      }
      one.bias[0] = large.bias[j];
      ASSERT_EQ(one.run(), Status::Ok);
      EXPECT_TRUE(same_bits(one.c.at(0, 0), large.c.at(i, j))) << i << ", " << j;
    }
  }
}

/// The first `rows` rows of another product.
Product first_rows(Product& of, std::size_t rows, std::size_t k, std::size_t n, bool transposed) {
  Product part(rows, k, n, transposed, 0, true, 1);
  part.b = of.b;
  part.bias = of.bias;
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t d = 0; d < k; ++d) part.a.at(r, d) = of.a.at(r, d);
  return part;
}

TEST(Matmul, ARowHasTheSameBitsForEveryNumberOfRowsThreadsAndLayouts) {
  ThreadPool pool;
  ASSERT_EQ(pool.start(3), kHasThreads ? 3u : 1u);
  for (const std::size_t k : {5u, 401u}) {
    for (const std::size_t n : {1u, 3u, 11u, 24u, 539u}) {
      Product whole(200, k, n, false, 0, true, k + n), other = whole;
      other.b = Matrix(k, n, kHuge, true);
      for (std::size_t d = 0; d < k; ++d)
        for (std::size_t j = 0; j < n; ++j) other.b.at(d, j) = whole.b.at(d, j);
      ASSERT_EQ(whole.run(), Status::Ok);
      const std::vector<float> expected = whole.c.elements();
      for (const bool transposed : {false, true}) {
        for (const std::size_t rows : {1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u, 9u, 17u, 63u, 65u, 200u}) {
          Product part = first_rows(transposed ? other : whole, rows, k, n, transposed);
          for (ThreadPool* threads : {static_cast<ThreadPool*>(nullptr), &pool}) {
            ASSERT_EQ(part.run(0, kPoison, threads), Status::Ok);
            ASSERT_TRUE(part.c.filler_intact());
            const std::vector<float> got = part.c.elements();
            ASSERT_TRUE(same_bits(got, {expected.begin(), expected.begin() + static_cast<std::ptrdiff_t>(got.size())}))
                << rows << " rows, K " << k << ", N " << n << ", transposed " << transposed << ", shared "
                << (threads != nullptr);
          }
        }
      }
    }
  }
}

TEST(Matmul, PackedWeightsGiveTheirColumnsBack) {
  for (const std::size_t n : {0u, 1u, 7u, 8u, 9u, 37u}) {
    for (const std::size_t k : {0u, 1u, 5u, 12u}) {
      for (const bool transposed : {false, true}) {
        Product product(1, k, n, transposed, 2, false, n + k);
        const std::vector<float> panels = product.packed();
        Matrix whole(k, n, kHuge, !transposed, 1);
        unpack_weights(panels.data(), 8 * k, 0, nullptr, whole.view());
        EXPECT_TRUE(same_bits(whole.elements(), product.b.elements()));
        EXPECT_TRUE(whole.filler_intact());
        if (n < 2) continue;
        const std::vector<std::uint32_t> list = {static_cast<std::uint32_t>(n - 1), 0, static_cast<std::uint32_t>(n / 2)};
        Matrix some(k, 3, kHuge, true);
        unpack_weights(panels.data(), 8 * k, 0, list.data(), some.view());
        Matrix last(k, 2, kHuge, false);
        unpack_weights(panels.data(), 8 * k, n - 2, nullptr, last.view());
        for (std::size_t d = 0; d < k; ++d) {
          for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(some.at(d, i), product.b.at(d, list[i]));
          for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(last.at(d, i), product.b.at(d, n - 2 + i));
        }
      }
    }
  }
}

TEST(Matmul, WeightsPackedInPiecesAreThoseOfTheWhole) {
  Product product(1, 21, 45, true, 0, false, 3);
  const std::vector<float> whole = product.packed();
  const MatrixView<const float> b = product.b.input();
  std::vector<float> by_columns(whole.size(), kPoison), by_rows(whole.size(), kPoison);
  for (std::size_t j = 0; j < b.columns; j += 16) {
    pack_weights({b.at(0, j), b.rows, std::min<std::size_t>(16, b.columns - j), b.row_stride, b.column_stride},
                 by_columns.data() + j * b.rows, 8 * b.rows);
  }
  for (std::size_t k = 0; k < b.rows; k += 4) {
    pack_weights({b.at(k, 0), std::min<std::size_t>(4, b.rows - k), b.columns, b.row_stride, b.column_stride},
                 by_rows.data() + 8 * k, 8 * b.rows);
  }
  EXPECT_TRUE(same_bits(by_columns, whole));
  EXPECT_TRUE(same_bits(by_rows, whole));
}

TEST(Matmul, WhatTheWorkspaceHeldBeforeReachesNothing) {
  Product first(9, 70, 11, false, 2, true, 12), second = first;
  ASSERT_EQ(first.run(0, kNan), Status::Ok);
  ASSERT_EQ(second.run(0, kHuge), Status::Ok);
  EXPECT_TRUE(same_bits(first.c.elements(), second.c.elements()));
}

TEST(Matmul, ExtentsThatDoNotMeetAreAShapeError) {
  const Product base(4, 5, 6, false, 0, false, 1);
  for (int which = 0; which < 4; ++which) {
    Product product = base;
    if (which == 0) product.a = Matrix(4, 4, 0);
    if (which == 1) product.b = Matrix(6, 6, 0);
    if (which == 2) product.c = Matrix(3, 6, kPoison);
    if (which == 3) product.c = Matrix(4, 7, kPoison);
    EXPECT_EQ(product.run(), Status::Shape) << which;
    EXPECT_TRUE(all_poison(product.c.elements())) << which;
  }
}

TEST(Matmul, AnyNumberOfThreadsGivesTheSameBits) {
  for (const std::size_t rows : {0u, 1u, 8u, 128u, 132u, 133u, 700u}) {
    Product alone(rows, 300, rows < 9 ? 1070 : 170, rows % 3 == 0, 1, true, rows);
    Product shared = alone;
    ASSERT_EQ(alone.run(), Status::Ok);
    for (const std::size_t threads : {2u, 5u}) {
      ThreadPool pool;
      ASSERT_EQ(pool.start(threads), kHasThreads ? threads : 1u);
      ASSERT_EQ(shared.run(0, kPoison, &pool), Status::Ok);
      EXPECT_TRUE(same_bits(shared.c.elements(), alone.c.elements())) << rows << " rows, " << threads << " threads";
    }
  }
}

TEST(Matmul, StridesOutsideTheContractAreAShapeError) {
  std::vector<float> memory(1000, 1.0f), out(100, kPoison), workspace(floats_of(matmul_workspace_bytes()));
  const MatrixView<const float> a{memory.data(), 4, 5, 5, 1}, b{memory.data(), 5, 6, 6, 1};
  const MatrixView<float> c{out.data(), 4, 6, 6, 1};
  MatrixView<const float> a_apart = a, b_apart = b;
  MatrixView<float> c_apart = c;
  a_apart.column_stride = 2;
  b_apart.row_stride = 12;
  b_apart.column_stride = 2;
  c_apart.column_stride = 2;
  c_apart.row_stride = 12;
  const Workspace scratch(workspace.data(), workspace.size() * sizeof(float));
  EXPECT_EQ(matmul(a, b, nullptr, c, scratch), Status::Ok);
  std::fill(out.begin(), out.end(), kPoison);
  EXPECT_EQ(matmul(a_apart, b, nullptr, c, scratch), Status::Shape);
  EXPECT_EQ(matmul(a, b_apart, nullptr, c, scratch), Status::Shape);
  EXPECT_EQ(matmul(a, b, nullptr, c_apart, scratch), Status::Shape);
  EXPECT_TRUE(all_poison(out));
}

TEST(Matmul, EveryWorkspaceThatIsTooSmallIsAMemoryErrorAndNothingIsWritten) {
  const std::size_t needed = floats_of(matmul_workspace_bytes());
  for (std::size_t short_by = 1; short_by <= needed; short_by += short_by == 1 ? kLineFloats - 1 : kLineFloats * 64) {
    Product product(5, 6, 7, false, 0, true, 1);
    ASSERT_EQ(product.run(short_by), Status::Memory) << "short by " << short_by;
    ASSERT_TRUE(all_poison(product.c.elements()));
  }
  Product product(5, 6, 7, false, 0, true, 1);
  EXPECT_EQ(product.run(needed), Status::Memory);
}

}  // namespace fovea::test
