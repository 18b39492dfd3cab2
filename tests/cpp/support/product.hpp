#pragma once
/// A product of matrices with its arrays among loud neighbors.

#include "gemm/packed_weights.hpp"
#include "reference/matmul.hpp"
#include "support/random.hpp"
#include "support/scratch.hpp"

namespace fovea::test {

/// rows × columns elements among loud neighbors, stored by rows or by columns.
class Matrix {
 public:
  Matrix(std::size_t rows, std::size_t columns, float filler, bool transposed = false, std::size_t gap = 0,
         std::size_t lead = 0)
      : rows_(rows),
        columns_(columns),
        lead_(lead),
        filler_(filler),
        transposed_(transposed),
        stride_((transposed ? rows : columns) + gap) {
    const std::size_t lines = transposed ? columns : rows, line = transposed ? rows : columns;
    memory_.assign(lead + (lines == 0 || line == 0 ? 0 : (lines - 1) * stride_ + line) + gap, filler);
  }

  float& at(std::size_t r, std::size_t c) { return memory_[lead_ + (transposed_ ? c * stride_ + r : r * stride_ + c)]; }

  template <class F>
  void fill(F next) {
    for (std::size_t r = 0; r < rows_; ++r)
      for (std::size_t c = 0; c < columns_; ++c) at(r, c) = next();
  }

  MatrixView<float> view() {
    const auto stride = static_cast<std::ptrdiff_t>(stride_);
    return {memory_.data() + lead_, rows_, columns_, transposed_ ? 1 : stride, transposed_ ? stride : 1};
  }
  MatrixView<const float> input() {
    const MatrixView<float> v = view();
    return {v.data, v.rows, v.columns, v.row_stride, v.column_stride};
  }

  std::vector<float> elements() {
    std::vector<float> copy;
    for (std::size_t r = 0; r < rows_; ++r)
      for (std::size_t c = 0; c < columns_; ++c) copy.push_back(at(r, c));
    return copy;
  }

  bool filler_intact() {
    Matrix copy = *this;
    copy.fill([this] { return filler_; });
    return std::all_of(copy.memory_.begin(), copy.memory_.end(), [this](float x) { return bits_of(x) == bits_of(filler_); });
  }

 private:
  std::size_t rows_, columns_, lead_;
  float filler_;
  bool transposed_;
  std::size_t stride_;
  std::vector<float> memory_;
};

struct Product {
  Matrix a, b, c;
  std::vector<float> bias;

  Product(std::size_t m, std::size_t k, std::size_t n, bool transposed, std::size_t gap, bool with_bias, std::uint64_t seed)
      : a(m, k, kHuge, false, gap, gap % 4),
        b(k, n, kHuge, transposed, gap, (gap + 1) % 4),
        c(m, n, kPoison, false, gap, gap % 3) {
    Random random(seed);
    a.fill([&] { return random.normal(); });
    b.fill([&] { return random.normal(); });
    for (std::size_t j = 0; with_bias && j < n; ++j) bias.push_back(random.normal());
    if (with_bias) bias.shrink_to_fit();
    if (with_bias && n == 0) bias.push_back(kHuge);
  }

  const float* bias_or_null() const { return bias.empty() ? nullptr : bias.data(); }

  /// B as whole column panels, nothing beside them.
  std::vector<float> packed() {
    const MatrixView<const float> view = b.input();
    std::vector<float> panels((view.columns + 7) / 8 * 8 * view.rows, kPoison);
    pack_weights(view, panels.data(), 8 * view.rows);
    panels.shrink_to_fit();
    return panels;
  }

  Status run_packed(ThreadPool* pool = nullptr) {
    const std::vector<float> panels = packed();
    std::vector<float> workspace(floats_of(matmul_workspace_bytes(threads_of(pool))));
    const RightFactor right = {{panels.data(), b.input().rows, b.input().columns, 0, 0}, WeightFormat::Panels};
    return matmul(a.input(), right, bias_or_null(), c.view(), {workspace.data(), workspace.size() * sizeof(float)}, pool);
  }

  Status run(std::size_t short_by = 0, float workspace_filler = kPoison, ThreadPool* pool = nullptr) {
    constexpr std::size_t kGuard = 64;
    const std::size_t given = floats_of(matmul_workspace_bytes(threads_of(pool))) - short_by;
    std::vector<float> workspace(given + kGuard, workspace_filler);
    const Status status =
        matmul(a.input(), b.input(), bias_or_null(), c.view(), {workspace.data(), given * sizeof(float)}, pool);
    for (std::size_t i = given; i < workspace.size(); ++i) {
      if (bits_of(workspace[i]) != bits_of(workspace_filler)) return Status::Internal;
    }
    return status;
  }

  testing::AssertionResult agrees() {
    if (const Status status = run(); status != Status::Ok) return testing::AssertionFailure() << to_string(status);
    if (!c.filler_intact()) return testing::AssertionFailure() << "written outside of c";
    return within_tolerance(c.elements(), matmul_ref(a.input(), b.input(), bias_or_null()));
  }
};

}  // namespace fovea::test
