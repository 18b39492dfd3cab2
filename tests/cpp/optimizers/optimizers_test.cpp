/// Twenty steps of every optimizer against its definition in double.

#include "optimizers/adam.hpp"
#include "optimizers/gradient_norm.hpp"
#include "optimizers/sgd.hpp"
#include "support/random.hpp"
#include "support/scratch.hpp"

namespace fovea::test {
namespace {

constexpr std::size_t kOptimizerSteps = 20;

std::vector<float> normals(Random& random, std::size_t count) {
  std::vector<float> numbers(count);
  for (float& number : numbers) number = random.normal();
  return numbers;
}

/// Rounding in each step, of numbers of about 1.
void expect_near(const std::vector<float>& got, const std::vector<double>& truth, const char* which) {
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double allowed = kOptimizerSteps * 4 * static_cast<double>(kEpsilon) * std::max(1.0, std::abs(truth[i]));
    ASSERT_NEAR(static_cast<double>(got[i]), truth[i], allowed) << which << ", " << i;
  }
}

}  // namespace

TEST(Sgd, TwentyStepsAgreeWithTheDefinition) {
  std::vector<SgdArgs> all(6);
  all[1].weight_decay = 0.1;
  all[2].momentum = 0.9;
  all[3].momentum = 0.9;
  all[3].dampening = 0.3;
  all[4].momentum = 0.8;
  all[4].nesterov = true;
  all[4].weight_decay = 0.01;
  all[5].learning_rate = 0.1;
  for (SgdArgs args : all)
    for (const std::size_t count : {1u, 3u, 7u, 65u, 4099u}) {
      Random random(count);
      std::vector<float> p = normals(random, count), m(count, kNan);
      std::vector<double> p_ref(p.begin(), p.end()), m_ref(count, 0.0);
      for (std::size_t step = 1; step <= kOptimizerSteps; ++step) {
        const std::vector<float> gradient = normals(random, count);
        args.is_first = step == 1;
        sgd(args, count, gradient.data(), p.data(), args.momentum == 0 ? nullptr : m.data());
        for (std::size_t i = 0; i < count; ++i) {
          double g = static_cast<double>(gradient[i]) + args.weight_decay * p_ref[i];
          if (args.momentum != 0) {
            m_ref[i] = step == 1 ? g : args.momentum * m_ref[i] + (1 - args.dampening) * g;
            g = args.nesterov ? g + args.momentum * m_ref[i] : m_ref[i];
          }
          p_ref[i] -= args.learning_rate * g;
        }
      }
      expect_near(p, p_ref, "parameter");
      if (args.momentum != 0) expect_near(m, m_ref, "momentum");
    }
}

TEST(Adam, TwentyStepsAgreeWithTheDefinition) {
  std::vector<AdamArgs> all(4);
  all[1].weight_decay = 0.1;
  all[2].weight_decay = 0.1;
  all[2].decoupled = true;
  all[3].learning_rate = 0.01;
  all[3].beta1 = 0.5;
  all[3].beta2 = 0.95;
  all[3].eps = 1e-3;
  for (AdamArgs args : all)
    for (const std::size_t count : {1u, 3u, 7u, 65u, 4099u}) {
      Random random(count);
      std::vector<float> p = normals(random, count), m(count, 0.0f), v(count, 0.0f);
      std::vector<double> p_ref(p.begin(), p.end()), m_ref(count, 0.0), v_ref(count, 0.0);
      args.beta1_power = args.beta2_power = 1;
      for (std::size_t step = 1; step <= kOptimizerSteps; ++step) {
        const std::vector<float> gradient = normals(random, count);
        args.beta1_power *= args.beta1;
        args.beta2_power *= args.beta2;
        adam(args, count, {gradient.data(), p.data(), m.data(), v.data()});
        const auto t = static_cast<double>(step);
        for (std::size_t i = 0; i < count; ++i) {
          auto g = static_cast<double>(gradient[i]);
          if (args.decoupled) {
            p_ref[i] -= args.learning_rate * args.weight_decay * p_ref[i];
          } else {
            g += args.weight_decay * p_ref[i];
          }
          m_ref[i] = args.beta1 * m_ref[i] + (1 - args.beta1) * g;
          v_ref[i] = args.beta2 * v_ref[i] + (1 - args.beta2) * g * g;
          const double m_hat = m_ref[i] / (1 - std::pow(args.beta1, t)), v_hat = v_ref[i] / (1 - std::pow(args.beta2, t));
          p_ref[i] -= args.learning_rate * m_hat / (std::sqrt(v_hat) + args.eps);
        }
      }
      expect_near(p, p_ref, "parameter");
      expect_near(m, m_ref, "first moment");
      expect_near(v, v_ref, "second moment");
    }
}

