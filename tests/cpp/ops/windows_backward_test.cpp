/// Gradients of what works on windows: pooling and convolution.

#include "ops/conv1d_backward.hpp"
#include "ops/pooling_backward.hpp"
#include "support/convolution.hpp"
#include "support/gradient.hpp"

namespace fovea::test {
namespace {

constexpr Pooling kPoolings[] = {Pooling::Max, Pooling::Mean, Pooling::Sum};

struct PoolingCase {
  PoolingArgs args;
  std::vector<float> x, d_y, d_x;

  PoolingCase(const PoolingArgs& sizes, std::uint64_t seed) : args(sizes) {
    args.n_out = (args.n + 2 * args.padding - args.kernel) / args.stride + 1;
    Random random(seed);
    x = drawn(random, args.outer * args.n * args.inner);
    d_y = drawn(random, args.outer * args.n_out * args.inner);
    d_x = drawn(random, x.size());
    args.x = x.data();
  }

  void run(ThreadPool* pool = nullptr) {
    args.x = x.data();
    pool_windows_backward({args, d_y.data(), d_x.data()}, pool);
  }

  Oracle oracle() const {
    return gradient_ref(
        [&](const std::vector<Complex>& in) {
          std::vector<Complex> y;
          for (std::size_t o = 0; o < args.outer; ++o)
            for (std::size_t out = 0; out < args.n_out; ++out)
              for (std::size_t i = 0; i < args.inner; ++i) {
                Complex sum = 0, most = -1e300;
                std::size_t count = 0;
                for (std::size_t k = 0; k < args.kernel; ++k) {
                  const std::size_t place = out * args.stride + k;
                  if (place < args.padding || place - args.padding >= args.n) continue;
                  const Complex own = in[(o * args.n + place - args.padding) * args.inner + i];
                  if (own.real() > most.real()) most = own;
                  sum += own;
                  ++count;
                }
                const auto divisor = static_cast<double>(args.count_padding ? args.kernel : count);
                y.push_back(args.kind == Pooling::Max ? most : args.kind == Pooling::Sum ? sum : sum / divisor);
              }
          return y;
        },
        x, d_y, d_x);
  }
};

PoolingArgs pooling_sizes(Pooling kind, std::size_t outer, std::size_t n, std::size_t inner, std::size_t kernel,
                          std::size_t stride, std::size_t padding, bool count_padding) {
  PoolingArgs args;
  args.kind = kind;
  args.outer = outer;
  args.n = n;
  args.inner = inner;
  args.kernel = kernel;
  args.stride = stride;
  args.padding = padding;
  args.count_padding = count_padding;
  return args;
}

Conv1dArgs convolution_sizes(std::size_t tokens, std::size_t groups, bool channels_last, std::size_t kernel, std::size_t stride,
                             std::size_t dilation, std::size_t padding, std::size_t per_group = 3) {
  Conv1dArgs args;
  args.batch = 2;
  args.groups = groups;
  args.in_channels = groups * per_group;
  args.out_channels = groups * 2;
  args.tokens = tokens;
  args.kernel = kernel;
  args.stride = stride;
  args.dilation = dilation;
  args.padding = padding;
  args.channels_last = channels_last;
  return args;
}

struct ConvolutionGradients {
  Convolution of;
  std::vector<float> d_y, d_x, d_weight, d_bias;

  ConvolutionGradients(const Conv1dArgs& sizes, std::uint64_t seed) : of(sizes, sizes.padding, true, seed) {
    Random random(seed + 1000);
    d_y = drawn(random, of.args.batch * of.args.out_channels * of.args.out_tokens);
    d_x = drawn(random, of.x.size());
    d_weight = drawn(random, of.weight.size());
    d_bias = drawn(random, of.bias.size());
  }

  Conv1dBackwardArgs args() {
    of.args.x = of.x.data();
    of.args.weight = of.weight.data();
    of.args.bias = of.bias.data();
    return {of.args, d_y.data(), d_x.data(), d_weight.data(), d_bias.data()};
  }

  Status run(const Conv1dBackwardArgs& all, ThreadPool* pool = nullptr, std::size_t short_by = 0) {
    Scratch scratch(conv1d_backward_workspace_bytes(all, threads_of(pool)), short_by, kPoison);
    const Status status = conv1d_backward(all, scratch.workspace(), pool);
    return scratch.guard_intact() ? status : Status::Internal;
  }

  /// Calls visit(y, x, weight, o) for every product of the convolution.
  template <class Visit>
  void for_each_term(Visit visit) const {
    const Conv1dArgs& a = of.args;
    for (std::size_t b = 0; b < a.batch; ++b)
      for (std::size_t o = 0; o < a.out_channels; ++o)
        for (std::size_t t = 0; t < a.out_tokens; ++t)
          for (std::size_t c = 0; c < a.group_in(); ++c)
            for (std::size_t k = 0; k < a.kernel; ++k) {
              const std::size_t place = t * a.stride + k * a.dilation;
              if (place < a.padding || place - a.padding >= a.tokens) continue;
              const std::size_t channel = o / a.group_out() * a.group_in() + c, token = place - a.padding;
              visit(a.channels_last ? (b * a.out_tokens + t) * a.out_channels + o : (b * a.out_channels + o) * a.out_tokens + t,
                    a.channels_last ? (b * a.tokens + token) * a.in_channels + channel
                                    : (b * a.in_channels + channel) * a.tokens + token,
                    (o * a.group_in() + c) * a.kernel + k, o);
            }
  }

