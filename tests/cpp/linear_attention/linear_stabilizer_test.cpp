/// Linear attention with exponential features whose exponents lie far apart, up to ±200: what comes later must neither erase
/// what came before nor drown in it.

#include "support/linear.hpp"

namespace fovea::test {
namespace {

constexpr float kFar = 200.0f;

/// Keys around `level(token)`, queries around `query_level`.
template <class Level>
LinearProblem exp_problem(const LinearCase& kind, std::uint64_t seed, float query_level, Level level) {
  LinearProblem problem(kind, seed);
  const Sizes& n = kind.sizes;
  for (std::size_t h = 0; h < n.heads; ++h)
    for (std::size_t t = 0; t < n.queries; ++t)
      for (std::size_t d = 0; d < n.width; ++d) problem.q.at(0, h, t, d) += query_level;
  for (std::size_t h = 0; h < n.kv_heads; ++h)
    for (std::size_t t = 0; t < n.keys; ++t)
      for (std::size_t d = 0; d < n.width; ++d) problem.k.at(0, h, t, d) += level(t);
  return problem;
}

LinearCase exp_case(std::size_t tokens, bool causal = true, bool normalize = true) {
  return {{1, 2, 1, tokens, tokens, 3, 5}, FeatureMap::Exp, UpdateRule::Linear, causal, normalize};
}

/// In one call, in one call with a state, and in two.
void expect_agrees(const LinearProblem& problem, const std::string& what) {
  const LinearArgs args = problem.args();
  EXPECT_TRUE(agrees(problem)) << what;
  LinearState state = empty_state(args);
  EXPECT_TRUE(agrees(problem, &state)) << what << ", with a state";
  if (!args.causal) return;
  const LinearOracle oracle = linear_ref(args);
  std::vector<std::int32_t> lengths;
  const std::size_t half = args.keys / 2, group_rows = args.queries * args.value_width;
  LinearOutcome joined;
  joined.output.resize(args.heads * group_rows);
  for (const auto& [from, to] : {std::pair{std::size_t{0}, half}, std::pair{half, args.keys}}) {
    const LinearOutcome part = run(tokens_of(args, from, to, lengths), &state);
    ASSERT_EQ(part.status, Status::Ok);
    state = part.state;
    const std::size_t rows = (to - from) * args.value_width;
    for (std::size_t h = 0; h < args.heads; ++h) {
      std::copy_n(part.output.begin() + static_cast<std::ptrdiff_t>(h * rows), rows,
                  joined.output.begin() + static_cast<std::ptrdiff_t>(h * group_rows + from * args.value_width));
    }
  }
  joined.status = Status::Ok;
  joined.state = state;
  EXPECT_TRUE(agrees(joined, args, oracle)) << what << ", in two calls";
}

/// `scale`: what an eps in every step moves `out` by.
struct FavorRow {
  std::vector<double> out, scale;
};

/// FAVOR+ by its definition, in double: out[i] = Σ_j w[i,j] v[j] / Σ_j w[i,j], ln w[i,j] = ln Σ_f exp(x_f(q[i]) + x_f(k[j])).
FavorRow favor_row(const LinearArgs& args, const std::vector<FeaturesRef<double>>& keys, std::size_t i) {
  const std::size_t features = args.features.count(), seen = args.causal ? i + 1 : args.keys;
  const FeaturesRef<double> q = features_ref<double>(args.features, args.q.row(0, 0, i), args.query_scale);
  std::vector<double> exponents;
  for (std::size_t j = 0; j < seen; ++j) {
    for (std::size_t f = 0; f < features; ++f) exponents.push_back(q.value[f] + keys[j].value[f]);
  }
  const double top = *std::max_element(exponents.begin(), exponents.end());
  std::vector<double> weights(seen), moves(seen);
  double sum = 0;
  for (std::size_t j = 0; j < seen; ++j) {
    for (std::size_t f = 0; f < features; ++f) {
      const double of_query = q.value[f], of_key = keys[j].value[f], w = std::exp(exponents[j * features + f] - top);
      weights[j] += w;
      // Sums of exponents are rounded, too, and exponents relative to stabilizers.
      moves[j] += w * (q.move[f] + keys[j].move[f] + 2 * (std::abs(of_query) + std::abs(of_key)));
    }
    sum += weights[j];
  }
  FavorRow row = {std::vector<double>(args.value_width), std::vector<double>(args.value_width)};
  for (std::size_t c = 0; c < args.value_width; ++c) {
    const auto value = [&](std::size_t j) { return static_cast<double>(args.v.row(0, 0, j)[c]); };
    for (std::size_t j = 0; j < seen; ++j) row.out[c] += weights[j] / sum * value(j);
    for (std::size_t j = 0; j < seen; ++j) {
      row.scale[c] += (weights[j] * std::abs(value(j)) + moves[j] * std::abs(value(j) - row.out[c])) / sum;
    }
  }
  return row;
}

std::vector<FavorRow> favor_ref(const LinearArgs& args) {
  std::vector<FeaturesRef<double>> keys;
  for (std::size_t j = 0; j < args.keys; ++j) {
    keys.push_back(features_ref<double>(args.features, args.k.row(0, 0, j), args.key_scale));
  }
  std::vector<FavorRow> rows;
  for (std::size_t i = 0; i < args.queries; ++i) rows.push_back(favor_row(args, keys, i));
  return rows;
}

/// Keys and queries of squared length `squares`, in all directions: features and keys lie far apart.
LinearProblem favor_problem(double squares, std::size_t tokens, bool causal) {
  LinearProblem problem({{1, 1, 1, tokens, tokens, 16, 5}, FeatureMap::Favor, UpdateRule::Linear, causal, true}, 7);
  problem.query_scale = problem.key_scale = 1;
  Random random(static_cast<std::uint64_t>(squares));
  for (float& w : problem.projection) w = random.normal();
  for (Slab<float>* const slab : {&problem.q, &problem.k}) {
    for (std::size_t t = 0; t < tokens; ++t) {
      double sum = 0;
      for (std::size_t d = 0; d < 16; ++d) sum += std::pow(static_cast<double>(slab->at(0, 0, t, d)), 2);
      for (std::size_t d = 0; d < 16; ++d) slab->at(0, 0, t, d) *= static_cast<float>(std::sqrt(squares / sum));
    }
  }
  return problem;
}

testing::AssertionResult agrees_with_definition(const std::vector<FavorRow>& rows, const std::vector<float>& output) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& [out, scale] = rows[i];
    for (std::size_t c = 0; c < out.size(); ++c) {
      const double error = std::abs(static_cast<double>(output[i * out.size() + c]) - out[c]);
      const double allowed = kToleranceFactor * static_cast<double>(kEpsilon) * scale[c];
      if (!(error <= allowed))
        return testing::AssertionFailure() << "row " << i << ", column " << c << ": off by " << error << ", allowed "
                                           << allowed;
    }
  }
  return testing::AssertionSuccess();
}

}  // namespace

