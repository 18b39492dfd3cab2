/// Gradients of linear attention against exact derivatives of its definition.

#include "linear_attention/linear_backward.hpp"

#include "linear_attention/feature_maps_backward.hpp"
#include "support/gradient.hpp"
#include "support/scratch.hpp"

namespace fovea::test {
namespace {

constexpr FeatureMap kFeatureMaps[] = {FeatureMap::Identity, FeatureMap::Elu1,   FeatureMap::Relu,  FeatureMap::SquaredRelu,
                                       FeatureMap::Exp,      FeatureMap::Taylor, FeatureMap::Favor, FeatureMap::Softmax};

/// φ of one row, or its exponents where it is softmax.
std::vector<Complex> features_step_ref(const Features& features, const Complex* x, double scale) {
  std::vector<Complex> y, out;
  for (std::size_t d = 0; d < features.width; ++d) y.push_back(scale * x[d]);
  if (features.map == FeatureMap::Taylor) out.push_back(1);
  if (features.map == FeatureMap::Favor) {
    Complex squares = 0;
    for (const Complex& own : y) squares += own * own;
    for (std::size_t f = 0; f < features.random; ++f) {
      Complex dot = 0;
      for (std::size_t d = 0; d < features.width; ++d)
        dot += static_cast<double>(features.projection[f * features.width + d]) * y[d];
      out.push_back(std::exp(dot - squares / 2.0) / std::sqrt(static_cast<double>(features.random)));
    }
    return out;
  }
  for (const Complex& own : y) {
    switch (features.map) {
      case FeatureMap::Elu1: out.push_back(own.real() > 0 ? own + 1.0 : std::exp(own)); break;
      case FeatureMap::Relu: out.push_back(own.real() > 0 ? own : 0); break;
      case FeatureMap::SquaredRelu: out.push_back(own.real() > 0 ? own * own : 0); break;
      case FeatureMap::Exp: out.push_back(std::exp(own)); break;
      default: out.push_back(own);
    }
  }
  for (std::size_t i = 0; i < features.width && features.map == FeatureMap::Taylor; ++i)
    for (std::size_t j = 0; j < features.width; ++j) out.push_back(y[i] * y[j] / std::sqrt(2.0));
  return out;
}

struct LinearSizes3 {
  std::size_t batch = 1, heads = 1, kv_heads = 1, queries = 5, keys = 5, width = 3, value_width = 5;
};

struct LinearGradients {
  LinearArgs args;
  std::vector<float> q, k, v, output, d_output, d_q, d_k, d_v, projection;
  std::vector<std::int32_t> lengths;

  LinearGradients(const LinearSizes3& sizes, FeatureMap map, bool causal, bool normalize, std::uint64_t seed) {
    Random random(seed);
    args.batch = sizes.batch;
    args.heads = sizes.heads;
    args.kv_heads = sizes.kv_heads;
    args.queries = sizes.queries;
    args.keys = causal ? sizes.queries : sizes.keys;
    args.width = sizes.width;
    args.value_width = sizes.value_width;
    args.features = {map, sizes.width, map == FeatureMap::Favor ? std::size_t{7} : 0, nullptr};
    projection = drawn(random, 7 * sizes.width);
    args.causal = causal;
    args.normalize = normalize && map != FeatureMap::Softmax;
    args.query_scale = 0.7f;
    args.key_scale = 0.8f;
    args.output_scale = 1.3f;
    args.eps = seed % 2 == 0 ? 0.5f : 1e-3f;
    q = drawn(random, sizes.batch * sizes.heads * sizes.queries * sizes.width);
    k = drawn(random, sizes.batch * sizes.kv_heads * args.keys * sizes.width);
    v = drawn(random, sizes.batch * sizes.kv_heads * args.keys * sizes.value_width);
    // A normalizer near 0 has no digits: inputs whose features are positive.
    if (args.normalize && (map == FeatureMap::Identity || map == FeatureMap::Taylor || map == FeatureMap::Relu ||
                           map == FeatureMap::SquaredRelu)) {
      for (auto* array : {&q, &k})
        for (float& own : *array) own = std::abs(own) + 0.1f;
    }
    output.assign(sizes.batch * sizes.heads * sizes.queries * sizes.value_width, kPoison);
    d_output = drawn(random, output.size());
    d_q = drawn(random, q.size());
    d_k = drawn(random, k.size());
    d_v = drawn(random, v.size());
  }

