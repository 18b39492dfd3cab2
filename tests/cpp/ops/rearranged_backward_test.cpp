/// Gradients of what moves numbers: copies, listed rows, rows of tables, rotary positions, cumulative sums.

#include "gemm/packed_weights.hpp"
#include "ops/copy_strided_backward.hpp"
#include "ops/cumulative_sum.hpp"
#include "ops/cumulative_sum_backward.hpp"
#include "ops/listed_rows.hpp"
#include "ops/listed_rows_backward.hpp"
#include "ops/positions.hpp"
#include "ops/rotary_backward.hpp"
#include "support/gradient.hpp"
#include "support/scratch.hpp"

namespace fovea::test {
namespace {

/// ⟨dY, f(x)⟩ = ⟨dX, x⟩ for a linear f, whose gradient begins at 0: both sides in double.
testing::AssertionResult is_adjoint(const std::vector<float>& d_y, const std::vector<float>& y, const std::vector<float>& d_x,
                                    const std::vector<float>& x) {
  double left = 0, right = 0, size = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    left += static_cast<double>(d_y[i]) * static_cast<double>(y[i]);
    size += std::abs(static_cast<double>(d_y[i]) * static_cast<double>(y[i]));
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    right += static_cast<double>(d_x[i]) * static_cast<double>(x[i]);
    size += std::abs(static_cast<double>(d_x[i]) * static_cast<double>(x[i]));
  }
  if (std::abs(left - right) <= kToleranceFactor * static_cast<double>(kEpsilon) * size) return testing::AssertionSuccess();
  return testing::AssertionFailure() << left << " and " << right;
}

struct CopyCase {
  std::vector<std::int32_t> lengths, x_strides, y_strides;
};

const std::vector<CopyCase> kCopies = {
    {{}, {}, {}},
    {{7}, {1}, {1}},
    {{65}, {2}, {3}},
    {{3, 5}, {1, 3}, {5, 1}},  // a transpose
    {{2, 3, 65}, {195, 1, 3}, {195, 65, 1}},
    {{63, 5}, {1, 1}, {5, 1}},           // windows, which overlap
    {{7, 3, 4}, {0, 4, 1}, {12, 4, 1}},  // repeated
    {{0, 3}, {3, 1}, {3, 1}},
};

std::size_t end_of(const CopyCase& of, const std::vector<std::int32_t>& strides) {
  std::int32_t end = 1;
  for (std::size_t axis = 0; axis < strides.size(); ++axis) end += strides[axis] * (of.lengths[axis] - 1);
  return static_cast<std::size_t>(std::max(end, 1));
}

RotaryBackwardArgs rotary_case(bool interleaved, std::size_t rotary) {
  RotaryBackwardArgs args;
  args.forward.interleaved = interleaved;
  args.forward.batch = 2;
  args.forward.heads = 3;
  args.forward.tokens = 5;
  args.forward.width = 11;
  args.forward.rotary = rotary;
  args.forward.x = {nullptr, 200, 12, 38};
  args.forward.out = {nullptr, 165, 55, 11};
  args.forward.start = 7;
  return args;
}

}  // namespace

TEST(CopyStridedBackward, EveryElementReceivesTheSumOfItsCopies) {
  std::uint64_t seed = 1;
  for (const CopyCase& of : kCopies) {
    Random random(++seed);
    const SharedAxes<2> axes = {of.lengths.size(), of.lengths.data(), {of.x_strides.data(), of.y_strides.data()}};
    const std::vector<float> d_y = drawn(random, end_of(of, of.y_strides)),
                             before = drawn(random, end_of(of, of.x_strides) + 3);
    std::vector<float> d_x = before;
    copy_strided_backward(axes, d_y.data(), d_x.data());
    std::vector<double> truth(before.begin(), before.end()), scale;
    for (const float own : before) scale.push_back(std::abs(static_cast<double>(own)));
    if (axes.size() == 0) {
      EXPECT_TRUE(same_bits(d_x, before));
      continue;
    }
    walk_rows(axes, 0, axes.size(), [&](const auto& offsets, std::size_t, std::size_t count) {
      for (std::size_t i = 0; i < count; ++i) {
        const auto step = static_cast<std::ptrdiff_t>(i);
        const auto to = static_cast<std::size_t>(offsets[0] + step * axes.last_stride(0));
        const auto term = static_cast<double>(d_y[static_cast<std::size_t>(offsets[1] + step * axes.last_stride(1))]);
        truth[to] += term;
        scale[to] += std::abs(term);
      }
    });
    for (std::size_t i = 0; i < d_x.size(); ++i)
      ASSERT_NEAR(static_cast<double>(d_x[i]), truth[i], static_cast<double>(kEpsilon) * scale[i]) << seed;
  }
}