TEST(LinearStabilizer, FavorIsItsDefinitionForLongKeysInAnyDirection) {
  for (const double squares : {1.0, 50.0, 280.0, 700.0}) {
    for (const bool causal : {false, true}) {
      for (const std::size_t tokens : {5u, 70u, 1100u}) {
        const LinearProblem problem = favor_problem(squares, tokens, causal);
        const LinearArgs args = problem.args();
        const std::vector<FavorRow> expected = favor_ref(args);
        EXPECT_TRUE(agrees_with_definition(expected, run(args).output)) << squares << ", " << tokens << " tokens";
        if (!causal) continue;
        // In two calls, the second from the state that the first left.
        LinearState state = empty_state(args);
        std::vector<float> joined;
        std::vector<std::int32_t> lengths;
        for (const auto& [from, to] : {std::pair{std::size_t{0}, tokens / 2}, std::pair{tokens / 2, tokens}}) {
          const LinearOutcome part = run(tokens_of(args, from, to, lengths), &state);
          state = part.state;
          joined.insert(joined.end(), part.output.begin(), part.output.end());
        }
        EXPECT_TRUE(agrees_with_definition(expected, joined)) << squares << ", " << tokens << " tokens, in two calls";
      }
    }
  }
}

TEST(LinearStabilizer, ALateKeyFarAboveAllBeforeIsFine) {
  for (const std::size_t tokens : {4u, 8u, 70u, 130u, 1030u}) {
    for (const std::size_t rise : {1u, 3u, 7u, 9u, 40u, 63u, 64u, 65u, 129u, 1024u, 1029u}) {
      if (rise >= tokens) continue;
      for (const float query_level : {0.0f, kFar, -kFar}) {
        if (tokens > 1000 && (rise < 1000 || query_level != 0)) continue;
        const auto problem =
            exp_problem(exp_case(tokens), tokens, query_level, [&](std::size_t t) { return t < rise ? -kFar : kFar; });
        expect_agrees(problem, std::to_string(tokens) + " tokens, rise at " + std::to_string(rise));
      }
    }
  }
}

TEST(LinearStabilizer, KeysThatRiseATokenAtATimeAreFine) {
  for (const float by : {0.7f, 6.0f, 12.0f, 24.0f, 47.0f, 49.0f}) {
    for (const std::size_t tokens : {9u, 70u, 1030u}) {
      const auto level = [&](std::size_t t) { return by * static_cast<float>(t % 7) - 100.0f; };
      expect_agrees(exp_problem(exp_case(tokens), tokens, 0.0f, level), "rising by " + std::to_string(by));
    }
  }
}

