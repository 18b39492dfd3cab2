/// Gradients of recurrent layers against exact derivatives.

#include "ops/recurrent_backward.hpp"

#include "support/gradient.hpp"
#include "support/recurrent_layer.hpp"

namespace fovea::test {

/// A number of the reference; the one that is read at `moved` has an imaginary step.
struct Stepped {
  static inline const float* moved = nullptr;
  Complex value = 0;

  Stepped() = default;
  Stepped(int of) : value(of) {}      // NOLINT: exact numbers are numbers
  Stepped(Complex of) : value(of) {}  // NOLINT
  Stepped(const float& at) : value(static_cast<double>(at), &at == moved ? kComplexStep : 0.0) {}  // NOLINT
  explicit operator double() const { return value.real(); }
};
inline Stepped operator+(Stepped a, Stepped b) { return a.value + b.value; }
inline Stepped operator-(Stepped a, Stepped b) { return a.value - b.value; }
inline Stepped operator*(Stepped a, Stepped b) { return a.value * b.value; }
template <>
inline Stepped tanh_ref(Stepped x) {
  return std::tanh(x.value);
}
template <>
inline Stepped sigmoid_ref(Stepped x) {
  return 1.0 / (1.0 + std::exp(-x.value));
}

namespace {

/// A layer's gradients: of the results drawn, of the inputs begun with drawn numbers.
struct RecurrentGradients {
  RecurrentLayer layer;
  std::vector<float> d_output, d_hidden, d_cell, d_x;
  std::vector<std::vector<float>> d_weights;  // as layer.weights

  RecurrentGradients(RecurrentCell kind, RecurrentSizes sizes, std::uint64_t seed) : layer(kind, sizes, seed) {
    Random random(seed + 500);
    const RecurrentArgs& args = layer.args;
    d_output = drawn(random, args.batch * args.tokens * args.direction_count * args.state);
    d_hidden = drawn(random, args.direction_count * args.batch * args.state);
    if (kind == RecurrentCell::Lstm) d_cell = drawn(random, args.direction_count * args.batch * args.hidden);
    d_x = drawn(random, layer.x.size());
    for (const auto& weights : layer.weights) d_weights.push_back(drawn(random, weights.size()));
  }

  RecurrentBackwardArgs args() {
    RecurrentBackwardArgs all;
    all.forward = layer.args;
    all.d_output = d_output.data();
    all.d_x = d_x.data();
    std::size_t next = 0;
    for (std::size_t d = 0; d < layer.args.direction_count; ++d) {
      const RecurrentDirection& of = layer.args.directions[d];
      RecurrentDirectionGradients& to = all.directions[d];
      const auto take = [&](const float* array, float*& gradient) {
        if (array != nullptr) gradient = d_weights[next++].data();
      };
      take(of.weight_ih, to.weight_ih);
      take(of.weight_hh, to.weight_hh);
      take(of.bias_ih, to.bias_ih);
      take(of.bias_hh, to.bias_hh);
      take(of.weight_hr, to.weight_hr);
      take(of.initial_hidden, to.initial_hidden);
      take(of.initial_cell, to.initial_cell);
      to.hidden = d_hidden.data() + d * layer.args.batch * layer.args.state;
      if (!d_cell.empty()) to.cell = d_cell.data() + d * layer.args.batch * layer.args.hidden;
    }
    return all;
  }

  Status run(ThreadPool* pool = nullptr, std::size_t short_by = 0) {
    if (const Status status = layer.run(); status != Status::Ok) return status;
    const RecurrentBackwardArgs all = args();
    Scratch scratch(recurrent_backward_workspace_bytes(all, threads_of(pool)), short_by, kNan);
    const Status status = recurrent_backward(all, scratch.workspace(), pool);
    EXPECT_TRUE(scratch.guard_intact());
    return status;
  }

  /// The gradients of the results, in the reference's order.
  std::vector<float> d_results() const {
    RecurrentLayer of = layer;
    of.output = d_output;
    of.hidden = d_hidden;
    of.cell = d_cell;
    return of.results();
  }

  Oracle oracle(const std::vector<float>& array, const std::vector<float>& start) const {
    const std::vector<float> d = d_results();
    Oracle oracle;
    for (std::size_t j = 0; j < array.size(); ++j) {
      Stepped::moved = array.data() + j;
      const std::vector<Stepped> values = recurrent_values_ref<Stepped>(layer.args);
      double truth = static_cast<double>(start[j]), scale = std::abs(truth);
      for (std::size_t i = 0; i < values.size(); ++i) {
        const double term = static_cast<double>(d[i]) * (values[i].value.imag() / kComplexStep);
        truth += term;
        scale += std::abs(term);
      }
      oracle.truth.push_back(truth);
      oracle.plain.push_back(static_cast<float>(truth));
      // Errors of the gates pass from token to token, and add to those of the terms.
      oracle.scale.push_back(scale + 1);
    }
    Stepped::moved = nullptr;
    return oracle;
  }

