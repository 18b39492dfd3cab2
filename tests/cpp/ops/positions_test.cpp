#include "ops/positions.hpp"

#include "support/bits.hpp"
#include "support/ulp.hpp"

namespace fovea::test {
namespace {

/// The definition of Vaswani et al., column by column.
double sinusoid(SinusoidalForm form, double base, double p, std::size_t width, std::size_t column) {
  const bool is_tensor2tensor = form == SinusoidalForm::Tensor2Tensor;
  const std::size_t half = is_tensor2tensor ? width / 2 : (width + 1) / 2;
  if (is_tensor2tensor && column == 2 * half) return 0;
  const std::size_t i = form == SinusoidalForm::Interleaved ? column / 2 : column % half;
  const bool is_sine = form == SinusoidalForm::Interleaved ? column % 2 == 0 : column < half;
  const double exponent = is_tensor2tensor ? static_cast<double>(i) / std::max(1.0, static_cast<double>(half) - 1)
                                           : 2 * static_cast<double>(i) / static_cast<double>(width);
  const double angle = p / std::pow(base, exponent);
  return is_sine ? std::sin(angle) : std::cos(angle);
}

}  // namespace

TEST(Sinusoidal, EveryFormAndWidthAgreesWithTheDefinition) {
  for (const auto form : {SinusoidalForm::Interleaved, SinusoidalForm::SplitHalf, SinusoidalForm::Tensor2Tensor})
    for (const std::size_t width : {1u, 2u, 3u, 4u, 5u, 7u, 8u, 64u, 65u})
      for (const double base : {100.0, 10000.0, 12345.678})
        for (const std::int32_t start : {0, -3, 5000}) {
          std::vector<float> out(6 * width, kPoison);
          sinusoidal(form, base, start, 6, width, out.data());
          for (std::size_t t = 0; t < 6; ++t)
            for (std::size_t j = 0; j < width; ++j) {
              const double truth = sinusoid(form, base, start + static_cast<double>(t), width, j);
              // Half an ULP for the rounding, the rest for the order of dividing and multiplying in double.
              ASSERT_LE(std::abs(static_cast<double>(out[t * width + j]) - truth), 0x1p-24)
                  << "width " << width << ", " << t << ", " << j;
            }
        }
}

TEST(Sinusoidal, FarPositionsLoseNothing) {
  std::vector<float> out(8, kPoison);
  sinusoidal(SinusoidalForm::Interleaved, 10000, 500000000, 1, 8, out.data());
  EXPECT_LE(ulp_distance(out[0], std::sin(5e8)), 0.51);
  EXPECT_LE(ulp_distance(out[1], std::cos(5e8)), 0.51);
}

TEST(TableRows, CopiesTheRowsThatAreAskedFor) {
  std::vector<float> table(5 * 3), out(4 * 3, kPoison);
  for (std::size_t i = 0; i < table.size(); ++i) table[i] = static_cast<float>(i);
  const std::vector<std::int32_t> ids = {4, 0, 0, 2};
  ASSERT_EQ(table_rows(table.data(), 5, 3, ids.data(), 0, 4, out.data()), Status::Ok);
  EXPECT_TRUE(same_bits(out, std::vector<float>{12, 13, 14, 0, 1, 2, 0, 1, 2, 6, 7, 8}));
  ASSERT_EQ(table_rows(table.data(), 5, 3, nullptr, 1, 4, out.data()), Status::Ok);
  EXPECT_TRUE(same_bits(out, std::span<const float>(table).subspan(3)));
}

TEST(TableRows, AnIdOutsideOfTheTableIsAValueErrorAndNothingIsWritten) {
  const std::vector<float> table(6);
  std::vector<float> out(6, kPoison);
  for (const std::int32_t id : {-1, 3, 2147483647}) {
    const std::vector<std::int32_t> ids = {0, id};
    EXPECT_EQ(table_rows(table.data(), 3, 2, ids.data(), 0, 2, out.data()), Status::Value);
  }
  EXPECT_EQ(table_rows(table.data(), 3, 2, nullptr, -1, 2, out.data()), Status::Value);
  EXPECT_EQ(table_rows(table.data(), 3, 2, nullptr, 2, 2, out.data()), Status::Value);
  EXPECT_EQ(table_rows(table.data(), 3, 2, nullptr, 2147483647, 2, out.data()), Status::Value);
  EXPECT_TRUE(all_poison(out));
}

}  // namespace fovea::test
