/// Gradients of softmax and its logarithms against exact derivatives.

#include "ops/softmax_backward.hpp"

#include "support/gradient.hpp"
#include "support/scratch.hpp"
#include "support/softmax.hpp"

namespace fovea::test {
namespace {

std::vector<Complex> softmax_step_ref(SoftmaxKind kind, const std::vector<Complex>& x) {
  double m = -std::numeric_limits<double>::infinity();
  for (const Complex& own : x) m = std::max(m, own.real());
  Complex sum = 0;
  for (const Complex& own : x) sum += std::exp(own - m);
  if (kind == SoftmaxKind::LogSumExp) return {m + std::log(sum)};
  std::vector<Complex> y;
  for (const Complex& own : x) y.push_back(kind == SoftmaxKind::Softmax ? std::exp(own - m) / sum : own - m - std::log(sum));
  return y;
}

struct SoftmaxGradients {
  SoftmaxBackwardArgs args;
  std::vector<float> x, y, d_y, d_x;
  bool in_place = false;

  SoftmaxGradients(SoftmaxKind kind, std::size_t outer, std::size_t n, std::size_t inner, std::uint64_t seed) {
    Random random(seed);
    args.kind = kind;
    args.outer = outer;
    args.n = n;
    args.inner = inner;
    x = drawn(random, outer * n * inner);
    for (float& own : x) own *= 3;
    d_y = drawn(random, outer * (kind == SoftmaxKind::LogSumExp ? 1 : n) * inner);
    d_x = drawn(random, x.size());
    y.resize(d_y.size());
  }

  Status run(ThreadPool* pool = nullptr, std::size_t short_by = 0) {
    Scratch forward(softmax_workspace_bytes(args.n, args.inner), 0, kPoison);
    EXPECT_EQ(softmax(args.kind, x.data(), y.data(), args.outer, args.n, args.inner, forward.workspace()), Status::Ok);
    args.x = x.data();
    args.y = y.data();
    args.d_y = d_y.data();
    args.d_x = in_place ? d_y.data() : d_x.data();
    Scratch scratch(softmax_backward_workspace_bytes(args.n, args.inner, threads_of(pool)), short_by, kPoison);
    const Status status = softmax_backward(args, scratch.workspace(), pool);
    return scratch.guard_intact() ? status : Status::Internal;
  }

  /// The gradient of one line.
  Oracle line(std::size_t o, std::size_t i) const {
    std::vector<float> own, d, start;
    const bool reduces = args.kind == SoftmaxKind::LogSumExp;
    for (std::size_t t = 0; t < args.n; ++t) {
      const std::size_t at = (o * args.n + t) * args.inner + i;
      own.push_back(x[at]);
      start.push_back(d_x[at]);
      if (!reduces) d.push_back(d_y[at]);
    }
    if (reduces) d.push_back(d_y[o * args.inner + i]);
    return gradient_ref([&](const std::vector<Complex>& in) { return softmax_step_ref(args.kind, in); }, own, d, start);
  }
};

}  // namespace

TEST(SoftmaxBackward, EveryRaggedSizeAgreesWithExactDerivatives) {
  std::uint64_t seed = 1;
  for (const SoftmaxKind kind : kSoftmaxKinds)
    for (const std::size_t outer : {1u, 3u})
      for (const std::size_t n : {1u, 3u, 5u, 7u, 63u, 65u})
        for (const std::size_t inner : {1u, 5u}) {
          SoftmaxGradients gradients(kind, outer, n, inner, ++seed);
          std::vector<Oracle> oracles;
          for (std::size_t at = 0; at < outer * inner; ++at) oracles.push_back(gradients.line(at / inner, at % inner));
          ASSERT_EQ(gradients.run(), Status::Ok);
          for (std::size_t at = 0; at < outer * inner; ++at) {
            std::vector<float> got;
            for (std::size_t t = 0; t < n; ++t) got.push_back(gradients.d_x[(at / inner * n + t) * inner + at % inner]);
            ASSERT_TRUE(within_tolerance(got, oracles[at])) << static_cast<int>(kind) << ", n " << n << ", inner " << inner;
          }
        }
}

TEST(SoftmaxBackward, AMaskedEntryReceivesZeroAndItsGradientReachesNoOther) {
  for (const SoftmaxKind kind : kSoftmaxKinds)
    for (const std::size_t inner : {1u, 3u})
      for (const bool all : {false, true}) {
        SoftmaxGradients clean(kind, 1, 21, inner, 5);
        clean.d_x.assign(clean.d_x.size(), 0.0f);
        const bool reduces = kind == SoftmaxKind::LogSumExp;
        for (std::size_t t = 0; t < 21; ++t) {
          if (all || t % 5 == 2) clean.x[t * inner] = -kInfinity;
        }
        SoftmaxGradients loud = clean;
        for (std::size_t t = 0; t < 21 && !reduces; ++t) {
          if (all || t % 5 == 2) loud.d_y[t * inner] = kNan;
        }
        if (reduces && all) loud.d_y[0] = kNan;
        ASSERT_EQ(clean.run(), Status::Ok);
        ASSERT_EQ(loud.run(), Status::Ok);
        EXPECT_TRUE(same_bits(loud.d_x, clean.d_x));
        for (std::size_t t = 0; t < 21; ++t) {
          if (all || t % 5 == 2) {
            EXPECT_EQ(bits_of(clean.d_x[t * inner]), 0u) << static_cast<int>(kind);
          }
          EXPECT_TRUE(std::isfinite(clean.d_x[t * inner]));
        }
      }
}

TEST(SoftmaxBackward, ALineHasOneResultWhereverItLiesAndOnAnyThread) {
  ThreadPool pool;
  pool.start(2);
  for (const SoftmaxKind kind : kSoftmaxKinds)
    for (const auto& [outer, inner] : {std::pair<std::size_t, std::size_t>{3000, 1}, {2, 700}}) {
      SoftmaxGradients alone(kind, outer, 67, inner, 6), shared = alone;
      ASSERT_EQ(alone.run(), Status::Ok);
      ASSERT_EQ(shared.run(&pool), Status::Ok);
      EXPECT_TRUE(same_bits(alone.d_x, shared.d_x));
    }
}

TEST(SoftmaxBackward, InPlaceTheGradientOfTheResultIsReplaced) {
  for (const SoftmaxKind kind : {SoftmaxKind::Softmax, SoftmaxKind::LogSoftmax})
    for (const std::size_t inner : {1u, 3u}) {
      SoftmaxGradients apart(kind, 2, 19, inner, 7);
      apart.d_x.assign(apart.d_x.size(), 0.0f);
      SoftmaxGradients together = apart;
      together.in_place = true;
      ASSERT_EQ(apart.run(), Status::Ok);
      ASSERT_EQ(together.run(), Status::Ok);
      for (std::size_t at = 0; at < apart.d_x.size(); ++at) ASSERT_EQ(together.d_y[at], apart.d_x[at]);
    }
}

TEST(SoftmaxBackward, AWorkspaceThatIsTooSmallIsAMemoryError) {
  SoftmaxGradients gradients(SoftmaxKind::Softmax, 2, 5, 3, 8);
  const std::vector<float> before = gradients.d_x;
  EXPECT_EQ(gradients.run(nullptr, 1), Status::Memory);
  EXPECT_TRUE(same_bits(gradients.d_x, before));
}

}  // namespace fovea::test
