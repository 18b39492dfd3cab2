/// Convolution and pooling against their definitions in double.

#include "ops/conv1d_depthwise.hpp"
#include "ops/pooling.hpp"
#include "support/convolution.hpp"

namespace fovea::test {

TEST(Conv1d, EverySettingAgreesWithTheDefinitionInBothLayouts) {
  Random random(1);
  std::size_t in_place = 0, depthwise = 0;
  for (int round = 0; round < 400; ++round) {
    Conv1dArgs args;
    args.batch = random.size(1, 2);
    args.groups = random.pick<std::size_t>({1, 1, 1, 2, 3});
    const std::size_t in = random.pick<std::size_t>({1, 2, 3, 5, 17});
    args.in_channels = args.groups * in;
    args.out_channels = args.groups * random.pick<std::size_t>({1, 2, 7, 33});
    args.tokens = random.pick<std::size_t>({0, 1, 3, 5, 63, 65, 133, 300});
    args.kernel = random.size(1, 5);
    args.stride = random.pick<std::size_t>({1, 1, 2, 3});
    args.dilation = random.pick<std::size_t>({1, 1, 2, 4});
    args.padding = random.size(0, 9);
    args.channels_last = round % 2 == 0;
    Convolution one(args, random.size(0, 9), random.chance(0.5), static_cast<std::uint64_t>(round));
    ASSERT_EQ(one.run(), Status::Ok);
    ASSERT_TRUE(one.agrees()) << round << ": tokens " << args.tokens << ", kernel " << args.kernel << ", stride " << args.stride
                              << ", dilation " << args.dilation << ", padding " << args.padding << ", groups " << args.groups;
    in_place += args.channels_last && args.groups == 1 && args.dilation == 1 && args.tokens == 300;
    depthwise += is_depthwise(one.args);
  }
  EXPECT_GT(in_place, 5u) << "blocks that are read where they lie";
  EXPECT_GT(depthwise, 20u) << "each channel by itself";
}

TEST(Conv1d, ThreadsChangeNoBit) {
  ThreadPool pool;
  pool.start(2);
  for (const bool channels_last : {false, true}) {
    for (const std::size_t groups : {1u, 2u, 32u}) {
      Conv1dArgs args;
      args.batch = 2;
      args.in_channels = args.out_channels = 32;
      args.groups = groups;
      args.tokens = 3000;
      args.kernel = 3;
      args.padding = 2;
      args.channels_last = channels_last;
      Convolution one(args, 0, true, 7), many = one;
      ASSERT_EQ(one.run(), Status::Ok);
      ASSERT_EQ(many.run(&pool), Status::Ok);
      EXPECT_TRUE(same_bits(many.y, one.y)) << groups;
    }
  }
}

TEST(Conv1d, NanReachesTheWindowsThatHoldItAlone) {
  for (const bool channels_last : {false, true}) {
    for (const std::size_t groups : {1u, 4u}) {
      Conv1dArgs args;
      args.batch = 1;
      args.in_channels = args.out_channels = 4;
      args.groups = groups;
      args.tokens = 200;
      args.kernel = 3;
      args.padding = 2;
      args.channels_last = channels_last;
      Convolution one(args, 0, false, 8);
      for (std::size_t c = 0; c < 4; ++c) one.x[channels_last ? 100 * 4 + c : c * 200 + 100] = kNan;
      ASSERT_EQ(one.run(), Status::Ok);
      for (std::size_t t = 0; t < 200; ++t)
        for (std::size_t o = 0; o < 4; ++o) {
          EXPECT_EQ(std::isnan(one.y[channels_last ? t * 4 + o : o * 200 + t]), t >= 100 && t <= 102) << t;
        }
    }
  }
}

TEST(Conv1d, WhatDoesNotFitIsRefused) {
  Conv1dArgs args;
  args.batch = 1;
  args.in_channels = args.out_channels = 6;
  args.tokens = 10;
  args.kernel = 3;
  EXPECT_EQ(Convolution(args, 0, true, 9).run(nullptr, 1), Status::Memory);
  args.groups = 4;
  Convolution uneven(args, 0, true, 9);
  EXPECT_EQ(uneven.run(), Status::Shape);
  EXPECT_TRUE(all_poison(uneven.y));
  args.groups = 1;
  for (std::size_t Conv1dArgs::*const number : {&Conv1dArgs::groups, &Conv1dArgs::kernel, &Conv1dArgs::stride}) {
    Conv1dArgs zero = args;
    zero.*number = 0;
    EXPECT_EQ(conv1d(zero, {nullptr, 0}), Status::Shape);
  }
}

TEST(Pooling, EveryWindowAgreesWithTheDefinition) {
  ThreadPool pool;
  pool.start(2);
  Random random(2);
  for (int round = 0; round < 400; ++round) {
    PoolingArgs args;
    args.kind = random.pick<Pooling>({Pooling::Max, Pooling::Mean, Pooling::Sum});
    args.outer = random.size(0, 3);
    args.n = random.pick<std::size_t>({1, 3, 5, 63, 65, 1000});
    args.inner = random.pick<std::size_t>({1, 1, 2, 5, 64, 80});
    args.kernel = random.chance(0.3) ? args.n : random.size(1, std::min<std::size_t>(args.n, 20));
    args.stride = random.size(1, 4);
    args.padding = random.size(0, args.kernel - 1);
    args.count_padding = random.chance(0.5);
    args.n_out = (args.n + args.padding + random.size(0, args.kernel - 1) - args.kernel) / args.stride + 1;
    std::vector<float> x(args.outer * args.n * args.inner), y(args.outer * args.n_out * args.inner + 4, kPoison), threaded = y;
    const double bad = random.chance(0.2) ? 0.05 : 0;
    for (float& number : x) number = random.chance(bad) ? kNan : random.normal();
    args.x = x.data();
    args.y = y.data();
    pool_windows(args);
    args.y = threaded.data();
    pool_windows(args, &pool);
    EXPECT_TRUE(same_bits(threaded, y));
    Oracle oracle;
    for (std::size_t o = 0; o < args.outer; ++o)
      for (std::size_t at = 0; at < args.n_out; ++at)
        for (std::size_t i = 0; i < args.inner; ++i) {
          oracle.truth.push_back(pool_ref<double>(args, o, at, i));
          oracle.plain.push_back(pool_ref<float>(args, o, at, i));
          oracle.scale.push_back(args.kind == Pooling::Max ? 0 : pool_ref<double>(args, o, at, i, /*absolute=*/true));
        }
    ASSERT_TRUE(within_tolerance(std::span(y).first(y.size() - 4), oracle)) << round;
    ASSERT_TRUE(all_poison(std::span(y).last(4)));
  }
}

TEST(Pooling, OfInfinitiesTheMaximumIsThem) {
  const std::vector<float> x = {-kInfinity, -kInfinity, kInfinity, 1};
  std::vector<float> y(2);
  pool_windows({Pooling::Max, 1, 4, 2, 1, 2, 2, 0, false, x.data(), y.data()});
  EXPECT_EQ(y, (std::vector<float>{-kInfinity, kInfinity}));
}

}  // namespace fovea::test
