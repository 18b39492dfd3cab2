#include "ops/unit_rows_backward.hpp"

#include <algorithm>
#include <cmath>

#include "gemm/dot.hpp"

namespace fovea {
namespace {

constexpr std::size_t kRows = 64;  // of one task
constexpr std::size_t kCost = 8;   // multiply-adds in the time of an entry

}  // namespace

void unit_rows_backward(const UnitRowsBackwardArgs& args, ThreadPool* pool) noexcept {
  const UnitRowsArgs& forward = args.forward;
  const std::size_t rows = forward.batch * forward.heads * forward.tokens, width = forward.width;
  const HeadsView<float> d_x = {args.d_x, forward.x.batch, forward.x.head, forward.x.token};
  // Where heads of x are one array, its gradients are added in order, by one thread.
  const bool is_repeated = forward.x.batch == 0 || forward.x.head == 0 || forward.x.token == 0;
  ThreadPool* const chosen = is_repeated || is_short_work(rows, width, kCost) ? nullptr : pool;
  parallel_for(chosen, (rows + kRows - 1) / kRows, [&](std::size_t task, std::size_t) {
    for (std::size_t row = task * kRows; row < std::min(rows, (task + 1) * kRows); ++row) {
      const std::size_t head = row / forward.tokens, b = head / forward.heads, h = head % forward.heads,
                        t = row % forward.tokens;
      const float *const x = forward.x.row(b, h, t), *const y = forward.y + row * width, *const d = args.d_y + row * width;
      const double length = std::sqrt(dot_in_double(x, x, width)), along = dot_in_double(y, d, width);
      float* const to = d_x.row(b, h, t);
      for (std::size_t i = 0; i < width && length != 0; ++i) {
        to[i] += static_cast<float>((static_cast<double>(d[i]) - static_cast<double>(y[i]) * along) / length);
      }
    }
  });
}

}  // namespace fovea