  testing::AssertionResult agrees(ThreadPool* pool = nullptr) {
    layer.prepare();
    const Oracle of_x = oracle(layer.x, d_x);
    std::vector<Oracle> of_weights;
    for (std::size_t n = 0; n < layer.weights.size(); ++n) of_weights.push_back(oracle(layer.weights[n], d_weights[n]));
    if (const Status status = run(pool); status != Status::Ok) return testing::AssertionFailure() << to_string(status);
    if (auto result = within_tolerance(d_x, of_x); !result) return result << " in dX";
    for (std::size_t n = 0; n < layer.weights.size(); ++n) {
      if (auto result = within_tolerance(d_weights[n], of_weights[n]); !result) return result << " in array " << n;
    }
    return testing::AssertionSuccess();
  }
};

RecurrentSizes drawn_sizes(RecurrentCell kind, std::uint64_t seed) {
  Random random(seed);
  RecurrentSizes sizes;
  sizes.batch = random.size(1, 3);
  sizes.tokens = random.size(1, 5);
  sizes.width = random.pick(std::vector<std::size_t>{1, 3, 5});
  sizes.hidden = random.pick(std::vector<std::size_t>{1, 3, 5, 7});
  sizes.projected = kind == RecurrentCell::Lstm && random.chance(0.4) ? random.size(1, 6) : 0;
  sizes.directions = random.size(1, 2);
  sizes.backward = random.chance(0.5);
  sizes.biases = random.chance(0.7);
  sizes.initial = random.chance(0.7);
  sizes.token_first = random.chance(0.5);
  return sizes;
}

}  // namespace

TEST(RecurrentBackward, EveryVariantAgreesWithExactDerivatives) {
  std::uint64_t seed = 1;
  for (const RecurrentCell kind : kCells)
    for (const bool replaces : {false, true})
      for (int draw = 0; draw < 12; ++draw) {
        ++seed;
        RecurrentGradients gradients(kind, drawn_sizes(kind, seed), seed);
        RecurrentArgs& args = gradients.layer.args;
        args.update_replaces = replaces;
        if (draw % 2 == 1) {
          for (std::size_t b = 0; b < args.batch; ++b)
            gradients.layer.lengths.push_back(static_cast<std::int32_t>((seed + b) % (args.tokens + 1)));
        }
        ASSERT_TRUE(gradients.agrees()) << static_cast<int>(kind) << ", seed " << seed;
      }
}

TEST(RecurrentBackward, PaddingReachesNothingAndReceivesNothing) {
  for (const RecurrentCell kind : kCells) {
    RecurrentSizes sizes;
    sizes.batch = 2;
    sizes.tokens = 5;
    sizes.directions = 2;
    RecurrentGradients clean(kind, sizes, 3);
    clean.layer.lengths = {3, 5};
    RecurrentGradients loud = clean;
    for (std::size_t t = 3; t < 5; ++t) {
      for (std::size_t i = 0; i < sizes.width; ++i) loud.layer.x[t * sizes.width + i] = kNan;
      for (std::size_t j = 0; j < 2 * sizes.hidden; ++j) loud.d_output[t * 2 * sizes.hidden + j] = kNan;
    }
    const std::vector<float> before = clean.d_x;
    ASSERT_EQ(clean.run(), Status::Ok);
    ASSERT_EQ(loud.run(), Status::Ok);
    EXPECT_TRUE(same_bits(loud.d_x, clean.d_x)) << static_cast<int>(kind);
    for (std::size_t i = 3 * sizes.width; i < 5 * sizes.width; ++i) EXPECT_EQ(clean.d_x[i], before[i]);
    for (std::size_t n = 0; n < clean.d_weights.size(); ++n) EXPECT_TRUE(same_bits(loud.d_weights[n], clean.d_weights[n]));
  }
}

TEST(RecurrentBackward, ThreadsChangeNoBitAndWhatIsNotWantedIsNotComputed) {
  ThreadPool pool;
  pool.start(2);
  for (const RecurrentCell kind : kCells) {
    RecurrentSizes sizes;
    sizes.batch = 9;
    sizes.tokens = 30;
    sizes.width = 70;
    sizes.hidden = 65;
    RecurrentGradients alone(kind, sizes, 4), shared = alone, some = alone;
    ASSERT_EQ(alone.run(), Status::Ok);
    ASSERT_EQ(shared.run(&pool), Status::Ok);
    EXPECT_TRUE(same_bits(alone.d_x, shared.d_x));
    for (std::size_t n = 0; n < alone.d_weights.size(); ++n) EXPECT_TRUE(same_bits(alone.d_weights[n], shared.d_weights[n]));
    ASSERT_EQ(some.layer.run(), Status::Ok);
    RecurrentBackwardArgs args = some.args();
    const RecurrentDirectionGradients none = {};
    const float* const hidden = args.directions[0].hidden;
    const float* const cell = args.directions[0].cell;
    args.directions[0] = none;
    args.directions[0].hidden = hidden;
    args.directions[0].cell = cell;
    Scratch scratch(recurrent_backward_workspace_bytes(args), 0, kNan);
    const std::vector<std::vector<float>> before = some.d_weights;
    ASSERT_EQ(recurrent_backward(args, scratch.workspace()), Status::Ok);
    EXPECT_TRUE(same_bits(some.d_x, alone.d_x));
    for (std::size_t n = 0; n < before.size(); ++n) EXPECT_TRUE(same_bits(some.d_weights[n], before[n]));
  }
}

TEST(RecurrentBackward, WrongSizesAndAWorkspaceThatIsTooSmallAreErrors) {
  RecurrentGradients gradients(RecurrentCell::Gru, {}, 5);
  const std::vector<float> before = gradients.d_x;
  EXPECT_EQ(gradients.run(nullptr, 1), Status::Memory);
  EXPECT_TRUE(same_bits(gradients.d_x, before));
  RecurrentBackwardArgs args = gradients.args();
  args.forward.state = 2;
  EXPECT_EQ(recurrent_backward(args, {nullptr, 0}), Status::Shape);
}

}  // namespace fovea::test
