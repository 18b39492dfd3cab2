/// Gradients of attention with any of its options, by patterns, too, and of products, against their definitions in double.

#include "fuzz/target.hpp"
#include "support/backward.hpp"
#include "support/biases.hpp"
#include "support/draw.hpp"
#include "support/product_gradients.hpp"
#include "support/sparse.hpp"
#include "support/weight_scale.hpp"

namespace fovea::test {
namespace {

const DrawnSizes kSizes = {.queries = {1, 2, 3, 5, 8, 13, 31, 65, 70},
                           .keys = {1, 2, 3, 5, 8, 13, 63, 64, 65, 130},
                           .widths = {1, 2, 3, 4, 5, 7, 8, 9, 16, 17}};

ThreadPool& two_threads() {
  static ThreadPool* const pool = [] {
    static ThreadPool two;
    two.start(2);
    return &two;
  }();
  return *pool;
}

/// Some gradients of results are absent.
void draw_results(BackwardProblem& backward, Random& random) {
  if (random.chance(0.4)) backward.d_weights.clear();
  if (random.chance(0.4)) backward.d_lse.clear();
  if (!backward.d_weights.empty() && random.chance(0.2)) backward.d_output = {};
}

void check_attention(Random& random) {
  enum class Kind { Plain, Additive, Pointwise, WholeRows, Appended };
  const Kind kind = random.pick<Kind>({Kind::Plain, Kind::Additive, Kind::Pointwise, Kind::WholeRows, Kind::Appended});
  Problem problem = kind == Kind::Appended ? draw_appended(random.bits(), kSizes) : draw_problem(random, kSizes);
  if (work_of(problem.sizes) > kMostWork) return;
  Normalizer& normalizer = problem.variant.normalizer;
  if (kind == Kind::Pointwise) {
    normalizer.kind = random.pick<NormalizerKind>({NormalizerKind::Relu, NormalizerKind::Sigmoid});
    normalizer.bias = random.pick<float>({0, -1});
    normalizer.scaled = random.chance(0.5);
  }
  if (kind == Kind::WholeRows) {
    normalizer.kind = random.pick<NormalizerKind>({NormalizerKind::TopK, NormalizerKind::Sparsemax, NormalizerKind::Entmax15});
    normalizer.k = random.size(1, 9);
  }
  if (normalizer.kind != NormalizerKind::Softmax) problem.sinks.clear();
  if (random.chance(0.5)) draw_biases(problem, random.bits());
  if (kind == Kind::Additive) draw_additive(problem, random);
  if (random.chance(0.3)) set_weight_scale(problem, kScaleKinds[random.size(0, std::size(kScaleKinds) - 1)], random.bits());
  if (random.chance(0.2)) problem.variant.temperature = 0.5f;
  BackwardProblem backward(problem, random.bits());
  draw_results(backward, random);
  const Asked asked = {random.chance(0.8), random.chance(0.8), random.chance(0.8), random.chance(0.8)};
  const BackwardOutcome outcome = run_backward(backward, nullptr, asked);
  if (asked.q && asked.k && asked.v && asked.others) require(agrees(outcome, backward));
  require(same_bits(outcome, run_backward(backward, &two_threads(), asked)));
}

bool lies_as(const PairsView<float>& a, const PairsView<float>& b) {
  return a.data == nullptr || (a.batch == b.batch && a.head == b.head && a.query == b.query && a.key == b.key);
}

void check_pattern(Random& random) {
  Problem problem = draw_problem(random, kSizes);
  const Sizes& s = problem.sizes;
  if (work_of(s) > kMostWork) return;
  if (random.chance(0.3)) draw_biases(problem, random.bits());
  if (random.chance(0.3)) set_weight_scale(problem, kScaleKinds[random.size(0, std::size(kScaleKinds) - 1)], random.bits());
  const Program program = draw_pattern({s.batch, s.heads, s.queries, s.keys}, random);
  const std::uint64_t seed = random.bits();
  SparseCall call(problem, program);
  const AttentionArgs args = call.args();
  const BackwardProblem sparse(problem, seed, &args), masked(with_pattern_as_masks(problem, program), seed);
  // Gradients are compared as they lie in memory.
  if (!lies_as(args.float_mask, masked.args().forward.float_mask)) return;
  require(agrees(run_backward(sparse), masked));
}

void check_product(Random& random) {
  const std::vector<std::size_t> lengths = {0, 1, 2, 3, 5, 7, 8, 9, 16, 17, 33, 64, 65};
  const std::size_t m = random.pick(lengths), k = random.pick(lengths), n = random.pick(lengths);
  const bool transposed = random.chance(0.5), is_fresh = random.chance(0.5);
  ProductGradients product(m, k, n, transposed, random.size(0, 6), is_fresh, random.bits());
  require(product.agrees(random.chance(0.5) ? &two_threads() : nullptr));
}

}  // namespace
}  // namespace fovea::test

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fovea::test;
  run_one_of({check_attention, check_pattern, check_product}, {data, size});
  return 0;
}
