/// Gradients of a product against the products that define them.

#include "gemm/matmul_backward.hpp"

#include "gemm/column_sums.hpp"
#include "support/product_gradients.hpp"

namespace fovea::test {
TEST(MatmulBackward, EveryRaggedSizeAgreesWithTheDefinition) {
  const std::vector<std::size_t> sizes = {0, 1, 3, 5, 7, 63, 65};
  std::uint64_t seed = 1;
  for (const std::size_t m : sizes)
    for (const std::size_t k : sizes)
      for (const std::size_t n : sizes) {
        ++seed;
        ProductGradients gradients(m, k, n, seed % 2 == 0, seed % 3 == 0 ? 0 : seed % 7, seed % 5 < 2, seed);
        ASSERT_TRUE(gradients.agrees()) << "M " << m << ", K " << k << ", N " << n << ", seed " << seed;
      }
}

TEST(MatmulBackward, SizesAroundTheBlocksAgreeWithTheDefinition) {
  std::uint64_t seed = 100;
  // Chunks of the sum over rows have 256, blocks of the scratch 528 rows, blocks of dB 264 rows and 64 columns. The right factor of dA is
  // packed at once beyond 132 rows.
  const std::size_t sizes[][3] = {{255, 131, 64}, {257, 133, 130}, {529, 65, 66}, {140, 265, 64}, {140, 64, 265}};
  for (const auto& [m, k, n] : sizes) {
    ++seed;
    ProductGradients gradients(m, k, n, seed % 2 == 0, seed % 4, seed % 3 == 0, seed);
    ASSERT_TRUE(gradients.agrees()) << "M " << m << ", K " << k << ", N " << n << ", seed " << seed;
  }
}

TEST(MatmulBackward, AnyNumberOfThreadsGivesTheSameBits) {
  for (const bool transposed : {false, true})
    for (const bool fresh : {false, true}) {
      ProductGradients alone(700, 150, 170, transposed, 1, fresh, 7), shared = alone;
      ThreadPool pool;
      ASSERT_EQ(pool.start(2), kHasThreads ? 2u : 1u);
      ASSERT_EQ(alone.run(), Status::Ok);
      ASSERT_EQ(shared.run(&pool), Status::Ok);
      EXPECT_TRUE(same_bits(alone.d_a.elements(), shared.d_a.elements()));
      EXPECT_TRUE(same_bits(alone.d_b.elements(), shared.d_b.elements()));
      EXPECT_TRUE(same_bits(alone.d_bias, shared.d_bias));
    }
}

TEST(MatmulBackward, DoublingTheGradientOfTheProductDoublesEveryOther) {
  ProductGradients once(65, 70, 33, true, 2, true, 9), twice = once;
  once.d_bias.assign(34, 0.0f);
  twice.d_bias.assign(34, 0.0f);
  twice.d_c.fill([i = std::size_t{0}, all = once.d_c.elements()]() mutable { return 2 * all[i++]; });
  ASSERT_EQ(once.run(), Status::Ok);
  ASSERT_EQ(twice.run(), Status::Ok);
  const auto doubled = [](std::vector<float> numbers) {
    for (float& number : numbers) number *= 2;
    return numbers;
  };
  EXPECT_TRUE(same_bits(twice.d_a.elements(), doubled(once.d_a.elements())));
  EXPECT_TRUE(same_bits(twice.d_b.elements(), doubled(once.d_b.elements())));
  EXPECT_TRUE(same_bits(twice.d_bias, doubled(once.d_bias)));
}

TEST(MatmulBackward, GradientsThatAreNotWantedAreNotComputed) {
  for (int wanted = 0; wanted < 3; ++wanted) {
    ProductGradients all(9, 12, 5, false, 1, true, 3), some = all;
    ASSERT_EQ(all.run(), Status::Ok);
    MatmulBackwardArgs args = some.args();
    if (wanted != 0) args.d_a.data = nullptr;
    if (wanted != 1) args.d_b.data = nullptr;
    if (wanted != 2) args.d_bias = nullptr;
    const std::vector<float> bias_before = some.d_bias;
    ASSERT_EQ(some.run(args), Status::Ok);
    EXPECT_TRUE(wanted == 0 ? same_bits(some.d_a.elements(), all.d_a.elements()) : all_poison(some.d_a.elements()));
    EXPECT_TRUE(wanted == 1 ? same_bits(some.d_b.elements(), all.d_b.elements()) : all_poison(some.d_b.elements()));
    EXPECT_TRUE(same_bits(some.d_bias, wanted == 2 ? all.d_bias : bias_before));
  }
}

TEST(MatmulBackward, TheGradientOfASquareIsTheSumOfBothFactors) {
  ProductGradients apart(17, 17, 17, false, 0, false, 4);
  apart.b.fill([i = std::size_t{0}, all = apart.a.elements()]() mutable { return all[i++]; });
  ProductGradients together = apart;
  apart.d_b.fill([] { return 0.0f; });
  MatmulBackwardArgs args = together.args();
  args.b = args.a;
  args.d_b = args.d_a;
  ASSERT_EQ(apart.run(), Status::Ok);
  ASSERT_EQ(together.run(args), Status::Ok);
  const std::vector<float> of_a = apart.d_a.elements(), of_b = apart.d_b.elements(), both = together.d_a.elements();
  for (std::size_t i = 0; i < both.size(); ++i) ASSERT_EQ(both[i], of_a[i] + of_b[i]);
}

TEST(MatmulBackward, ARowThatIsRepeatedReceivesTheSumOfItsGradients) {
  ProductGradients gradients(40, 6, 5, true, 0, false, 5);
  for (std::size_t i = 1; i < 40; ++i)
    for (std::size_t k = 0; k < 6; ++k) gradients.a.at(i, k) = gradients.a.at(0, k);
  std::vector<float> sum(7, kPoison);
  std::fill_n(sum.begin(), 6, 0.5f);
  MatmulBackwardArgs args = gradients.args();
  args.a.row_stride = 0;
  args.d_a = {sum.data(), 40, 6, 0};
  ASSERT_EQ(gradients.run(args), Status::Ok);
  EXPECT_TRUE(is_poison(sum[6]));
  const Oracle each = matmul_ref(gradients.d_c.input(), transpose_of(gradients.b.input()), nullptr);
  for (std::size_t k = 0; k < 6; ++k) {
    double truth = 0.5, scale = 0.5;
    for (std::size_t i = 0; i < 40; ++i) {
      truth += each.truth[i * 6 + k];
      scale += each.scale[i * 6 + k];
    }
    EXPECT_NEAR(static_cast<double>(sum[k]), truth, kToleranceFactor * static_cast<double>(kEpsilon) * scale);
  }
}

TEST(MatmulBackward, ShapesThatDoNotMeetAndAWorkspaceThatIsTooSmallAreErrors) {
  ProductGradients gradients(5, 6, 7, false, 0, false, 1);
  const std::vector<float> before = gradients.d_a.elements();
  MatmulBackwardArgs args = gradients.args();
  args.d_c.columns = 6;
  EXPECT_EQ(gradients.run(args), Status::Shape);
  args = gradients.args();
  args.d_a.row_stride += 1;
  EXPECT_EQ(gradients.run(args), Status::Shape);
  args = gradients.args();
  args.d_b.column_stride = 2;
  EXPECT_EQ(gradients.run(args), Status::Shape);
  EXPECT_EQ(gradients.run(nullptr, 1), Status::Memory);
  EXPECT_TRUE(same_bits(gradients.d_a.elements(), before));
}

}  // namespace fovea::test