  /// The product is linear in each of its factors: their gradients are sums of its terms.
  testing::AssertionResult agrees() {
    Oracle of_x, of_weight, of_bias;
    const auto begin = [](Oracle& oracle, const std::vector<float>& start) {
      oracle.truth.assign(start.begin(), start.end());
      for (const float own : start) oracle.scale.push_back(std::abs(static_cast<double>(own)));
    };
    begin(of_x, d_x);
    begin(of_weight, d_weight);
    begin(of_bias, d_bias);
    const auto add = [](Oracle& oracle, std::size_t at, double term) {
      oracle.truth[at] += term;
      oracle.scale[at] += std::abs(term);
    };
    for_each_term([&](std::size_t y, std::size_t x, std::size_t weight, std::size_t) {
      const auto d = static_cast<double>(d_y[y]);
      add(of_x, x, d * static_cast<double>(of.weight[weight]));
      add(of_weight, weight, d * static_cast<double>(of.x[x]));
    });
    const Conv1dArgs& a = of.args;
    for (std::size_t y = 0; y < d_y.size(); ++y)
      add(of_bias, a.channels_last ? y % a.out_channels : y / a.out_tokens % a.out_channels, static_cast<double>(d_y[y]));
    for (Oracle* oracle : {&of_x, &of_weight, &of_bias}) oracle->plain.assign(oracle->truth.begin(), oracle->truth.end());
    if (const Status status = run(args()); status != Status::Ok) return testing::AssertionFailure() << to_string(status);
    if (auto result = within_tolerance(d_x, of_x); !result) return result << " in dX";
    if (auto result = within_tolerance(d_weight, of_weight); !result) return result << " in dWeight";
    return within_tolerance(d_bias, of_bias) << " in dBias";
  }
};

}  // namespace

TEST(PoolingBackward, EveryWindowAgreesWithExactDerivatives) {
  ThreadPool pool;
  pool.start(2);
  std::uint64_t seed = 1;
  for (const Pooling kind : kPoolings)
    for (const std::size_t inner : {1u, 5u, 70u})
      for (const bool count_padding : {false, true})
        for (const PoolingArgs& sizes : {pooling_sizes(kind, 2, 7, inner, 3, 1, 1, count_padding),
                                         pooling_sizes(kind, 1, 9, inner, 4, 3, 0, count_padding),
                                         pooling_sizes(kind, 3, 5, inner, 5, 1, 0, count_padding)}) {
          PoolingCase of(sizes, ++seed);
          PoolingCase shared = of;
          const Oracle oracle = of.oracle();
          of.run();
          ASSERT_TRUE(within_tolerance(of.d_x, oracle)) << static_cast<int>(kind) << ", inner " << inner;
          shared.run(&pool);
          EXPECT_TRUE(same_bits(shared.d_x, of.d_x));
        }
}

TEST(PoolingBackward, TheFirstOfEqualMaximaAndTheFirstNanReceiveAll) {
  PoolingCase of(pooling_sizes(Pooling::Max, 1, 6, 1, 3, 3, 0, false), 3);
  of.x = {1, 2, 2, 5, kNan, kNan};
  of.d_y = {3, 4};
  of.d_x.assign(6, 0.0f);
  of.run();
  EXPECT_EQ(of.d_x, (std::vector<float>{0, 3, 0, 0, 4, 0}));
}

TEST(Conv1dBackward, EveryConvolutionAgreesWithTheDefinition) {
  std::uint64_t seed = 1;
  for (const bool channels_last : {false, true})
    for (const std::size_t groups : {1u, 3u})
      for (const Conv1dArgs& sizes :
           {convolution_sizes(7, groups, channels_last, 3, 1, 1, 1), convolution_sizes(65, groups, channels_last, 4, 2, 3, 5),
            convolution_sizes(600, groups, channels_last, 2, 1, 1, 0),
            convolution_sizes(9, groups, channels_last, 3, 1, 1, 2, 1),
            convolution_sizes(5, groups, channels_last, 1, 1, 1, 0)}) {
        ConvolutionGradients gradients(sizes, ++seed);
        ASSERT_TRUE(gradients.agrees()) << channels_last << ", groups " << groups << ", tokens " << sizes.tokens;
      }
}

TEST(Conv1dBackward, ThreadsChangeNoBitAndWhatIsNotWantedIsNotComputed) {
  ThreadPool pool;
  pool.start(2);
  for (const bool channels_last : {false, true}) {
    ConvolutionGradients alone(convolution_sizes(700, 2, channels_last, 5, 1, 1, 2, 32), 4), shared = alone, some = alone;
    ASSERT_EQ(alone.run(alone.args()), Status::Ok);
    ASSERT_EQ(shared.run(shared.args(), &pool), Status::Ok);
    EXPECT_TRUE(same_bits(alone.d_x, shared.d_x));
    EXPECT_TRUE(same_bits(alone.d_weight, shared.d_weight));
    EXPECT_TRUE(same_bits(alone.d_bias, shared.d_bias));
    Conv1dBackwardArgs args = some.args();
    args.d_x = args.d_bias = nullptr;
    const std::vector<float> before = some.d_x;
    ASSERT_EQ(some.run(args), Status::Ok);
    EXPECT_TRUE(same_bits(some.d_weight, alone.d_weight));
    EXPECT_TRUE(same_bits(some.d_x, before));
    EXPECT_EQ(some.run(some.args(), nullptr, 1), Status::Memory);
    EXPECT_TRUE(same_bits(some.d_x, before));
    args.forward.groups = 5;
    EXPECT_EQ(some.run(args), Status::Shape);
  }
}

}  // namespace fovea::test
