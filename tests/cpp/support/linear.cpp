#include "support/linear.hpp"

#include "linear_attention/favor.hpp"
#include "support/scratch.hpp"

namespace fovea::test {
namespace {

/// Multiply-adds of the definition, to keep what is drawn small.
double work_of(const LinearCase& kind) {
  const Sizes& n = kind.sizes;
  const double width = static_cast<double>(n.width);
  const double features = kind.map == FeatureMap::Taylor  ? 1 + width + width * width
                          : kind.map == FeatureMap::Favor ? static_cast<double>(kind.random)
                                                          : width;
  return static_cast<double>(n.batch * (n.heads * n.queries + n.kv_heads * n.keys)) * features *
         static_cast<double>(n.value_width + 1);
}

}  // namespace

LinearCase draw_case(FeatureMap map, UpdateRule rule, Random& random) {
  const std::vector<std::size_t> lengths = {1, 2, 3, 5, 8, 9, 63, 64, 65, 130}, widths = {1, 2, 3, 7, 8, 16, 33, 64};
  LinearCase kind;
  do {
    Sizes n;
    n.batch = random.size(1, 2);
    n.kv_heads = random.size(1, 2);
    n.heads = n.kv_heads * random.size(1, 3);
    n.keys = random.pick(lengths);
    n.width = random.pick(widths);
    n.value_width = random.pick(widths);
    kind = {n, map, rule};
    kind.causal = rule != UpdateRule::Linear || (map != FeatureMap::Softmax && random.chance(0.6));
    kind.sizes.queries = kind.causal ? n.keys : random.pick(lengths);
    kind.normalize = map != FeatureMap::Softmax && random.chance(0.5);
    kind.decay_per_feature = random.chance(0.5);
    kind.random = random.size(1, 40);
    kind.chunk = random.size(1, 70);
  } while (work_of(kind) > 4e5);
  return kind;
}

LinearProblem::LinearProblem(const LinearCase& given, std::uint64_t seed, const Arrangement& a) : kind(given), arrangement(a) {
  Random random(seed);
  const Sizes& n = kind.sizes;
  const auto slab = [&](std::size_t heads, std::size_t tokens, std::size_t width) {
    return Slab<float>(n.batch, heads, tokens, width, kHuge, a.layout, a.padding);
  };
  q = slab(n.heads, n.queries, n.width);
  k = slab(n.kv_heads, n.keys, n.width);
  v = slab(n.kv_heads, n.keys, n.value_width);
  // A divisor that may be any number, 0 too, has no float32 answer.
  const bool positive = kind.normalize && (kind.map == FeatureMap::Identity || kind.map == FeatureMap::Relu ||
                                           kind.map == FeatureMap::SquaredRelu);
  const auto next = [&] { return positive ? 0.1f + std::abs(random.normal()) : random.normal(); };
  q.fill(next);
  k.fill(next);
  v.fill([&] { return random.normal(); });
  if (kind.map == FeatureMap::Favor) {
    projection.resize(kind.random * n.width);
    Scratch scratch(favor_workspace_bytes(n.width), 0, kPoison);
    EXPECT_EQ(favor_projection(kind.random, n.width, to_seed(seed), projection.data(), scratch.workspace()), Status::Ok);
  }
  const auto root = static_cast<float>(std::pow(static_cast<double>(n.width), -0.25));
  query_scale = key_scale = kind.map == FeatureMap::Favor || kind.map == FeatureMap::Taylor ? root : 1.0f;
  const bool gated = kind.rule == UpdateRule::Gated || kind.rule == UpdateRule::GatedDelta;
  if (gated) {
    const std::size_t width = kind.decay_per_feature ? args().features.count() : 1;
    decay = slab(n.kv_heads, n.keys, width);
    decay.fill([&] { return -0.1f * std::abs(random.normal()); });
  }
  if (kind.rule == UpdateRule::Delta || kind.rule == UpdateRule::GatedDelta) draw_beta(random);
}

void LinearProblem::draw_beta(Random& random) {
  const Sizes& n = kind.sizes;
  beta = Slab<float>(n.batch, n.kv_heads, n.keys, 1, kHuge, arrangement.layout, arrangement.padding);
  const LinearArgs known = args();
  for (std::size_t b = 0; b < n.batch; ++b) {
    for (std::size_t h = 0; h < n.kv_heads; ++h) {
      for (std::size_t t = 0; t < n.keys; ++t) {
        LinearRef<double> one{known, b, h};
        one.take_key(t);
        double squares = 1e-3;
        for (const double x : one.k.value) squares += x * x;
        beta.at(b, h, t, 0) = static_cast<float>(static_cast<double>(random.uniform(0.05f, 1.0f)) / squares);
      }
    }
  }
}

LinearArgs LinearProblem::args() const {
  const Sizes& n = kind.sizes;
  LinearArgs args;
  args.batch = n.batch;
  args.heads = n.heads;
  args.kv_heads = n.kv_heads;
  args.queries = n.queries;
  args.keys = n.keys;
  args.width = n.width;
  args.value_width = n.value_width;
  args.q = q.view();
  args.k = k.view();
  args.v = v.view();
  args.features = {kind.map, n.width, kind.map == FeatureMap::Favor ? kind.random : 0, projection.data()};
  args.rule = kind.rule;
  args.causal = kind.causal;
  args.normalize = kind.normalize;
  args.query_scale = query_scale;
  args.key_scale = key_scale;
  args.output_scale = output_scale;
  args.eps = eps;
  args.key_lengths = key_lengths.empty() ? nullptr : key_lengths.data();
  if (args.is_gated()) args.decay = decay.view();
  args.decay_width = decay.width();
  if (args.is_delta()) args.beta = beta.view();
  args.chunk = kind.chunk;
  return args;
}

std::string LinearProblem::describe() const {
  const Sizes& n = kind.sizes;
  std::string text =
      "map " + std::to_string(static_cast<int>(kind.map)) + ", rule " + std::to_string(static_cast<int>(kind.rule));
  text += kind.causal ? ", causal" : ", whole";
  if (kind.normalize) text += ", normalized, eps " + std::to_string(eps);
  for (const std::size_t size : {n.batch, n.heads, n.kv_heads, n.queries, n.keys, n.width, n.value_width, kind.chunk})
    text.append(" ").append(std::to_string(size));
  for (const std::int32_t length : key_lengths) text += ", length " + std::to_string(length);
  return text;
}

LinearState empty_state(const LinearArgs& args) {
  const std::size_t heads = args.batch * args.kv_heads, features = args.features.count();
  return {std::vector<float>(heads * features * args.value_width), std::vector<float>(heads * features),
          std::vector<float>(heads * features, -kInfinity)};
}

LinearState draw_state(const LinearArgs& args, Random& random) {
  LinearState state = empty_state(args);
  for (float& x : state.s) x = random.normal();
  for (float& x : state.z) x = 0.5f + std::abs(random.normal());
  for (float& x : state.m) x = random.normal();
  return state;
}

LinearOutcome run(const LinearArgs& given, const LinearState* start, const Arrangement& arrangement, std::size_t short_by,
                  ThreadPool* pool) {
  LinearArgs args = given;
  Slab<float> output(args.batch, args.heads, args.queries, args.value_width, kPoison, arrangement.layout, arrangement.padding);
  args.output = output.view();
  LinearOutcome outcome;
  if (start != nullptr) {
    outcome.state = *start;
    args.s = outcome.state.s.data();
    args.z = args.normalize ? outcome.state.z.data() : nullptr;
    args.m = args.features.is_stabilized() ? outcome.state.m.data() : nullptr;
  }
  Scratch scratch(linear_workspace_bytes(args, threads_of(pool)), short_by, kPoison);
  outcome.status = linear_attention(args, scratch.workspace(), pool);
  outcome.output = output.elements();
  outcome.memory = output.filler_intact();
  if (outcome.memory && !scratch.guard_intact()) outcome.memory = testing::AssertionFailure() << "written past the workspace";
  return outcome;
}

LinearArgs tokens_of(const LinearArgs& args, std::size_t from, std::size_t to, std::vector<std::int32_t>& lengths) {
  LinearArgs part = args;
  const auto at = static_cast<std::ptrdiff_t>(from);
  if (args.causal) {
    part.q.data += at * args.q.token;
    part.queries = to - from;
  }
  part.k.data += at * args.k.token;
  part.v.data += at * args.v.token;
  if (args.is_gated()) part.decay.data += at * args.decay.token;
  if (args.is_delta()) part.beta.data += at * args.beta.token;
  part.keys = to - from;
  if (args.key_lengths == nullptr) return part;
  lengths.clear();
  for (std::size_t b = 0; b < args.batch; ++b)
    lengths.push_back(static_cast<std::int32_t>(std::clamp(args.length(b), from, to) - from));
  part.key_lengths = lengths.data();
  return part;
}

std::vector<float> flat(const LinearArgs& args, const LinearState& state) {
  const std::size_t features = args.features.count(), columns = args.value_width;
  std::vector<float> numbers;
  for (std::size_t head = 0; head < args.batch * args.kv_heads; ++head) {
    for (std::size_t c = 0; c < columns; ++c)
      for (std::size_t f = 0; f < features; ++f) numbers.push_back(state.s[(head * features + f) * columns + c]);
    for (std::size_t f = 0; args.normalize && f < features; ++f) numbers.push_back(state.z[head * features + f]);
  }
  return numbers;
}

testing::AssertionResult agrees(const LinearOutcome& outcome, const LinearArgs& args, const LinearOracle& oracle) {
  if (outcome.status != Status::Ok) return testing::AssertionFailure() << "status " << to_string(outcome.status);
  if (!outcome.memory) return outcome.memory;
  if (const auto ok = within_tolerance(outcome.output, oracle.output); !ok)
    return testing::AssertionFailure() << "output" << ok.message();
  if (outcome.state.s.empty()) return testing::AssertionSuccess();
  const Oracle state = state_oracle(args, oracle, outcome.state.m);
  if (const auto ok = within_tolerance(flat(args, outcome.state), state); !ok)
    return testing::AssertionFailure() << "state" << ok.message();
  for (std::size_t n = 0; args.features.is_stabilized() && n < oracle.truth.size(); ++n) {
    const LinearTruth& head = oracle.truth[n];
    for (std::size_t f = 0; f < head.features; ++f) {
      const double m = static_cast<double>(outcome.state.m[n * head.features + f]), truth = head.top[f];
      const double allowed = kToleranceFactor * static_cast<double>(kEpsilon) * (head.top_move[f] + std::abs(truth));
      if (m != truth && !(std::abs(m - truth) <= allowed))
        return testing::AssertionFailure() << "m " << m << ", truth " << truth;
    }
  }
  return testing::AssertionSuccess();
}

testing::AssertionResult agrees(const LinearProblem& problem, const LinearState* start) {
  const LinearArgs args = problem.args();
  const auto ok = agrees(run(args, start, problem.arrangement), args, linear_ref(args, start));
  return ok ? ok : testing::AssertionFailure() << ok.message() << " (" << problem.describe() << ")";
}

testing::AssertionResult same_bits(const LinearOutcome& a, const LinearOutcome& b) {
  if (const auto ok = same_bits(a.output, b.output); !ok) return ok;
  if (const auto ok = same_bits(a.state.s, b.state.s); !ok) return ok;
  if (const auto ok = same_bits(a.state.z, b.state.z); !ok) return ok;
  return same_bits(a.state.m, b.state.m);
}

}  // namespace fovea::test