  void prepare() {
    const auto view = [](auto* data, std::size_t heads, std::size_t tokens, std::size_t width) {
      const auto token = static_cast<std::ptrdiff_t>(width), head = static_cast<std::ptrdiff_t>(tokens) * token;
      return HeadsView<std::remove_pointer_t<decltype(data)>>{data, static_cast<std::ptrdiff_t>(heads) * head, head, token};
    };
    args.q = view(static_cast<const float*>(q.data()), args.heads, args.queries, args.width);
    args.k = view(static_cast<const float*>(k.data()), args.kv_heads, args.keys, args.width);
    args.v = view(static_cast<const float*>(v.data()), args.kv_heads, args.keys, args.value_width);
    args.output = view(output.data(), args.heads, args.queries, args.value_width);
    args.features.projection = projection.data();
    args.key_lengths = lengths.empty() ? nullptr : lengths.data();
  }

  LinearBackwardArgs backward() { return {args, d_output.data(), d_q.data(), d_k.data(), d_v.data()}; }

  Status run(ThreadPool* pool = nullptr, std::size_t short_by = 0) {
    prepare();
    Scratch forward(linear_workspace_bytes(args), 0, kNan);
    if (const Status status = linear_attention(args, forward.workspace()); status != Status::Ok) return status;
    Scratch scratch(linear_backward_workspace_bytes(backward(), threads_of(pool)), short_by, kNan);
    const Status status = linear_attention_backward(backward(), scratch.workspace(), pool);
    return scratch.guard_intact() ? status : Status::Internal;
  }

  /// The output of q, k and v one after another, as functions of them.
  std::vector<Complex> forward_ref(const std::vector<Complex>& all) const {
    const Complex *const q_all = all.data(), *const k_all = q_all + q.size(), *const v_all = k_all + k.size();
    const bool is_softmax = args.features.map == FeatureMap::Softmax;
    std::vector<Complex> out;
    for (std::size_t b = 0; b < args.batch; ++b)
      for (std::size_t h = 0; h < args.heads; ++h) {
        const std::size_t kv = b * args.kv_heads + h / args.group(), length = args.length(b);
        std::vector<std::vector<Complex>> keys;
        for (std::size_t j = 0; j < length; ++j)
          keys.push_back(
              features_step_ref(args.features, k_all + (kv * args.keys + j) * args.width, static_cast<double>(args.key_scale)));
        for (std::size_t f = 0; is_softmax && f < args.width; ++f) {
          Complex sum = 0;
          for (auto& row : keys) sum += row[f] = std::exp(row[f]);
          for (auto& row : keys) row[f] /= sum;
        }
        for (std::size_t i = 0; i < args.queries; ++i) {
          auto query = features_step_ref(args.features, q_all + ((b * args.heads + h) * args.queries + i) * args.width,
                                         static_cast<double>(args.query_scale));
          Complex sum = 0;
          for (Complex& own : query) {
            if (is_softmax) sum += own = std::exp(own);
          }
          for (Complex& own : query) own /= is_softmax ? sum : 1.0;
          std::vector<Complex> o(args.value_width);
          Complex divisor = args.normalize ? static_cast<double>(args.eps) : 1.0;
          for (std::size_t j = 0; j < (args.causal ? std::min(length, i + 1) : length); ++j) {
            Complex weight = 0;
            for (std::size_t f = 0; f < query.size(); ++f) weight += query[f] * keys[j][f];
            if (args.normalize) divisor += weight;
            for (std::size_t c = 0; c < args.value_width; ++c)
              o[c] += weight * v_all[(kv * args.keys + j) * args.value_width + c];
          }
          for (const Complex& own : o) out.push_back(length == 0 ? 0 : static_cast<double>(args.output_scale) * own / divisor);
        }
      }
    return out;
  }

