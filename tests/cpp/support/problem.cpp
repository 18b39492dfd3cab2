#include "support/problem.hpp"

#include <sstream>

#include "support/scratch.hpp"

namespace fovea::test {

Problem::Problem(const Sizes& s, std::uint64_t seed, const Arrangement& a)
    : sizes(s),
      arrangement(a),
      q(s.batch, s.heads, s.queries, s.width, kHuge, a.layout, a.padding),
      k(s.batch, s.kv_heads, s.keys, s.width, kHuge, a.layout, a.padding),
      v(s.batch, s.kv_heads, s.keys, s.value_width, kHuge, a.layout, a.padding),
      scale(1.0f / std::sqrt(static_cast<float>(s.width))) {
  Random random(seed);
  for (Slab<float>* slab : {&q, &k, &v}) slab->fill([&] { return random.normal(); });
}

const float* Problem::hold(std::vector<float> numbers) {
  held_.push_back(std::make_shared<const std::vector<float>>(std::move(numbers)));
  return held_.back()->data();
}

AttentionArgs Problem::args() const {
  AttentionArgs args;
  args.batch = sizes.batch;
  args.heads = sizes.heads;
  args.kv_heads = sizes.kv_heads;
  args.queries = sizes.queries;
  args.keys = sizes.keys;
  args.width = sizes.width;
  args.value_width = sizes.value_width;
  args.q = q.view();
  args.k = k.view();
  args.v = v.view();
  args.scale = scale;
  args.softcap = softcap;
  args.causal = causal;
  args.window_left = window_left;
  args.window_right = window_right;
  args.direction = direction;
  args.offsets = offsets.empty() ? nullptr : offsets.data();
  args.key_lengths = key_lengths.empty() ? nullptr : key_lengths.data();
  args.bool_mask = bool_mask.view();
  args.float_mask = float_mask.view();
  args.key_bool_mask = key_bool_mask.view();
  args.key_float_mask = key_float_mask.view();
  args.appended_keys = appended_keys;
  args.alibi_slopes = slopes.empty() ? nullptr : slopes.data();
  args.sinks = sinks.empty() ? nullptr : sinks.data();
  args.variant = variant;
  if (!score_weights.empty()) {
    args.variant.score = Score::Additive;
    args.variant.score_weights = score_weights.data();
    args.variant.score_weights_head = score_weights.size() == sizes.width ? 0 : static_cast<std::ptrdiff_t>(sizes.width);
  }
  return args;
}

std::string describe_normalizer(const Normalizer& normalizer) {
  constexpr const char* kNames[] = {"softmax", "relu", "sigmoid", "hard", "sampled", "top-k", "sparsemax", "entmax15"};
  std::ostringstream text;
  text << kNames[static_cast<std::size_t>(normalizer.kind)] << " (bias " << normalizer.bias << ", scaled " << normalizer.scaled
       << ", k " << normalizer.k << ", seed " << normalizer.seed << ")";
  return text.str();
}

std::string Problem::describe() const {
  std::ostringstream text;
  text << "B " << sizes.batch << ", H " << sizes.heads << "/" << sizes.kv_heads << ", Tq " << sizes.queries << ", Tk "
       << sizes.keys << ", Dk " << sizes.width << ", Dv " << sizes.value_width << ", "
       << (arrangement.layout == Layout::Bhtd ? "bhtd" : "bthd") << " lead " << arrangement.padding.lead << " row "
       << arrangement.padding.row << " plane " << arrangement.padding.plane << "; scale " << scale << ", softcap " << softcap
       << (causal ? ", causal" : "") << ", window " << window_left << ":" << window_right;
  const auto list = [&text](const char* name, const auto& values) {
    if (values.empty()) return;
    text << ", " << name;
    for (const auto value : values) text << " " << value;
  };
  list("offsets", offsets);
  list("lengths", key_lengths);
  list("slopes", slopes);
  list("sinks", sinks);
  if (variant.temperature != 1) text << ", temperature " << variant.temperature;
  if (variant.normalizer.kind != NormalizerKind::Softmax) text << ", normalizer " << describe_normalizer(variant.normalizer);
  if (!score_weights.empty()) text << ", additive score, activation " << static_cast<int>(variant.score_activation.kind);
  const auto mask = [&text](const char* name, const auto& m) {
    if (!m.empty()) text << ", " << name << " " << m.batch() << "x" << m.heads() << "x" << m.queries() << "x" << m.keys();
  };
  const auto table = [&text](const char* name, const RelativeTable& t) {
    if (t.data != nullptr) text << ", " << name << " clip " << t.clip << " head " << t.head;
  };
  table("relative bias", variant.relative_bias);
  table("relative keys", variant.relative_keys);
  table("relative values", variant.relative_values);
  if (variant.buckets.data != nullptr) {
    text << ", buckets " << variant.buckets.buckets << " max " << variant.buckets.max_distance
         << (variant.buckets.bidirectional ? " both ways" : " one way");
  }
  if (variant.gaussian_center.data != nullptr) text << ", gaussian";
  if (variant.weight_scale.pairs.data != nullptr)
    text << ", weight scale of strides " << variant.weight_scale.pairs.batch << " " << variant.weight_scale.pairs.head << " "
         << variant.weight_scale.pairs.query << " " << variant.weight_scale.pairs.key;
  if (variant.weight_scale.center.data != nullptr) text << ", weight scale gaussian";
  if (direction != Direction::Both) text << ", direction " << static_cast<int>(direction);
  mask("bool mask", bool_mask);
  mask("float mask", float_mask);
  mask("key bool mask", key_bool_mask);
  mask("key float mask", key_float_mask);
  if (appended_keys > 0) text << ", appended keys " << appended_keys;
  return text.str();
}

Outcome run(const AttentionArgs& given, Want want, const Arrangement& arrangement, std::size_t short_by, float workspace_filler,
            ThreadPool* pool) {
  AttentionArgs args = given;
  Padding around = arrangement.padding;
  Slab<float> output(args.batch, args.heads, args.queries, args.value_width, kPoison, arrangement.layout, around);
  around.row = around.plane = 0;
  Slab<float> weights(args.batch, args.heads, args.queries, args.keys, kPoison, Layout::Bhtd, around);
  Slab<float> lse(args.batch, args.heads, args.queries, 1, kPoison, Layout::Bhtd, around);
  args.output = output.view();
  args.weights = want == Want::Weights || want == Want::All ? weights.data() : nullptr;
  const bool has_lse = args.variant.normalizer.kind == NormalizerKind::Softmax;
  args.lse = want == Want::Lse || (want == Want::All && has_lse) ? lse.data() : nullptr;
  Scratch scratch(attention_workspace_bytes(args, threads_of(pool)), short_by, workspace_filler);

  Outcome outcome;
  outcome.status = attention(args, scratch.workspace(), pool);
  outcome.output = output.elements();
  if (args.weights != nullptr) outcome.weights = weights.elements();
  if (args.lse != nullptr) outcome.lse = lse.elements();
  for (const Slab<float>* slab : {&output, &weights, &lse}) {
    if (outcome.memory) outcome.memory = slab->filler_intact();
  }
  if (outcome.memory && !scratch.guard_intact()) outcome.memory = testing::AssertionFailure() << "written past the workspace";
  return outcome;
}

Outcome run(const Problem& problem, Want want) { return run(problem.args(), want, problem.arrangement); }

Outcome run_on_pool(const AttentionArgs& args, ThreadPool& pool) { return run(args, Want::All, {}, 0, kPoison, &pool); }

LogitsOutcome run_logits(const AttentionArgs& args, LogitStage stage, std::size_t short_by, ThreadPool* pool) {
  std::vector<float> logits(args.batch * args.heads * args.queries * args.keys, kPoison);
  Scratch scratch(attention_logits_workspace_bytes(args, threads_of(pool)), short_by, kPoison);
  LogitsOutcome outcome;
  outcome.status = attention_logits(args, stage, logits.data(), scratch.workspace(), pool);
  if (!scratch.guard_intact()) outcome.status = Status::Internal;
  outcome.logits = std::move(logits);
  return outcome;
}

testing::AssertionResult agrees(const Outcome& outcome, const AttentionOracle& oracle) {
  if (outcome.status != Status::Ok) return testing::AssertionFailure() << "status " << to_string(outcome.status);
  if (!outcome.memory) return outcome.memory;
  if (const auto ok = within_tolerance(outcome.output, oracle.output); !ok)
    return testing::AssertionFailure() << "output" << ok.message();
  if (!outcome.weights.empty()) {
    if (const auto ok = within_tolerance(outcome.weights, oracle.weights); !ok)
      return testing::AssertionFailure() << "weights" << ok.message();
  }
  if (!outcome.lse.empty()) {
    if (const auto ok = within_tolerance(outcome.lse, oracle.lse); !ok)
      return testing::AssertionFailure() << "lse" << ok.message();
  }
  return testing::AssertionSuccess();
}

testing::AssertionResult agrees(const Problem& problem) {
  const auto result = agrees(run(problem), problem.oracle());
  if (result) return result;
  return testing::AssertionFailure() << result.message() << "\n  in " << problem.describe();
}

testing::AssertionResult same_bits(const Outcome& a, const Outcome& b) {
  if (a.status != b.status)
    return testing::AssertionFailure() << "status " << to_string(a.status) << ", " << to_string(b.status);
  const auto compare = [](const char* name, const std::vector<float>& x, const std::vector<float>& y) {
    const auto same = same_bits(std::span<const float>(x), std::span<const float>(y));
    return same ? same : testing::AssertionFailure() << name << same.message();
  };
  if (const auto same = compare("output", a.output, b.output); !same) return same;
  if (const auto same = compare("weights", a.weights, b.weights); !same) return same;
  return compare("lse", a.lse, b.lse);
}

}  // namespace fovea::test
