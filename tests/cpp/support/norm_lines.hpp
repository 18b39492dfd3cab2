#pragma once
/// Lines to normalize.

#include "ops/row_norm.hpp"
#include "reference/layers.hpp"
#include "support/random.hpp"
#include "support/scratch.hpp"

namespace fovea::test {

struct Lines {
  RowNormArgs args;
  std::vector<float> x, residual, weight, bias, y;

  Lines(RowNorm kind, std::size_t outer, std::size_t n, std::size_t inner, std::size_t gap = 0)
      : x(outer * (n * inner + gap) + 1, kHuge), y(outer * n * inner + 4, kPoison) {
    args.kind = kind;
    args.outer = outer;
    args.n = n;
    args.inner = inner;
    args.x_outer = static_cast<std::ptrdiff_t>(n * inner + gap);
    args.eps = 1e-5f;
  }

  template <class F>
  void fill(F next) {
    for (std::size_t o = 0; o < args.outer; ++o)
      for (std::size_t at = 0; at < args.n * args.inner; ++at) {
        x[o * static_cast<std::size_t>(args.x_outer) + at] = next();
      }
  }

  Status run(ThreadPool* pool = nullptr, std::size_t short_by = 0) {
    args.x = x.data();
    args.residual = residual.empty() ? nullptr : residual.data();
    args.weight = weight.empty() ? nullptr : weight.data();
    args.bias = bias.empty() ? nullptr : bias.data();
    args.y = y.data();
    Scratch scratch(row_norm_workspace_bytes(args.n, args.inner, threads_of(pool)), short_by, kPoison);
    const Status status = row_norm(args, scratch.workspace(), pool);
    return scratch.guard_intact() ? status : Status::Internal;
  }

  testing::AssertionResult agrees() {
    if (!all_poison(std::span(y).last(4))) return testing::AssertionFailure() << "written beyond y";
    Oracle oracle;
    std::vector<float> got;
    oracle.line = args.n;
    for (std::size_t o = 0; o < args.outer; ++o)
      for (std::size_t i = 0; i < args.inner; ++i) {
        std::vector<float> line, other;
        for (std::size_t t = 0; t < args.n; ++t) {
          const std::size_t at = t * args.inner + i;
          line.push_back(x[o * static_cast<std::size_t>(args.x_outer) + at]);
          if (!residual.empty()) other.push_back(residual[o * args.n * args.inner + at]);
          got.push_back(y[o * args.n * args.inner + at]);
        }
        for (const double value : row_norm_ref<double>(args, line, other, &oracle.scale)) oracle.truth.push_back(value);
        for (const float value : row_norm_ref<float>(args, line, other)) oracle.plain.push_back(value);
      }
    return within_tolerance(got, oracle);
  }
};

inline constexpr RowNorm kNorms[] = {RowNorm::Layer, RowNorm::Rms};

}  // namespace fovea::test
