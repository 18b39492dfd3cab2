/// Gradients of layer and root-mean-square normalization against exact derivatives.

#include "ops/row_norm_backward.hpp"

#include "support/gradient.hpp"
#include "support/norm_lines.hpp"

namespace fovea::test {
namespace {

/// The normalized lines of s = x + residual, [lines, n], as functions of s, weight and bias.
template <class Number>
std::vector<Number> normalized_ref(const RowNormArgs& args, const std::vector<Number>& s, const std::vector<Number>& weight,
                                   const std::vector<Number>& bias) {
  std::vector<Number> y;
  const std::size_t n = args.n;
  for (std::size_t first = 0; first < s.size(); first += n) {
    Number mean = 0, square = 0;
    for (std::size_t i = 0; i < n && args.kind == RowNorm::Layer; ++i) mean += s[first + i] / static_cast<double>(n);
    for (std::size_t i = 0; i < n; ++i) square += (s[first + i] - mean) * (s[first + i] - mean) / static_cast<double>(n);
    const Number r = 1.0 / std::sqrt(square + static_cast<double>(args.eps));
    for (std::size_t i = 0; i < n; ++i) {
      const Number z = (s[first + i] - mean) * r;
      y.push_back((weight.empty() ? z : z * weight[i]) + (bias.empty() ? Number(0) : bias[i]));
    }
  }
  return y;
}

struct NormGradients {
  Lines lines;
  std::vector<float> d_y, d_x, d_residual, d_weight, d_bias;

  NormGradients(RowNorm kind, std::size_t outer, std::size_t n, std::size_t inner, std::size_t gap, bool has_all,
                std::uint64_t seed, float size = 1.0f)
      : lines(kind, outer, n, inner, gap) {
    Random random(seed);
    lines.fill([&] { return size * random.normal(); });
    const std::size_t all = outer * n * inner;
    if (has_all) {
      lines.residual = drawn(random, all);
      for (float& own : lines.residual) own *= size;
      lines.weight = drawn(random, n);
      lines.bias = drawn(random, n);
    }
    d_y = drawn(random, all);
    d_x = drawn(random, lines.x.size());
    d_residual = drawn(random, all);
    d_weight = drawn(random, n);
    d_bias = drawn(random, n);
  }

  RowNormBackwardArgs args() {
    const auto or_null = [](const std::vector<float>& numbers) { return numbers.empty() ? nullptr : numbers.data(); };
    lines.args.x = lines.x.data();
    lines.args.residual = or_null(lines.residual);
    lines.args.weight = or_null(lines.weight);
    lines.args.bias = or_null(lines.bias);
    RowNormBackwardArgs all = {lines.args, d_y.data(), d_x.data()};
    if (!lines.weight.empty()) {
      all.d_residual = d_residual.data();
      all.d_weight = d_weight.data();
      all.d_bias = d_bias.data();
    }
    return all;
  }

  Status run(const RowNormBackwardArgs& all, ThreadPool* pool = nullptr, std::size_t short_by = 0) {
    Scratch scratch(row_norm_backward_workspace_bytes(all, threads_of(pool)), short_by, kPoison);
    const Status status = row_norm_backward(all, scratch.workspace(), pool);
    return scratch.guard_intact() ? status : Status::Internal;
  }

  std::size_t at(std::size_t line, std::size_t i, bool in_x) const {
    const std::size_t n = lines.args.n, inner = lines.args.inner;
    const std::size_t start = line / inner * (in_x ? static_cast<std::size_t>(lines.args.x_outer) : n * inner);
    return start + i * inner + line % inner;
  }
  std::size_t count() const { return lines.args.outer * lines.args.inner; }

  /// The numbers of an array of all lines, one line after another.
  std::vector<float> by_line(const std::vector<float>& all, bool in_x) const {
    std::vector<float> numbers;
    for (std::size_t line = 0; line < count(); ++line)
      for (std::size_t i = 0; i < lines.args.n; ++i) numbers.push_back(all[at(line, i, in_x)]);
    return numbers;
  }