TEST(LinearStabilizer, KeysFarBelowAllBeforeAreFine) {
  for (const std::size_t tokens : {4u, 70u, 1030u}) {
    for (const std::size_t fall : {1u, 3u, 40u, 64u, 1024u}) {
      if (fall >= tokens) continue;
      const auto level = [&](std::size_t t) { return t < fall ? kFar : -kFar; };
      expect_agrees(exp_problem(exp_case(tokens), fall, 0.0f, level), "fall at " + std::to_string(fall));
    }
  }
}

TEST(LinearStabilizer, ExponentsThatClimbAndSwingAreFine) {
  for (const std::size_t chunk : {1u, 5u, 64u}) {
    for (const bool causal : {false, true}) {
      LinearCase kind = exp_case(150, causal);
      kind.chunk = chunk;
      const auto climb = [](std::size_t t) { return -kFar + 2 * kFar * static_cast<float>(t) / 149.0f; };
      expect_agrees(exp_problem(kind, 1, 3.0f, climb), "climb, chunk " + std::to_string(chunk));
      const auto swing = [](std::size_t t) {
        return t % 3 == 0 ? -kFar + static_cast<float>(t) : static_cast<float>(t % 5) * 30.0f;
      };
      expect_agrees(exp_problem(kind, 2, 3.0f, swing), "swing, chunk " + std::to_string(chunk));
    }
  }
}

TEST(LinearStabilizer, WithoutADivisorTheExponentsAreMultipliedBack) {
  for (const std::size_t tokens : {5u, 70u}) {
    for (const bool causal : {false, true}) {
      for (const float level : {0.0f, 40.0f, -40.0f, 95.0f, kFar, -kFar}) {
        const auto same = [level](std::size_t) { return level; };
        expect_agrees(exp_problem(exp_case(tokens, causal, false), 3, -level, same), "level " + std::to_string(level));
      }
    }
  }
}

TEST(LinearStabilizer, FeaturesThatMeetFarBelowTheirHighestAreFine) {
  // exp(45) of one feature of the query meets exp(-45) of the key: 1, relative to the highest of both exp(-90).
  for (const bool causal : {false, true}) {
    LinearProblem problem({{1, 1, 1, 2, 2, 2, 3}, FeatureMap::Exp, UpdateRule::Linear, causal}, 4);
    const float far = 25.0f;
    for (std::size_t t = 0; t < 2; ++t) {
      for (std::size_t d = 0; d < 2; ++d) {
        problem.q.at(0, 0, t, d) = d == 0 ? far : -far;
        problem.k.at(0, 0, t, d) = d == 0 ? -far : far;
      }
    }
    EXPECT_TRUE(agrees(problem));
    // Each feature has a stabilizer of its own: how far apart they lie does not matter.
    for (std::size_t t = 0; t < 2; ++t) {
      for (std::size_t d = 0; d < 2; ++d) {
        problem.q.at(0, 0, t, d) *= 10;
        problem.k.at(0, 0, t, d) *= 10;
      }
    }
    EXPECT_TRUE(agrees(problem));
  }
}

TEST(LinearStabilizer, ADeltaRulesFirstKeyMayLieHigh) {
  LinearProblem problem({{1, 1, 1, 1, 1, 1, 3}, FeatureMap::Exp, UpdateRule::Delta}, 5);
  problem.k.at(0, 0, 0, 0) = 60.0f;
  problem.q.at(0, 0, 0, 0) = -60.0f;
  problem.beta.at(0, 0, 0, 0) = 0.5f;
  EXPECT_TRUE(agrees(problem));
}

TEST(LinearStabilizer, FavorsExponentsMayLieFarApart) {
  for (const bool rises : {false, true}) {
    for (const std::size_t tokens : {6u, 70u, 140u}) {
      LinearProblem problem({{1, 1, 1, tokens, tokens, 4, 5}, FeatureMap::Favor, UpdateRule::Linear, true, true}, 6);
      problem.key_scale = 1;
      for (float& w : problem.projection) w *= 10;
      double squares = 0;
      for (std::size_t d = 0; d < 4; ++d) squares += std::pow(static_cast<double>(problem.projection[d]), 2);
      const auto to_norm = static_cast<float>(20 / std::sqrt(squares));
      for (float& w : problem.projection) w *= to_norm;
      // w · x - |x|²/2 of the first feature: 200 where x = w, -250 where x = -w/2.
      problem.q.each([](float& x) { x *= 0.1f; });  // all features of a query alike, so that none is lost
      for (std::size_t t = 0; t < tokens; ++t)
        for (std::size_t d = 0; d < 4; ++d)
          problem.k.at(0, 0, t, d) =
              problem.projection[d] * ((t >= tokens - 2) == rises ? 1.0f : -0.5f) + 0.01f * problem.k.at(0, 0, t, d);
      expect_agrees(problem, std::to_string(tokens));
    }
  }
}

}  // namespace fovea::test
