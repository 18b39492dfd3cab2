#include "support/biases.hpp"

namespace fovea::test {

std::vector<BiasKind> bias_kinds() {
  std::vector<BiasKind> kinds;
  for (int kind = 0; kind <= static_cast<int>(BiasKind::All); ++kind) kinds.push_back(static_cast<BiasKind>(kind));
  return kinds;
}

const char* name_of(BiasKind kind) {
  constexpr const char* kNames[] = {
      "distance", "relative",       "relative per head", "buckets",  "buckets one way", "gaussian",        "gaussian per query",
      "pairs",    "pairs per head", "forward",           "backward", "relative keys",   "relative values", "rows per head",
      "all"};
  return kNames[static_cast<int>(kind)];
}

RelativeTable relative_table(Problem& problem, std::size_t clip, std::size_t width, bool per_head, std::uint64_t seed) {
  Random random(seed);
  const std::size_t each = (2 * clip + 1) * width;
  std::vector<float> numbers((per_head ? problem.sizes.heads : 1) * each);
  for (float& x : numbers) x = random.normal();
  numbers.push_back(kHuge);
  return {problem.hold(std::move(numbers)), per_head ? static_cast<std::ptrdiff_t>(each) : 0, clip};
}

BucketTable bucket_table(Problem& problem, std::size_t buckets, std::size_t max_distance, bool bidirectional,
                         std::uint64_t seed) {
  Random random(seed);
  std::vector<float> numbers(buckets * problem.sizes.heads);
  for (float& x : numbers) x = random.normal();
  return {problem.hold(std::move(numbers)),
          static_cast<std::ptrdiff_t>(problem.sizes.heads),
          1,
          buckets,
          max_distance,
          bidirectional};
}

void set_gaussian(Problem& problem, bool per_query, std::uint64_t seed) {
  Random random(seed);
  const Sizes& s = problem.sizes;
  const std::size_t count = per_query ? s.batch * s.heads * s.queries : 1;
  std::vector<float> centers(count), sigmas(count);
  for (float& x : centers) x = random.uniform(-3.0f, static_cast<float>(s.keys) + 3.0f);
  for (float& x : sigmas) x = random.uniform(0.5f, 20.0f);
  const auto of_head = static_cast<std::ptrdiff_t>(s.queries), of_batch = of_head * static_cast<std::ptrdiff_t>(s.heads);
  for (auto* numbers : {&problem.variant.gaussian_center, &problem.variant.gaussian_sigma}) {
    numbers->data = problem.hold(numbers == &problem.variant.gaussian_center ? std::move(centers) : std::move(sigmas));
    numbers->batch = per_query ? of_batch : 0;
    numbers->head = per_query ? of_head : 0;
    numbers->query = per_query ? 1 : 0;
  }
}

void set_pairs(Problem& problem, bool per_head, std::uint64_t seed) {
  Random random(seed);
  const Sizes& s = problem.sizes;
  const std::size_t row = s.keys + 3, heads = per_head ? s.batch * s.heads : 1;
  std::vector<float> numbers(heads * s.queries * row, kHuge);
  for (std::size_t r = 0; r < heads * s.queries; ++r)
    for (std::size_t j = 0; j < s.keys - problem.appended_keys; ++j) numbers[r * row + j] = random.normal();
  const auto of_head = static_cast<std::ptrdiff_t>(s.queries * row);
  const std::ptrdiff_t head = per_head ? of_head : 0;
  problem.variant.pair_bias = {problem.hold(std::move(numbers)), head * static_cast<std::ptrdiff_t>(s.heads), head,
                               static_cast<std::ptrdiff_t>(row), 1};
}

void set_bias(Problem& problem, BiasKind kind, std::uint64_t seed, std::size_t clip) {
  const Sizes& s = problem.sizes;
  AttentionVariant& variant = problem.variant;
  switch (kind) {
    case BiasKind::Distance:
      for (std::size_t h = 0; h < s.heads; ++h) problem.slopes.push_back(0.05f * static_cast<float>(h + 1));
      return;
    case BiasKind::Relative:
    case BiasKind::RelativePerHead:
      variant.relative_bias = relative_table(problem, clip, 1, kind == BiasKind::RelativePerHead, seed + 1);
      return;
    case BiasKind::Buckets: variant.buckets = bucket_table(problem, 32, 128, true, seed + 2); return;
    case BiasKind::BucketsOneWay: variant.buckets = bucket_table(problem, 9, 40, false, seed + 3); return;
    case BiasKind::Gaussian:
    case BiasKind::GaussianPerQuery: set_gaussian(problem, kind == BiasKind::GaussianPerQuery, seed + 4); return;
    case BiasKind::Pairs:
    case BiasKind::PairsPerHead: set_pairs(problem, kind == BiasKind::PairsPerHead, seed + 9); return;
    case BiasKind::Forward: problem.direction = Direction::Forward; return;
    case BiasKind::Backward: problem.direction = Direction::Backward; return;
    case BiasKind::RelativeKeys: variant.relative_keys = relative_table(problem, clip, s.width, false, seed + 5); return;
    case BiasKind::RelativeValues:
      variant.relative_values = relative_table(problem, clip, s.value_width, false, seed + 6);
      return;
    case BiasKind::RelativeRowsPerHead:
      variant.relative_keys = relative_table(problem, clip + 1, s.width, true, seed + 7);
      variant.relative_values = relative_table(problem, clip, s.value_width, true, seed + 8);
      return;
    case BiasKind::All:
      for (const BiasKind each : {BiasKind::Distance, BiasKind::RelativePerHead, BiasKind::Buckets, BiasKind::GaussianPerQuery,
                                  BiasKind::PairsPerHead, BiasKind::Forward, BiasKind::RelativeRowsPerHead}) {
        set_bias(problem, each, seed, clip);
      }
  }
}

void draw_biases(Problem& problem, std::uint64_t seed) {
  Random random(seed * 104729);
  const std::size_t clip = random.pick(std::vector<std::size_t>{0, 1, 2, 5, 31, 32, 70, 200});
  const auto maybe = [&](BiasKind one, BiasKind other) {
    if (random.chance(0.4)) set_bias(problem, random.chance(0.5) ? one : other, random.bits(), clip);
  };
  maybe(BiasKind::Relative, BiasKind::RelativePerHead);
  maybe(BiasKind::Buckets, BiasKind::BucketsOneWay);
  maybe(BiasKind::Gaussian, BiasKind::GaussianPerQuery);
  maybe(BiasKind::Forward, BiasKind::Backward);
  maybe(BiasKind::RelativeKeys, BiasKind::RelativeValues);
  maybe(BiasKind::RelativeRowsPerHead, BiasKind::RelativeValues);
  maybe(BiasKind::Pairs, BiasKind::PairsPerHead);
}

}  // namespace fovea::test