  /// The sizes of the terms r (g - mean g - z mean(g z)) of one line, which may cancel. An eps of s moves z by that of its largest.
  std::vector<double> gradient_scale(const std::vector<double>& s, const std::vector<float>& d,
                                     const std::vector<float>& start) const {
    const std::size_t n = s.size();
    const std::vector<double> z = normalized_ref<double>(lines.args, s, {}, {});
    double mean = 0, square = 0, largest = 0;
    for (const double own : s) {
      largest = std::max(largest, std::abs(own));
      if (lines.args.kind == RowNorm::Layer) mean += own / static_cast<double>(n);
    }
    for (const double own : s) square += (own - mean) * (own - mean) / static_cast<double>(n);
    const double r = 1 / std::sqrt(square + static_cast<double>(lines.args.eps));
    std::vector<double> scale;
    for (std::size_t j = 0; j < n; ++j) {
      double sum = 0;
      for (std::size_t i = 0; i < n; ++i) {
        const double g =
            std::abs(static_cast<double>(d[i]) * (lines.weight.empty() ? 1.0 : static_cast<double>(lines.weight[i])));
        sum += g * ((i == j ? 1 : 0) +
                    (1 + (std::abs(z[i]) + r * largest) * (std::abs(z[j]) + r * largest)) / static_cast<double>(n));
      }
      scale.push_back(std::abs(static_cast<double>(start[j])) + r * sum);
    }
    return scale;
  }

