#pragma once
/// A drawn product, its gradients, and the products that define them.

#include "gemm/matmul_backward.hpp"
#include "support/product.hpp"
#include "support/scratch.hpp"

namespace fovea::test {

inline MatrixView<const float> transpose_of(const MatrixView<const float>& of) {
  return {of.data, of.columns, of.rows, of.column_stride, of.row_stride};
}

/// The gradients of a drawn product, begun with other numbers, or fresh.
struct ProductGradients {
  Matrix a, b, d_c, d_a, d_b;
  std::vector<float> d_bias;
  bool fresh;

  ProductGradients(std::size_t m, std::size_t k, std::size_t n, bool transposed, std::size_t gap, bool is_fresh,
                   std::uint64_t seed)
      : a(m, k, kHuge, false, gap, gap % 4),
        b(k, n, kHuge, transposed, gap, (gap + 1) % 4),
        d_c(m, n, kHuge, false, gap, gap % 3),
        d_a(m, k, kPoison, false, gap, gap % 4),
        d_b(k, n, kPoison, transposed, gap, (gap + 1) % 4),
        d_bias(n + 1, kPoison),
        fresh(is_fresh) {
    Random random(seed);
    const auto next = [&] { return random.normal(); };
    for (Matrix* matrix : {&a, &b, &d_c}) matrix->fill(next);
    for (std::size_t j = 0; j < n; ++j) d_bias[j] = random.normal();
    if (fresh) return;
    d_a.fill(next);
    d_b.fill(next);
  }

  MatmulBackwardArgs args() {
    MatmulBackwardArgs all;
    all.a = a.input();
    all.b = b.input();
    all.d_c = d_c.input();
    all.d_a = d_a.view();
    all.d_b = d_b.view();
    all.d_bias = d_bias.data();
    all.fresh_a = all.fresh_b = fresh;
    return all;
  }

  Status run(ThreadPool* pool = nullptr, std::size_t short_by = 0) { return run(args(), pool, short_by); }

  Status run(const MatmulBackwardArgs& all, ThreadPool* pool = nullptr, std::size_t short_by = 0) {
    Scratch scratch(matmul_backward_workspace_bytes(all, threads_of(pool)), short_by, kPoison);
    const Status status = matmul_backward(all, scratch.workspace(), pool);
    return scratch.guard_intact() ? status : Status::Internal;
  }

  /// The product, and with `start` that added to it.
  static Oracle added(Oracle oracle, const std::vector<float>& start) {
    for (std::size_t i = 0; i < oracle.truth.size() && !start.empty(); ++i) {
      oracle.truth[i] += static_cast<double>(start[i]);
      oracle.plain[i] += start[i];
      oracle.scale[i] += std::abs(static_cast<double>(start[i]));
    }
    return oracle;
  }

  testing::AssertionResult agrees(ThreadPool* pool = nullptr) {
    const auto started = [&](Matrix& matrix) { return fresh ? std::vector<float>() : matrix.elements(); };
    const Oracle of_a = added(matmul_ref(d_c.input(), transpose_of(b.input()), nullptr), started(d_a));
    const Oracle of_b = added(matmul_ref(transpose_of(a.input()), d_c.input(), nullptr), started(d_b));
    const std::size_t columns = d_c.input().columns;
    const std::vector<float> ones(d_c.input().rows, 1.0f);
    const Oracle of_bias =
        added(matmul_ref({ones.data(), 1, ones.size(), static_cast<std::ptrdiff_t>(ones.size())}, d_c.input(), nullptr),
              {d_bias.begin(), d_bias.end() - 1});
    if (const Status status = run(pool); status != Status::Ok) return testing::AssertionFailure() << to_string(status);
    if (!d_a.filler_intact() || !d_b.filler_intact() || !is_poison(d_bias[columns]))
      return testing::AssertionFailure() << "written outside of a gradient";
    if (auto result = within_tolerance(d_a.elements(), of_a); !result) return result << " in dA";
    if (auto result = within_tolerance(d_b.elements(), of_b); !result) return result << " in dB";
    return within_tolerance(std::span(d_bias).first(columns), of_bias) << " in dBias";
  }
};

}  // namespace fovea::test
