/// The additive score of panels and of listed rows: its accuracy, its layout, and what lies beyond its factors.

#include "attention/score/additive_score.hpp"

#include "pch.hpp"
#include "support/bits.hpp"
#include "support/random.hpp"

namespace fovea::test {
namespace {

constexpr ActivationArgs kTanh = {Activation::Tanh};
constexpr float kOne = 1.0f;

/// f(q + k) as the panels have it: width 1, weight 1.
float panel_score(const ActivationArgs& f, float q, float k) {
  std::vector<float> rows(kMr, q), columns(kNr, k), s(kMr * kNr, kPoison);
  if (f.kind == Activation::Tanh) {
    exp_2x(rows.data(), rows.size());
    exp_2x(columns.data(), columns.size());
  }
  additive_scores({&kOne, f}, rows.data(), columns.data(), 1, 1, s.data(), kNr);
  return s.back();
}

float listed_score(const ActivationArgs& f, float q, float k) {
  float out[4];
  gathered_additive_scores({&kOne, f}, &q, {&k, 1}, 1, 1, out);
  return out[0];
}

float panel_tanh(float q, float k) { return panel_score(kTanh, q, k); }
float listed_tanh(float q, float k) { return listed_score(kTanh, q, k); }

}  // namespace

TEST(AdditiveScore, ATanhOfPanelsIsWithinTwoToTheMinusTwentyOne) {
  Random random(1);
  double worst = 0;
  for (const float size : {0.01f, 1.0f, 5.0f, 20.0f, 43.0f}) {
    for (int n = 0; n < 20000; ++n) {
      const float q = random.uniform(-size, size),
                  k = random.chance(0.5) ? random.uniform(-size, size) : -q * random.uniform(0.9f, 1.0f);
      const double truth = std::tanh(static_cast<double>(q) + static_cast<double>(k));
      worst = std::max(worst, std::abs(static_cast<double>(panel_tanh(q, k)) - truth));
    }
  }
  EXPECT_LE(worst, 0x1p-21);
  EXPECT_GT(worst, 0x1p-26) << "nothing was measured";
}

TEST(AdditiveScore, BeyondItsFactorsAPanelSaysNanAndListedRowsKnow) {
  for (const float far : {43.5f, 100.0f, 1e30f, kInfinity}) {
    EXPECT_TRUE(std::isnan(panel_tanh(far, 0)));
    EXPECT_TRUE(std::isnan(panel_tanh(0, -far)));
    EXPECT_EQ(listed_tanh(far, 1), 1.0f);
    EXPECT_EQ(listed_tanh(1, -far), -1.0f);
  }
  EXPECT_NEAR(listed_tanh(100.0f, -99.75f), std::tanh(0.25f), 1e-6f);
  EXPECT_EQ(panel_tanh(43, 43), 1.0f);
  EXPECT_EQ(panel_tanh(-43, -43), -1.0f);
  EXPECT_TRUE(std::isnan(panel_tanh(kNan, 0)));
  EXPECT_TRUE(std::isnan(listed_tanh(0, kNan)));
  EXPECT_TRUE(std::isnan(listed_tanh(kInfinity, -kInfinity)));
}

TEST(AdditiveScore, OtherActivationsAreExactOfTheSumOfTwo) {
  Random random(3);
  std::vector<std::pair<float, float>> pairs = {{kInfinity, 1}, {-kInfinity, 1}, {0.0f, 0.0f},
                                                {-0.0f, -0.0f}, {3e38f, 3e38f},  {-3e38f, -3e38f},
                                                {1, -1},        {100, -99.75f},  {1e-45f, -3e-45f}};
  for (int n = 0; n < 1000; ++n) pairs.emplace_back(random.uniform(-50, 50), random.uniform(-50, 50));
  for (const auto& [q, k] : pairs) {
    const float sum = q + k;
    for (const auto& score : {panel_score, listed_score}) {
      EXPECT_EQ(score({Activation::None}, q, k), sum);
      EXPECT_EQ(score({Activation::Relu}, q, k), sum < 0 ? 0.0f : sum);
      for (const float slope : {0.2f, 1.0f, 0.0f, -2.0f, 1e30f}) {
        const float want = sum < 0 ? slope * sum : sum, got = score({Activation::LeakyRelu, slope}, q, k);
        EXPECT_TRUE(got == want || (std::isnan(got) && std::isnan(want))) << q << " + " << k << ", slope " << slope;
      }
    }
  }
  for (const auto& score : {panel_score, listed_score}) {
    for (const ActivationArgs& f :
         {ActivationArgs{Activation::None}, ActivationArgs{Activation::Relu}, ActivationArgs{Activation::LeakyRelu, 0.2f}}) {
      EXPECT_TRUE(std::isnan(score(f, kNan, 1)));
      EXPECT_TRUE(std::isnan(score(f, 1, kNan)));
      EXPECT_TRUE(std::isnan(score(f, kInfinity, -kInfinity)));
    }
  }
}

TEST(AdditiveScore, EveryRowAndColumnOfPanelsIsItsOwn) {
  Random random(2);
  for (const std::size_t depth : {1u, 2u, 7u, 80u}) {
    const std::size_t panels = 3, columns = panels * kNr;
    std::vector<float> q(kMr * depth), k(columns * depth), w(depth), s(kMr * 40, kPoison);
    for (auto* one : {&q, &k, &w}) std::generate(one->begin(), one->end(), [&] { return random.normal(); });
    std::vector<float> q_factors = q, k_factors = k;
    exp_2x(q_factors.data(), q.size());
    exp_2x(k_factors.data(), k.size());
    additive_scores({w.data(), kTanh}, q_factors.data(), k_factors.data(), depth, panels, s.data(), 40);
    for (std::size_t r = 0; r < kMr; ++r)
      for (std::size_t c = 0; c < 40; ++c) {
        if (c >= columns) {
          EXPECT_TRUE(is_poison(s[r * 40 + c])) << "column " << c;
          continue;
        }
        double truth = 0, size = 0;
        for (std::size_t a = 0; a < depth; ++a) {
          const float key = k[(c / kNr * depth + a) * kNr + c % kNr];
          truth += static_cast<double>(w[a]) * std::tanh(static_cast<double>(q[a * kMr + r]) + static_cast<double>(key));
          size += std::abs(static_cast<double>(w[a]));
        }
        EXPECT_NEAR(s[r * 40 + c], truth, 8 * static_cast<double>(kEpsilon) * size) << "row " << r << ", column " << c;
      }
  }
}

}  // namespace fovea::test