  testing::AssertionResult agrees() {
    const RowNormBackwardArgs all = args();
    const auto wide = [](const std::vector<float>& numbers) { return std::vector<Complex>(numbers.begin(), numbers.end()); };
    // s and its gradient, exact.
    const std::vector<float> x = by_line(lines.x, true), d = by_line(d_y, false);
    const std::vector<float> residual =
        lines.residual.empty() ? std::vector<float>(x.size(), 0.0f) : by_line(lines.residual, false);
    const auto of_line = [&](std::size_t line, const std::vector<float>& start) {
      const auto from = static_cast<std::ptrdiff_t>(line * lines.args.n), to = from + static_cast<std::ptrdiff_t>(lines.args.n);
      const auto part = [&](const std::vector<float>& of) { return std::vector<float>(of.begin() + from, of.begin() + to); };
      std::vector<double> s;
      const auto forward = [&](std::vector<Complex> moved) {
        for (std::size_t i = 0; i < moved.size(); ++i)
          moved[i] += static_cast<double>(residual[static_cast<std::size_t>(from) + i]);
        s.clear();
        for (const Complex& own : moved) s.push_back(own.real());
        return normalized_ref<Complex>(lines.args, moved, wide(lines.weight), {});
      };
      Oracle oracle = gradient_ref(forward, part(x), part(d), part(start));
      oracle.scale = gradient_scale(s, part(d), part(start));
      return oracle;
    };
    std::vector<Oracle> of_x, of_residual;
    for (std::size_t line = 0; line < count(); ++line) {
      of_x.push_back(of_line(line, by_line(d_x, true)));
      of_residual.push_back(of_line(line, by_line(d_residual, false)));
    }
    Oracle of_weight, of_bias;
    if (all.d_weight != nullptr) {
      std::vector<Complex> s = wide(x);
      for (std::size_t i = 0; i < s.size(); ++i) s[i] += static_cast<double>(residual[i]);
      const auto by_weight = [&](const std::vector<Complex>& weight) {
        return normalized_ref<Complex>(lines.args, s, weight, {});
      };
      const auto by_bias = [&](const std::vector<Complex>& bias) {
        return normalized_ref<Complex>(lines.args, s, wide(lines.weight), bias);
      };
      of_weight = gradient_ref(by_weight, lines.weight, d, d_weight);
      of_bias = gradient_ref(by_bias, lines.bias, d, d_bias);
    }
    if (const Status status = run(all); status != Status::Ok) return testing::AssertionFailure() << to_string(status);
    const std::vector<float> got_x = by_line(d_x, true), got_residual = by_line(d_residual, false);
    const auto n = static_cast<std::ptrdiff_t>(lines.args.n);
    for (std::size_t line = 0; line < count(); ++line) {
      const auto from = static_cast<std::ptrdiff_t>(line) * n;
      auto result = within_tolerance(std::vector<float>(got_x.begin() + from, got_x.begin() + from + n), of_x[line]);
      if (!result) return result << " in dX, line " << line;
      if (all.d_residual == nullptr) continue;
      auto other =
          within_tolerance(std::vector<float>(got_residual.begin() + from, got_residual.begin() + from + n), of_residual[line]);
      if (!other) return other << " in dResidual, line " << line;
    }
    if (all.d_weight == nullptr) return testing::AssertionSuccess();
    if (auto result = within_tolerance(d_weight, of_weight); !result) return result << " in dWeight";
    return within_tolerance(d_bias, of_bias) << " in dBias";
  }
};

}  // namespace

TEST(RowNormBackward, EveryRaggedSizeAgreesWithExactDerivatives) {
  std::uint64_t seed = 1;
  for (const RowNorm kind : kNorms)
    for (const std::size_t outer : {1u, 3u, 7u})
      for (const std::size_t n : {3u, 5u, 7u, 63u, 65u})
        for (const std::size_t inner : {1u, 3u}) {
          ++seed;
          NormGradients gradients(kind, outer, n, inner, seed % 4, seed % 3 != 0, seed);
          ASSERT_TRUE(gradients.agrees()) << static_cast<int>(kind) << ": " << outer << " " << n << " " << inner;
        }
}

TEST(RowNormBackward, SumsOverManyLinesAgree) {
  NormGradients rows(RowNorm::Layer, 131, 9, 1, 0, true, 77), columns(RowNorm::Rms, 2, 9, 150, 0, true, 78);
  EXPECT_TRUE(rows.agrees());
  EXPECT_TRUE(columns.agrees());
}

TEST(RowNormBackward, NumbersWhoseSquaresLeaveTheRangeHaveGradientsAllTheSame) {
  for (const RowNorm kind : kNorms)
    for (const std::size_t inner : {1u, 2u})
      for (const float size : {1e-20f, 1e19f, 1e30f}) {
        NormGradients gradients(kind, 2, 37, inner, 0, false, 5, size);
        gradients.lines.args.eps = size < 1 ? 0.0f : 1e-5f;
        // A gradient as large as 1 / size.
        for (float& own : gradients.d_x) own = 0.0f;
        for (float& own : gradients.d_y) own *= size < 1 ? 1e-10f : 1e10f;
        ASSERT_TRUE(gradients.agrees()) << size;
      }
}

TEST(RowNormBackward, NanStaysInItsLine) {
  for (const std::size_t inner : {1u, 3u}) {
    NormGradients clean(RowNorm::Layer, 2, 9, inner, 0, false, 4), loud = clean;
    loud.lines.x[4 * inner] = kNan;
    ASSERT_EQ(clean.run(clean.args()), Status::Ok);
    ASSERT_EQ(loud.run(loud.args()), Status::Ok);
    for (std::size_t at = 0; at < 2 * 9 * inner; ++at) {
      if (at < 9 * inner && at % inner == 0) {
        EXPECT_TRUE(std::isnan(loud.d_x[at]));
      } else {
        EXPECT_TRUE(same_bits(loud.d_x[at], clean.d_x[at]));
      }
    }
  }
}

TEST(RowNormBackward, AnyNumberOfThreadsGivesTheSameBits) {
  ThreadPool pool;
  pool.start(2);
  for (const auto& [outer, inner] : {std::pair<std::size_t, std::size_t>{2000, 1}, {3, 700}}) {
    NormGradients alone(RowNorm::Layer, outer, 65, inner, 0, true, 6), shared = alone;
    ASSERT_EQ(alone.run(alone.args()), Status::Ok);
    ASSERT_EQ(shared.run(shared.args(), &pool), Status::Ok);
    EXPECT_TRUE(same_bits(alone.d_x, shared.d_x));
    EXPECT_TRUE(same_bits(alone.d_residual, shared.d_residual));
    EXPECT_TRUE(same_bits(alone.d_weight, shared.d_weight));
    EXPECT_TRUE(same_bits(alone.d_bias, shared.d_bias));
  }
}

TEST(RowNormBackward, WhatIsNotWantedIsNotComputedAndSharedGradientsAreBothAdded) {
  for (const std::size_t inner : {1u, 3u}) {
    NormGradients all(RowNorm::Rms, 3, 11, inner, 0, true, 7);
    all.d_x.assign(all.d_x.size(), 0.0f);
    all.d_residual.assign(all.d_residual.size(), 0.0f);
    NormGradients some = all, both = all;
    ASSERT_EQ(all.run(all.args()), Status::Ok);
    RowNormBackwardArgs args = some.args();
    args.d_x = args.d_weight = args.d_bias = nullptr;
    ASSERT_EQ(some.run(args), Status::Ok);
    EXPECT_TRUE(same_bits(some.d_residual, all.d_residual));
    EXPECT_TRUE(all_zero(some.d_x));
    args = both.args();
    args.d_residual = args.d_x;
    ASSERT_EQ(both.run(args), Status::Ok);
    for (std::size_t at = 0; at < all.d_residual.size(); ++at) ASSERT_EQ(both.d_x[at], 2 * all.d_x[at]);
  }
}

TEST(RowNormBackward, AWorkspaceThatIsTooSmallIsAMemoryError) {
  NormGradients gradients(RowNorm::Layer, 2, 5, 1, 0, true, 8);
  const std::vector<float> before = gradients.d_x;
  EXPECT_EQ(gradients.run(gradients.args(), nullptr, 1), Status::Memory);
  EXPECT_TRUE(same_bits(gradients.d_x, before));
}

}  // namespace fovea::test
