#pragma once
/// Adam and AdamW, as torch.optim.Adam and AdamW without amsgrad.
///   Adam: g <- g + weight_decay p;   AdamW: p <- p (1 - learning_rate weight_decay)
///   m <- m + (1 - beta1) (g - m),   v <- beta2 v + (1 - beta2) g²
///   p <- p - learning_rate / (1 - beta1^t) · m / (√v / √(1 - beta2^t) + eps)
/// Shapes: p, g, m, v [count]; g is not written. t = 1 in the first step, m and v 0 before it.
/// Accuracy: float32, every operation rounded; what depends on the numbers below alone, in double.
/// Determinism: an element's bits depend on nothing else; threads share out chunks.
/// Papers: arXiv:1412.6980, algorithm 1; arXiv:1711.05101, algorithm 2.

#include <cstddef>

#include "core/thread_pool.hpp"

namespace fovea {

struct AdamArgs {
  double learning_rate = 1e-3, beta1 = 0.9, beta2 = 0.999, eps = 1e-8, weight_decay = 0;
  double beta1_power = 0.9, beta2_power = 0.999;  // beta^t
  bool decoupled = false;                         // AdamW
};

struct AdamArrays {
  const float* gradient = nullptr;
  float* parameter = nullptr;
  float* first_moment = nullptr;
  float* second_moment = nullptr;
};

void adam(const AdamArgs& args, std::size_t count, const AdamArrays& arrays, ThreadPool* pool = nullptr) noexcept;

}  // namespace fovea