  testing::AssertionResult agrees() {
    prepare();
    std::vector<float> all = q, start = d_q;
    for (const auto* more : {&k, &v}) all.insert(all.end(), more->begin(), more->end());
    for (const auto* more : {&d_k, &d_v}) start.insert(start.end(), more->begin(), more->end());
    Oracle oracle = gradient_ref([&](const std::vector<Complex>& in) { return forward_ref(in); }, all, d_output, start);
    // Sums over features, before those over pairs, may cancel: sizes of the terms, for numbers of about 1.
    for (double& scale : oracle.scale) scale = 4 * (scale + 1);
    if (const Status status = run(); status != Status::Ok) return testing::AssertionFailure() << to_string(status);
    std::vector<float> got = d_q;
    for (const auto* more : {&d_k, &d_v}) got.insert(got.end(), more->begin(), more->end());
    return within_tolerance(got, oracle);
  }
};

}  // namespace

TEST(LinearBackward, EveryFeatureMapAgreesWithExactDerivatives) {
  std::uint64_t seed = 1;
  for (const FeatureMap map : kFeatureMaps)
    for (const bool causal : {false, true})
      for (const bool normalize : {false, true})
        for (const LinearSizes3& sizes :
             {LinearSizes3{1, 1, 1, 1, 1, 1, 1}, LinearSizes3{2, 2, 1, 5, 7, 3, 5}, LinearSizes3{1, 3, 3, 7, 5, 5, 3}}) {
          if (causal && map == FeatureMap::Softmax) continue;
          LinearGradients gradients(sizes, map, causal, normalize, ++seed);
          if (seed % 3 == 0) {
            for (std::size_t b = 0; b < sizes.batch; ++b)
              gradients.lengths.push_back(static_cast<std::int32_t>((seed + b) % (gradients.args.keys + 1)));
          }
          ASSERT_TRUE(gradients.agrees()) << "map " << static_cast<int>(map) << ", causal " << causal << ", normalize "
                                          << normalize << ", seed " << seed;
        }
}

TEST(LinearBackward, EveryFeatureMapPassesAnyGradientOfItsFeatures) {
  for (const FeatureMap map : kFeatureMaps) {
    if (map == FeatureMap::Exp || map == FeatureMap::Favor) continue;  // whose features are given as exponents
    for (const std::size_t width : {1u, 3u, 7u}) {
      Random random(width);
      const Features features = {map, width, 0, nullptr};
      const std::vector<float> x = drawn(random, width), d = drawn(random, features.count());
      std::vector<float> d_x = drawn(random, width);
      Oracle oracle =
          gradient_ref([&](const std::vector<Complex>& in) { return features_step_ref(features, in.data(), 0.75); }, x, d, d_x);
      add_feature_gradient(features, x.data(), 0.75f, d.data(), d_x.data());
      ASSERT_TRUE(within_tolerance(d_x, oracle)) << static_cast<int>(map);
    }
  }
}

TEST(LinearBackward, ChunksOfACausalCallAgreeWithExactDerivatives) {
  for (const FeatureMap map : {FeatureMap::Elu1, FeatureMap::Favor}) {
    LinearGradients gradients({1, 1, 1, 131, 131, 1, 1}, map, true, true, 4);
    ASSERT_TRUE(gradients.agrees()) << static_cast<int>(map);
  }
}

TEST(LinearBackward, ThreadsChangeNoBitAndKeysBehindTheLengthReceiveNothing) {
  ThreadPool pool;
  pool.start(2);
  for (const bool causal : {false, true}) {
    LinearGradients alone({2, 4, 2, 150, 150, 32, 32}, FeatureMap::Elu1, causal, true, 6);
    alone.lengths = {100, 150};
    LinearGradients shared = alone, loud = alone;
    const std::size_t behind = 100 * 32, end = 150 * 32;
    std::fill(loud.k.begin() + behind, loud.k.begin() + end, kNan);
    std::fill(loud.v.begin() + behind, loud.v.begin() + end, kNan);
    const std::vector<float> before = alone.d_k;
    ASSERT_EQ(alone.run(), Status::Ok);
    ASSERT_EQ(shared.run(&pool), Status::Ok);
    ASSERT_EQ(loud.run(), Status::Ok);
    for (const LinearGradients* other : {&shared, &loud}) {
      EXPECT_TRUE(same_bits(other->d_q, alone.d_q));
      EXPECT_TRUE(same_bits(other->d_k, alone.d_k));
      EXPECT_TRUE(same_bits(other->d_v, alone.d_v));
    }
    for (std::size_t i = behind; i < end; ++i) ASSERT_EQ(alone.d_k[i], before[i]);
  }
}

TEST(LinearBackward, OtherRulesStatesAndASmallWorkspaceAreErrors) {
  LinearGradients gradients({}, FeatureMap::Elu1, true, false, 8);
  const std::vector<float> before = gradients.d_q;
  EXPECT_EQ(gradients.run(nullptr, 1), Status::Memory);
  std::vector<float> state(100);
  LinearBackwardArgs args = gradients.backward();
  args.forward.s = state.data();
  EXPECT_EQ(linear_attention_backward(args, {nullptr, 0}), Status::Value);
  args = gradients.backward();
  args.forward.rule = UpdateRule::Delta;
  EXPECT_EQ(linear_attention_backward(args, {nullptr, 0}), Status::Value);
  args = gradients.backward();
  args.forward.features.width = 2;
  EXPECT_EQ(linear_attention_backward(args, {nullptr, 0}), Status::Shape);
  EXPECT_TRUE(same_bits(gradients.d_q, before));
}

}  // namespace fovea::test
