/// Attention with any of its options, against the definition in double.

#include "fuzz/target.hpp"
#include "support/biases.hpp"
#include "support/cache.hpp"
#include "support/draw.hpp"
#include "support/normalizers.hpp"
#include "support/weight_scale.hpp"

namespace fovea::test {
namespace {

const DrawnSizes kSizes = {.queries = {1, 2, 3, 5, 8, 9, 13, 31, 65},
                           .keys = {1, 2, 3, 5, 8, 13, 31, 64, 65, 130},
                           .widths = {1, 2, 3, 4, 5, 7, 8, 9, 16, 17}};

/// Few queries of many keys, whose keys threads share.
const DrawnSizes kDecodeSizes = {.queries = {1, 2, 4, 8, 9}, .keys = {65, 300, 1100}, .widths = {1, 4, 7, 8}};

/// A call over a cache of floats or of float16 is held against the definition over the same keys and values.
void check_cache(Problem problem, Random& random) {
  KvLayout store;
  store.float16 = random.chance(0.5);
  if (store.float16) round_to_float16(problem);
  const CacheOf cache(problem, store);
  require(agrees(run(cache.args(problem.args())), problem.oracle()));
}

void check(std::span<const std::uint8_t> bytes) {
  Random random(bytes);
  enum class Kind { Plain, Biased, Additive, Normalized, Appended, Logits, Cache, Decode };
  const Kind kind = random.pick<Kind>(
      {Kind::Plain, Kind::Biased, Kind::Additive, Kind::Normalized, Kind::Appended, Kind::Logits, Kind::Cache, Kind::Decode});
  const bool is_scaled = random.chance(0.3);
  const ScaleKind scale = kScaleKinds[random.size(0, std::size(kScaleKinds) - 1)];
  const Normalizer normalizer = random.pick(all_normalizers());
  const bool is_decode = kind == Kind::Decode, is_biased = random.chance(0.5);
  Problem problem =
      kind == Kind::Appended ? draw_appended(random.bits(), kSizes) : draw_problem(random, is_decode ? kDecodeSizes : kSizes);
  if (work_of(problem.sizes) > (is_decode ? 10 : 1) * kMostWork) return;
  if (kind == Kind::Normalized) problem = with(with_exact_logits(problem), normalizer, random.chance(0.5) ? 1.0f : 0.5f);
  if (kind == Kind::Biased || kind == Kind::Logits || (is_decode && is_biased)) draw_biases(problem, random.bits());
  if (kind == Kind::Additive) draw_additive(problem, random);
  if (kind == Kind::Logits) {
    const LogitStage stage = random.pick<LogitStage>({LogitStage::Raw, LogitStage::Capped, LogitStage::Biased});
    const LogitsOracle oracle = problem.logits_oracle();
    const Oracle& of_stage = stage == LogitStage::Raw      ? oracle.raw
                             : stage == LogitStage::Capped ? oracle.capped
                                                           : oracle.biased;
    return require(within_tolerance(run_logits(problem.args(), stage).logits, of_stage));
  }
  if (is_scaled) set_weight_scale(problem, scale, random.bits());
  if (kind == Kind::Cache) return check_cache(problem, random);
  require(agrees(problem));
  static ThreadPool* const pool = [] {
    static ThreadPool two;
    two.start(2);
    return &two;
  }();
  if (is_decode) require(same_bits(run_on_pool(problem.args(), *pool), run(problem)));
}

}  // namespace
}  // namespace fovea::test

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fovea::test::check({data, size});
  return 0;
}