TEST(Optimizers, AnyNumberOfThreadsAndAnyPlaceGiveTheSameBits) {
  ThreadPool pool;
  pool.start(2);
  const std::size_t count = 200003;
  Random random(1);
  std::vector<float> gradient(count);
  for (float& own : gradient) own = random.uniform(-1, 1);
  const AdamArgs of_adam;
  SgdArgs of_sgd;
  of_sgd.momentum = 0.9;
  std::vector<std::vector<float>> alone(5, gradient), shared, apart;
  for (float& own : alone[2]) own = std::abs(own);
  shared = apart = alone;
  const auto run = [&](std::vector<std::vector<float>>& all, std::size_t from, std::size_t length, ThreadPool* threads) {
    adam(of_adam, length, {gradient.data() + from, all[0].data() + from, all[1].data() + from, all[2].data() + from}, threads);
    sgd(of_sgd, length, gradient.data() + from, all[3].data() + from, all[4].data() + from, threads);
  };
  run(alone, 0, count, nullptr);
  run(shared, 0, count, &pool);
  run(apart, 0, 1001, nullptr);
  run(apart, 1001, count - 1001, nullptr);
  for (std::size_t n = 0; n < 5; ++n) {
    EXPECT_TRUE(same_bits(shared[n], alone[n]));
    EXPECT_TRUE(same_bits(apart[n], alone[n]));
  }
}

TEST(SquaredNorm, IsThatOfTheDefinitionAndTellsWhatIsNotFinite) {
  ThreadPool pool;
  pool.start(2);
  for (const std::size_t count : {0u, 1u, 3u, 65u, 4097u, 1100000u}) {
    std::vector<float> x(count);
    Random random(count);
    double truth = 0;
    for (float& own : x) {
      own = random.uniform(-1, 1) * (count < 100 ? 3e38f : 1.0f);
      truth += static_cast<double>(own) * static_cast<double>(own);
    }
    double norms[2] = {-1, -1};
    Scratch scratch(squared_norm_workspace_bytes(count), 0, kPoison);
    ASSERT_EQ(squared_norm(x.data(), count, &norms[0], scratch.workspace()), Status::Ok);
    ASSERT_EQ(squared_norm(x.data(), count, &norms[1], scratch.workspace(), &pool), Status::Ok);
    EXPECT_TRUE(scratch.guard_intact());
    EXPECT_NEAR(norms[0], truth, 1e-12 * truth);
    EXPECT_EQ(norms[0], norms[1]);
    for (const float bad : {kNan, kInfinity, -kInfinity}) {
      if (count == 0) continue;
      x[count - 1] = bad;
      ASSERT_EQ(squared_norm(x.data(), count, &norms[0], scratch.workspace()), Status::Ok);
      EXPECT_FALSE(std::isfinite(norms[0]));
    }
  }
  const float x = 1;
  double norm = -1;
  EXPECT_EQ(squared_norm(&x, 1, &norm, {nullptr, 0}), Status::Memory);
  EXPECT_EQ(norm, -1);
}

TEST(Scale, MultipliesEveryElement) {
  Random random(2);
  for (const std::size_t count : {1u, 7u, 4099u}) {
    const std::vector<float> x = normals(random, count);
    std::vector<float> scaled = x;
    scaled.push_back(kPoison);
    scale(0.3f, count, scaled.data());
    for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(scaled[i], x[i] * 0.3f);
    EXPECT_TRUE(is_poison(scaled[count]));
  }
}

}  // namespace fovea::test
