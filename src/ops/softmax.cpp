#include "ops/softmax.hpp"

#include <algorithm>
#include <cmath>

#include "core/infinity.hpp"
#include "simd/simd.hpp"

namespace fovea {
namespace {

using simd::f32;
using simd::load;
using simd::splat;
using simd::store;

/// A line of x, and its exponentials.
struct Lines {
  float *x, *p;

  Lines(std::size_t n, Workspace& workspace) noexcept : x(workspace.take<float>(n)), p(workspace.take<float>(n)) {}
};

struct Line {
  float m;  // the maximum; a NaN may hide from it, never from l
  float l;  // Σ exp(x - m); 0 only where every entry is -inf
};

/// p <- exp(x - m)
Line exponentiate(const float* x, std::size_t n, float* p) noexcept {
  float m = kMinusInfinity;
  for (std::size_t i = 0; i < n; ++i) m = x[i] > m ? x[i] : m;
  const f32 shift = splat(m == kMinusInfinity ? 0.0f : m);

  f32 sum = splat(0.0f);
  std::size_t i = 0;
  for (; i + f32::size <= n; i += f32::size) {
    const f32 e = simd::exp(load(x + i) - shift);
    sum = sum + e;
    store(p + i, e);
  }
  float l = simd::reduce_add(sum);
  for (; i < n; ++i) l += p[i] = simd::exp(splat(x[i]) - shift).get(0);
  return {m, l};
}

/// The line's results over x, which is scratch; the kind is never LogSumExp here.
void normalize(SoftmaxKind kind, Line line, const float* p, std::size_t n, float* x) noexcept {
  if (kind == SoftmaxKind::Softmax) {
    for (std::size_t i = 0; i < n; ++i) x[i] = line.l == 0.0f ? 0.0f : p[i] / line.l;
    return;
  }
  const float log_l = std::log(line.l);
  for (std::size_t i = 0; i < n; ++i) x[i] = line.l == 0.0f ? kMinusInfinity : x[i] - line.m - log_l;
}

}  // namespace

std::uint64_t softmax_workspace_bytes(std::size_t n) noexcept {
  return count_bytes([&](Workspace& workspace) { Lines(n, workspace); });
}

Status softmax(SoftmaxKind kind, const float* x, float* y, std::size_t outer, std::size_t n, std::size_t inner,
               Workspace workspace) noexcept {
  const auto [line, p] = Lines(n, workspace);
  if (!workspace.sufficed()) return Status::Memory;
  for (std::size_t o = 0; o < outer; ++o) {
    for (std::size_t i = 0; i < inner; ++i) {
      const std::size_t first = o * n * inner + i;
      for (std::size_t t = 0; t < n; ++t) line[t] = x[first + t * inner];
      const Line sums = exponentiate(line, n, p);
      if (kind == SoftmaxKind::LogSumExp) {
        y[o * inner + i] = sums.m + std::log(sums.l);
        continue;
      }
      normalize(kind, sums, p, n, line);
      for (std::size_t t = 0; t < n; ++t) y[first + t * inner] = line[t];
    }
  }
  return Status::Ok;
}

}  // namespace fovea
