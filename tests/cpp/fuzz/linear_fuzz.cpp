/// Linear attention: every feature map, update rule and option, from any state, against its definition in double.

#include "fuzz/target.hpp"
#include "support/linear.hpp"

namespace fovea::test {
namespace {

void check(std::span<const std::uint8_t> bytes) {
  Random random(bytes);
  const FeatureMap map = random.pick(feature_maps());
  const UpdateRule rule = map == FeatureMap::Softmax ? UpdateRule::Linear : random.pick(update_rules());
  Arrangement arrangement;
  if (random.chance(0.5)) arrangement = {random.chance(0.5) ? Layout::Bthd : Layout::Bhtd, kGaps.padding};
  const LinearCase kind = draw_case(map, rule, random);
  if (work_of(kind.sizes) > 10 * kMostWork) return;
  const std::uint64_t seed = random.bits();
  LinearProblem problem(kind, seed, arrangement);
  if (random.chance(0.4)) {
    for (std::size_t b = 0; b < kind.sizes.batch; ++b)
      problem.key_lengths.push_back(static_cast<std::int32_t>(random.size(0, kind.sizes.keys)));
  }
  if (random.chance(0.3)) problem.eps = 0.25f;
  if (random.chance(0.3)) problem.output_scale = -0.37f;
  if (random.chance(0.3)) problem.query_scale *= 1.7f;
  if (rule == UpdateRule::Linear && random.chance(0.3)) problem.key_scale *= 0.6f;
  if (random.chance(0.5)) return require(agrees(problem));
  const LinearState start = random.chance(0.5) ? draw_state(problem.args(), random) : empty_state(problem.args());
  require(agrees(problem, &start));
}

}  // namespace
}  // namespace fovea::test

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fovea::test::check({data, size});
  return 0;
}
