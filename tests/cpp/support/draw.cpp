#include "support/draw.hpp"

namespace fovea::test {

Problem draw_problem(std::uint64_t seed, const DrawnSizes& from) {
  Random random(seed * 7919);
  return draw_problem(random, from);
}

Problem draw_problem(Random& random, const DrawnSizes& from) {
  Sizes sizes;
  sizes.batch = random.size(1, 2);
  sizes.kv_heads = random.size(1, 2);
  sizes.heads = sizes.kv_heads * random.size(1, 3);
  sizes.queries = random.pick(from.queries);
  sizes.keys = random.pick(from.keys);
  sizes.width = random.pick(from.widths);
  sizes.value_width = random.pick(from.widths);
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

void draw_key_masks(Problem& problem, Random& random) {
  const std::size_t own = problem.sizes.keys - problem.appended_keys, batch = random.chance(0.7) ? problem.sizes.batch : 1;
  if (own == 0) return;
  if (random.chance(0.7)) {
    problem.key_bool_mask = PairsMask<std::uint8_t>(batch, 1, 1, own, 1, false, problem.arrangement.padding);
    problem.key_bool_mask.fill([&] { return static_cast<std::uint8_t>(random.chance(0.7)); });
  }
  if (random.chance(0.7)) {
    problem.key_float_mask = PairsMask<float>(batch, 1, 1, own, kNan, false, problem.arrangement.padding);
    problem.key_float_mask.fill([&] { return random.chance(0.2) ? -kInfinity : random.normal(); });
  }
}

Problem draw_appended(std::uint64_t seed, const DrawnSizes& from) {
  Problem problem = draw_problem(seed, from);
  Random random(seed * 104729);
  problem.appended_keys =
      random.chance(0.7) ? std::min<std::size_t>(problem.sizes.keys, random.size(1, 3)) : random.size(1, problem.sizes.keys);
  const std::size_t own = problem.sizes.keys - problem.appended_keys;
  for (std::int32_t& length : problem.key_lengths) length = std::min(length, static_cast<std::int32_t>(own));
  // Drawn anew: the padding behind their last row shows what reads on.
  const auto shrink = [&](auto& mask, auto filler) {
    if (mask.empty()) return;
    auto whole = mask;
    mask = {};
    if (own == 0) return;
    mask = std::remove_reference_t<decltype(mask)>(whole.batch(), whole.heads(), whole.queries(), std::min(own, whole.keys()),
                                                   filler, random.chance(0.3), problem.arrangement.padding);
    for (std::size_t b = 0; b < mask.batch(); ++b)
      for (std::size_t h = 0; h < mask.heads(); ++h)
        for (std::size_t i = 0; i < mask.queries(); ++i)
          for (std::size_t j = 0; j < mask.keys(); ++j) mask.at(b, h, i, j) = whole.at(b, h, i, j);
  };
  shrink(problem.bool_mask, std::uint8_t{0});
  shrink(problem.float_mask, kNan);
  draw_key_masks(problem, random);
  return problem;
}

void draw_additive(Problem& problem, Random& random) {
  const std::size_t rows = random.chance(0.5) ? 1 : problem.sizes.heads;
  for (std::size_t n = 0; n < rows * problem.sizes.width; ++n) problem.score_weights.push_back(random.normal());
  problem.variant.score_activation.kind =
      random.pick<Activation>({Activation::Tanh, Activation::Relu, Activation::LeakyRelu, Activation::None});
  problem.variant.score_activation.parameter = 0.2f;
  problem.variant.relative_keys = {};
}

}  // namespace fovea::test
