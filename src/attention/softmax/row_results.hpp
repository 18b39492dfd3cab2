#pragma once
/// Output, weights and lse of a row of softmax, when all its keys have been seen. m, l, o are those of online_softmax.hpp.

#include <cstddef>

#include "attention/problem/attention_args.hpp"

namespace fovea {

/// The scale of a finished row's sums:
///   scale = exp(m - t) / (l exp(m - t) + exp(sink - t)),  t = max(m, sink)
/// Without an allowed score above -inf: empty.
struct RowScale {
  float m, l, scale;
  bool empty;

  /// `lanes`: those of l; a sink of -inf is none.
  RowScale(float row_max, const float* lanes, float sink) noexcept;

  /// m + ln l, without the sink; -inf of an empty row
  [[nodiscard]] float lse() const noexcept;
};

/// out[c] <- o[c] scale, or 0 of an empty row
void write_output(const RowScale& row, const float* o, std::size_t width, float* out) noexcept;

/// The row's weights, or null where none are asked for. Until the row is finished they hold its scores.
float* weights_row(const AttentionArgs& args, std::size_t batch, std::size_t head, std::size_t query) noexcept;

/// output <- o scale;  weights[j] <- exp(s[j] - m) scale f(j), dense and sparse;  lse. 0, 0 and -inf for an
/// empty row. f is the weight scale, which o already holds.
void write_row(const AttentionArgs& args, std::size_t batch, std::size_t head, std::size_t query, float m, const float* l,
               const float* o) noexcept;

}  // namespace fovea
