#include "ops/unit_rows.hpp"

#include <algorithm>
#include <cmath>

#include "gemm/dot.hpp"
#include "simd/simd.hpp"

namespace fovea {
namespace {

constexpr std::size_t kRows = 64;  // of one task
constexpr std::size_t kCost = 4;   // multiply-adds in the time of an entry

void normalize_row(const float* x, std::size_t width, float* y) noexcept {
  const double length = std::sqrt(dot_in_double(x, x, width));
  const double factor = length == 0 ? 1 : 1 / length;
  std::size_t d = 0;
  for (; d + simd::f64::size <= width; d += simd::f64::size) {
    simd::store_float(y + d, simd::load_double(x + d) * simd::f64(factor));
  }
  if (d < width) y[d] = static_cast<float>(static_cast<double>(x[d]) * factor);
}

}  // namespace

void unit_rows(const UnitRowsArgs& args, ThreadPool* pool) noexcept {
  const std::size_t rows = args.batch * args.heads * args.tokens;
  ThreadPool* const chosen = is_short_work(rows, args.width, kCost) ? nullptr : pool;
  parallel_for(chosen, (rows + kRows - 1) / kRows, [&](std::size_t task, std::size_t) {
    const std::size_t end = std::min(rows, (task + 1) * kRows);
    for (std::size_t row = task * kRows; row < end; ++row) {
      const std::size_t head = row / args.tokens;
      const float* const x = args.x.row(head / args.heads, head % args.heads, row % args.tokens);
      normalize_row(x, args.width, args.y + row * args.width);
    }
  });
}

}  // namespace fovea