TEST(ListedRowsBackward, RowsThatAreTakenTwiceReceiveBothGradients) {
  const std::int32_t indices[] = {2, 0, 2, 4};
  for (const std::size_t inner : {1u, 5u, 65u}) {
    Random random(inner);
    const std::vector<float> d_y = drawn(random, 2 * 4 * inner), before = drawn(random, 2 * 5 * inner);
    std::vector<float> d_x = before;
    ASSERT_EQ(take_rows_backward({2, 5, inner, indices, 4, d_y.data(), d_x.data()}), Status::Ok);
    for (std::size_t o = 0; o < 2; ++o)
      for (std::size_t i = 0; i < inner; ++i) {
        const auto at = [&](std::size_t row) { return (o * 5 + row) * inner + i; };
        const auto d = [&](std::size_t row) { return d_y[(o * 4 + row) * inner + i]; };
        EXPECT_EQ(d_x[at(0)], before[at(0)] + d(1));
        EXPECT_EQ(d_x[at(2)], (before[at(2)] + d(0)) + d(2));
        EXPECT_EQ(d_x[at(4)], before[at(4)] + d(3));
        for (const std::size_t row : {1u, 3u}) EXPECT_EQ(d_x[at(row)], before[at(row)]);
      }
  }
}

TEST(ListedRowsBackward, RowsThatWereAddedUpReceiveTheGradientOfTheirSum) {
  const std::int32_t indices[] = {2, 0, 2, 4};
  Random random(1);
  const std::vector<float> d_y = drawn(random, 2 * 5 * 7), before = drawn(random, 2 * 4 * 7);
  std::vector<float> d_x = before;
  ASSERT_EQ(add_rows_backward({2, 5, 7, indices, 4, d_y.data(), d_x.data()}), Status::Ok);
  for (std::size_t o = 0; o < 2; ++o)
    for (std::size_t row = 0; row < 4; ++row)
      for (std::size_t i = 0; i < 7; ++i) {
        const std::size_t at = (o * 4 + row) * 7 + i;
        EXPECT_EQ(d_x[at], before[at] + d_y[(o * 5 + static_cast<std::size_t>(indices[row])) * 7 + i]);
      }
}

TEST(ListedRowsBackward, AnIndexOutsideIsAnErrorAndNothingIsWritten) {
  for (const std::int32_t outside : {-1, 5}) {
    const std::int32_t indices[] = {2, outside};
    std::vector<float> d_y(35, 1.0f), d_x(35, kPoison);
    EXPECT_EQ(take_rows_backward({1, 5, 7, indices, 2, d_y.data(), d_x.data()}), Status::Value);
    EXPECT_EQ(add_rows_backward({1, 5, 7, indices, 2, d_y.data(), d_x.data()}), Status::Value);
    EXPECT_EQ(table_rows_backward(d_x.data(), 5, 7, indices, 0, 2, d_y.data()), Status::Value);
    EXPECT_TRUE(all_poison(d_x));
  }
}

TEST(TableRowsBackward, AreTheAdjointsOfTheRows) {
  Random random(2);
  const std::int32_t ids[] = {3, 3, 0, 3};
  const std::vector<float> table = drawn(random, 9 * 5), d_out = drawn(random, 4 * 5);
  for (const std::int32_t* const list : {static_cast<const std::int32_t*>(ids), static_cast<const std::int32_t*>(nullptr)}) {
    std::vector<float> out(20), d_table(45, 0.0f);
    ASSERT_EQ(table_rows(table.data(), 9, 5, list, 5, 4, out.data()), Status::Ok);
    ASSERT_EQ(table_rows_backward(d_table.data(), 9, 5, list, 5, 4, d_out.data()), Status::Ok);
    EXPECT_TRUE(is_adjoint(d_out, out, d_table, table));
  }
  std::vector<float> d_table(45, kPoison);
  for (const std::int32_t start : {-1, 6})
    EXPECT_EQ(table_rows_backward(d_table.data(), 9, 5, nullptr, start, 4, d_out.data()), Status::Value);
  EXPECT_TRUE(all_poison(d_table));
}

TEST(UnpackWeightsBackward, GradientsOfRowsGoToThePlainRows) {
  Random random(3);
  const std::size_t in = 5, all = 11;
  const std::vector<float> plain = drawn(random, all * in);
  std::vector<float> panels(16 * in);
  pack_weights({plain.data(), in, all, 1, static_cast<std::ptrdiff_t>(in)}, panels.data(), 8 * in);
  const std::uint32_t columns[] = {10, 2, 10};
  const std::vector<float> d_out = drawn(random, 3 * in);
  for (const std::uint32_t* const list :
       {static_cast<const std::uint32_t*>(columns), static_cast<const std::uint32_t*>(nullptr)})
    for (const bool by_row : {false, true}) {
      const std::ptrdiff_t row = by_row ? 3 : 1, column = by_row ? 1 : 5;
      std::vector<float> out(3 * in), d_b(all * in, 0.0f);
      unpack_weights(panels.data(), 8 * in, 4, list, {out.data(), in, 3, row, column});
      ASSERT_EQ(unpack_weights_backward({d_out.data(), in, 3, row, column}, 4, list, all, d_b.data()), Status::Ok);
      EXPECT_TRUE(is_adjoint(d_out, out, d_b, plain));
    }
  std::vector<float> d_b(all * in, kPoison);
  EXPECT_EQ(unpack_weights_backward({d_out.data(), in, 3, 1, 5}, 9, nullptr, all, d_b.data()), Status::Value);
  EXPECT_TRUE(all_poison(d_b));
}

