/// All options at once, drawn at random, each call against the definition.

#include "support/problem.hpp"

namespace fovea::test {
namespace {

Problem draw(std::uint64_t seed) {
  Random random(seed * 7919);
  Sizes sizes;
  sizes.batch = random.size(1, 2);
  sizes.kv_heads = random.size(1, 2);
  sizes.heads = sizes.kv_heads * random.size(1, 3);
  const std::vector<std::size_t> lengths = {1, 2, 3, 4, 5, 8, 31, 63, 64, 65, 130};
  sizes.queries = random.pick(lengths);
  sizes.keys = random.pick(lengths);
  const std::vector<std::size_t> widths = {1, 2, 3, 4, 5, 7, 8, 9, 12, 16, 17, 33};
  sizes.width = random.pick(widths);
  sizes.value_width = random.pick(widths);
  Arrangement around;
  around.layout = random.chance(0.5) ? Layout::Bhtd : Layout::Bthd;
  around.padding = {random.size(0, 3), random.size(0, 5), random.size(0, 9), random.chance(0.5) ? 40u : 0u};

  Problem problem(sizes, random.bits(), around);
  const std::vector<float> scales = {0.0f, -0.5f, 0.125f, 1.0f, 4.0f};
  if (random.chance(0.4)) problem.scale = random.pick(scales);
  if (random.chance(0.3)) problem.softcap = random.uniform(0.5f, 30.0f);
  problem.causal = random.chance(0.4);
  const auto extent = [&](std::size_t n) {
    return static_cast<std::int32_t>(random.integer(0, static_cast<std::int64_t>(n) + 2));
  };
  if (random.chance(0.3)) problem.window_left = extent(sizes.keys);
  if (random.chance(0.3)) problem.window_right = extent(sizes.keys);
  for (std::size_t b = 0; b < sizes.batch; ++b) {
    problem.offsets.push_back(extent(sizes.keys) - extent(sizes.queries));
    problem.key_lengths.push_back(static_cast<std::int32_t>(random.size(0, sizes.keys)));
  }
  if (random.chance(0.6)) problem.offsets.clear();
  if (random.chance(0.6)) problem.key_lengths.clear();
  const auto axis = [&](std::size_t n) { return random.chance(0.6) ? n : std::size_t{1}; };
  if (random.chance(0.4)) {
    problem.bool_mask = PairsMask<std::uint8_t>(axis(sizes.batch), axis(sizes.heads), axis(sizes.queries), axis(sizes.keys), 1,
                                                random.chance(0.3), around.padding);
    const float kept = random.uniform(0, 1);
    problem.bool_mask.fill(
        [&] { return static_cast<std::uint8_t>(random.chance(static_cast<double>(kept)) ? random.integer(1, 255) : 0); });
  }
  if (random.chance(0.4)) {
    problem.float_mask = PairsMask<float>(axis(sizes.batch), axis(sizes.heads), axis(sizes.queries), axis(sizes.keys), kNan,
                                          random.chance(0.3), around.padding);
    const std::vector<float> extremes = {-kInfinity, -kInfinity, -1e9f, std::numeric_limits<float>::lowest(), -50.0f, 60.0f};
    problem.float_mask.fill([&] { return random.chance(0.3) ? random.pick(extremes) : random.normal(); });
    if (random.chance(0.1)) {
      problem.float_mask.at(0, 0, random.size(0, sizes.queries - 1), random.size(0, sizes.keys - 1)) = kNan;
    }
  }
  for (std::size_t h = 0; h < sizes.heads; ++h) {
    problem.slopes.push_back(random.uniform(0, 1));
    problem.sinks.push_back(10 * random.normal());
  }
  if (random.chance(0.7)) problem.slopes.clear();
  if (random.chance(0.7)) problem.sinks.clear();
  return problem;
}

}  // namespace

TEST(AttentionComposed, EveryRandomCombinationOfOptionsAgreesWithTheDefinition) {
  for (std::uint64_t seed = 1; seed <= 800; ++seed) ASSERT_TRUE(agrees(draw(seed))) << "seed " << seed;
}

TEST(AttentionComposed, TheLogitsOfARandomCombinationAgreeWithTheDefinition) {
  for (std::uint64_t seed = 5001; seed <= 5100; ++seed) {
    const Problem problem = draw(seed);
    const LogitsOutcome outcome = run_logits(problem.args(), LogitStage::Biased);
    ASSERT_EQ(outcome.status, Status::Ok);
    ASSERT_TRUE(within_tolerance(outcome.logits, problem.oracle().biased)) << "seed " << seed << ", " << problem.describe();
  }
}

}  // namespace fovea::test
