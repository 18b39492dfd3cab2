#pragma once
/// What is written for a row when all its keys have been seen: output, weights, lse. m, l, o are those of online_softmax.hpp.

#include <cstddef>

#include "attention/attention.hpp"

namespace fovea {

/// The row's weights, or null where none are asked for. Until the row is finished they hold its scores.
float* weights_row(const AttentionArgs& args, std::size_t batch, std::size_t head, std::size_t query) noexcept;

/// output[c] <- o[c] scale;  weights[j] <- exp(s[j] - m) scale;  lse <- m + ln l, without the sink, where
///   scale = exp(m - t) / (l exp(m - t) + exp(sink - t)),  t = max(m, sink);
/// 0, 0 and -inf for a row without an allowed key. l has four lanes, o as many floats as a value.
void write_row(const AttentionArgs& args, std::size_t batch, std::size_t head, std::size_t query, float m, const float* l,
               const float* o) noexcept;

}  // namespace fovea