TEST(RotaryBackward, IsTheAdjointOfTheRotationAndAdds) {
  ThreadPool pool;
  pool.start(2);
  for (const bool interleaved : {false, true})
    for (const std::size_t rotary_width : {10u, 4u, 0u})
      for (const bool has_tables : {false, true}) {
        RotaryBackwardArgs args = rotary_case(interleaved, rotary_width);
        Random random(rotary_width);
        std::vector<float> x(400, 0.0f), cos = drawn(random, 12 * 5), sin = drawn(random, 12 * 5);
        for (std::size_t b = 0; b < 2; ++b)
          for (std::size_t h = 0; h < 3; ++h)
            for (std::size_t t = 0; t < 5; ++t)
              for (std::size_t d = 0; d < 11; ++d) x[b * 200 + h * 12 + t * 38 + d] = random.normal();
        std::vector<float> out(330), d_out = drawn(random, 330), d_x(400, 0.0f), added(400, 1.0f);
        args.forward.x.data = x.data();
        args.forward.out.data = out.data();
        if (has_tables) {
          args.forward.cos = cos.data();
          args.forward.sin = sin.data();
          args.forward.table_rows = 12;
        }
        args.d_out = d_out.data();
        args.d_x = d_x.data();
        Scratch forward(rotary_workspace_bytes(args.forward), 0, kPoison),
            scratch(rotary_backward_workspace_bytes(args, 2), 0, kPoison);
        ASSERT_EQ(rotary(args.forward, forward.workspace()), Status::Ok);
        ASSERT_EQ(rotary_backward(args, scratch.workspace()), Status::Ok);
        EXPECT_TRUE(is_adjoint(d_out, out, d_x, x));
        args.d_x = added.data();
        ASSERT_EQ(rotary_backward(args, scratch.workspace(), &pool), Status::Ok);
        EXPECT_TRUE(scratch.guard_intact());
        for (std::size_t i = 0; i < 400; ++i) ASSERT_EQ(added[i], 1.0f + d_x[i]);
      }
}

TEST(RotaryBackward, InPlaceTheGradientIsTurnedBack) {
  RotaryBackwardArgs args = rotary_case(false, 10);
  Random random(4);
  args.forward.out = {nullptr, 200, 12, 38};
  std::vector<float> x = drawn(random, 400), d = drawn(random, 400), d_x(400, 0.0f);
  args.forward.x.data = x.data();
  args.forward.out.data = x.data();
  args.d_out = d.data();
  args.d_x = d_x.data();
  Scratch scratch(rotary_backward_workspace_bytes(args), 0, kPoison);
  ASSERT_EQ(rotary_backward(args, scratch.workspace()), Status::Ok);
  args.d_x = d.data();
  ASSERT_EQ(rotary_backward(args, scratch.workspace()), Status::Ok);
  for (std::size_t b = 0; b < 2; ++b)
    for (std::size_t h = 0; h < 3; ++h)
      for (std::size_t t = 0; t < 5; ++t)
        for (std::size_t i = 0; i < 11; ++i) {
          const std::size_t at = b * 200 + h * 12 + t * 38 + i;
          ASSERT_EQ(d[at], d_x[at]);
        }
  EXPECT_EQ(rotary_backward(args, {nullptr, 0}), Status::Memory);
}

TEST(CumulativeSumBackward, SumsFromTheLastEntryOn) {
  for (const auto& [outer, length, inner] : {std::array<std::size_t, 3>{1, 7, 1}, {2, 65, 3}, {3, 5, 70}}) {
    Random random(length);
    const std::size_t all = outer * length * inner;
    const std::vector<float> x = drawn(random, all), d_y = drawn(random, all);
    std::vector<float> y(all), d_x(all, 0.0f), place = d_y;
    cumulative_sum(x.data(), outer, length, inner, y.data());
    cumulative_sum_backward(d_y.data(), outer, length, inner, d_x.data());
    EXPECT_TRUE(is_adjoint(d_y, y, d_x, x));
    cumulative_sum_backward(place.data(), outer, length, inner, place.data());
    EXPECT_TRUE(same_bits(place, d_x));
    cumulative_sum_backward(d_y.data(), outer, length, inner, d_x.data());
    for (std::size_t i = 0; i < all; ++i) ASSERT_EQ(d_x[i], 2 * place[i]);
  }
}

}  // namespace fovea::test
