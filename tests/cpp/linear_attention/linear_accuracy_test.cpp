/// Linear attention over very many tokens: the error does not grow with their number.

#include "linear_attention/state.hpp"

#include <array>

#include "support/linear.hpp"

namespace fovea::test {
namespace {

/// Bounds that linear.hpp states.
constexpr double kOutputBound = 8, kStateBound = 2;

constexpr std::size_t kTokens = 200000, kFeatures = 8;

struct Worst {
  double eps = 0;    // of the kernel's outputs: |error| / Σ |terms|, in eps
  double plain = 0;  // of float32 loops
  double state = 0;  // of the kernel's last state
};

/// The widths are constants here, so that the loops over a row cost little.
template <class Real>
using State = std::array<std::array<Real, kFeatures + 1>, kFeatures>;

template <class Real>
void add_key(const float* k, const float* v, bool elu, State<Real>& s) {
  for (std::size_t f = 0; f < kFeatures; ++f) {
    const auto x = static_cast<Real>(k[f]);
    const Real feature = !elu ? x : x > 0 ? x + 1 : std::exp(x);
    for (std::size_t c = 0; c < kFeatures; ++c) s[f][c] += feature * static_cast<Real>(v[c]);
    s[f][kFeatures] += feature;
  }
}

Worst worst_of(const LinearProblem& problem, const LinearOutcome& outcome) {
  const LinearArgs args = problem.args();
  const bool elu = args.features.map == FeatureMap::Elu1;
  State<double> s{}, size{};
  State<float> plain{};
  Worst worst;
  const auto add = [&](std::size_t token) {
    const float *const k = args.k.row(0, 0, token), *const v = args.v.row(0, 0, token);
    add_key(k, v, elu, s);
    add_key(k, v, elu, plain);
    float k_size[kFeatures], v_size[kFeatures];
    for (std::size_t d = 0; d < kFeatures; ++d) {
      k_size[d] = elu ? k[d] : std::abs(k[d]);
      v_size[d] = std::abs(v[d]);
    }
    add_key(k_size, v_size, elu, size);
  };
  const auto read = [&](std::size_t token) {
    const float* const q = args.q.row(0, 0, token);
    double o[kFeatures + 1] = {}, o_size[kFeatures + 1] = {}, o_plain[kFeatures + 1] = {};
    for (std::size_t f = 0; f < kFeatures; ++f) {
      const auto x = static_cast<double>(q[f]);
      const double feature = !elu ? x : x > 0 ? x + 1 : std::exp(x);
      for (std::size_t c = 0; c <= kFeatures; ++c) {
        o[c] += feature * s[f][c];
        o_size[c] += std::abs(feature) * size[f][c];
        o_plain[c] += feature * static_cast<double>(plain[f][c]);
      }
    }
    const double divisor = args.normalize ? o[kFeatures] : 1, plain_divisor = args.normalize ? o_plain[kFeatures] : 1;
    for (std::size_t c = 0; c < kFeatures; ++c) {
      const double truth = o[c] / divisor, scale = o_size[c] / divisor * static_cast<double>(kEpsilon);
      const auto got = static_cast<double>(outcome.output[token * kFeatures + c]);
      worst.eps = std::max(worst.eps, std::abs(got - truth) / scale);
      worst.plain = std::max(worst.plain, std::abs(o_plain[c] / plain_divisor - truth) / scale);
    }
  };
  if (!args.causal) {
    for (std::size_t t = 0; t < kTokens; ++t) add(t);
  }
  for (std::size_t t = 0; t < args.queries; ++t) {
    if (args.causal) add(t);
    if (t % 61 == 0 || t + 1 == args.queries) read(t);
  }
  for (std::size_t f = 0; f < kFeatures; ++f) {
    for (std::size_t c = 0; c < kFeatures; ++c) {
      const double error = std::abs(static_cast<double>(outcome.state.s[f * kFeatures + c]) - s[f][c]);
      worst.state = std::max(worst.state, error / (static_cast<double>(kEpsilon) * size[f][c]));
    }
  }
  return worst;
}

}  // namespace

TEST(LinearAccuracy, OverTwoHundredThousandTokensTheErrorStaysWithinTheStatedBound) {
  for (const FeatureMap map : {FeatureMap::Elu1, FeatureMap::Identity}) {
    for (const bool causal : {false, true}) {
      const std::size_t queries = causal ? kTokens : 100;
      LinearProblem problem({{1, 1, 1, queries, kTokens, kFeatures, kFeatures}, map, {}, causal, map == FeatureMap::Elu1}, 1);
      // Else sums stay small, and with them what they lose.
      problem.v.each([](float& x) { x += 1; });
      if (map == FeatureMap::Identity) problem.k.each([](float& x) { x += 1; });
      const LinearState start = empty_state(problem.args());
      const Worst worst = worst_of(problem, run(problem.args(), &start));
      EXPECT_LE(worst.eps, kOutputBound) << problem.describe();
      EXPECT_LE(worst.state, kStateBound) << problem.describe();
      EXPECT_LE(10 * worst.eps, worst.plain) << problem.describe();
    }
  }
}

namespace {

/// Adds `count` parts that hold `each` to sums that hold `first`, and returns sums + rest.
double sum_of_parts(float first, float each, int count, float m_first = 0, float m_each = 0) {
  LinearArgs args;
  args.value_width = 3;
  args.features = {FeatureMap::Exp, 2};
  const LinearSizes sizes(args);
  std::vector<float> s(sizes.sum_floats(), first), rest(sizes.sum_floats(), 0.0f), part(sizes.sum_floats());
  std::vector<float> m(2, m_first), m_part(2, m_each);
  const LinearSums sums = {s.data(), m.data()};
  for (int n = 0; n < count; ++n) {
    std::fill(part.begin(), part.end(), each);
    add_sums(sizes, sums, rest.data(), {part.data(), m_part.data()});
  }
  EXPECT_EQ(m, std::vector<float>(2, std::max(m_first, m_each)));
  for (std::size_t n = 1; n < 2 * sizes.stride; ++n) EXPECT_EQ(s[n] + rest[n], s[0] + rest[0]);
  return static_cast<double>(s[0]) + static_cast<double>(rest[0]);
}

}  // namespace

TEST(LinearAccuracy, SumsOfPartsKeepWhatRoundingLoses) {
  // Each part is half an ulp of the sum, or less: without the rest, the sum would stay at 1.
  EXPECT_EQ(sum_of_parts(1.0f, 0x1p-25f, 1 << 12), 1 + 0x1p-13);
  EXPECT_EQ(sum_of_parts(0x1p-25f, 1.0f, 1), 1 + 0x1p-25);
  EXPECT_EQ(sum_of_parts(-1e8f, 1.0f, 1000), -1e8 + 1000);
  // Relative to the higher of two stabilizers.
  EXPECT_EQ(sum_of_parts(1.0f, 1.0f, 4, -kInfinity, -30.0f), 4);
  EXPECT_NEAR(sum_of_parts(1.0f, 1.0f, 1, 0.0f, -2.0f), 1 + std::exp(-2), 1e-7);
  EXPECT_NEAR(sum_of_parts(1.0f, 1.0f, 1, -2.0f, 0.0f), 1 + std::exp(-2), 1e-7);
}

}  // namespace fovea::test
