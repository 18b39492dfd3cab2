#pragma once
/// Stochastic gradient descent with momentum, as torch.optim.SGD.
///   g <- g + weight_decay p
///   m <- momentum m + (1 - dampening) g, in the first step m <- g;   g <- g + momentum m (Nesterov), or m
///   p <- p - learning_rate g
/// Shapes: p, g and m [count]; m null where momentum is 0. g is not written.
/// Accuracy: float32, every operation rounded; 1 - dampening in double.
/// Determinism: an element's bits depend on nothing else; threads share out chunks.

#include <cstddef>

#include "core/thread_pool.hpp"

namespace fovea {

struct SgdArgs {
  double learning_rate = 1e-3, momentum = 0, dampening = 0, weight_decay = 0;
  bool nesterov = false;
  bool is_first = false;  // step: m is not read
};

void sgd(const SgdArgs& args, std::size_t count, const float* gradient, float* parameter, float* momentum,
         ThreadPool* pool = nullptr) noexcept;

}  // namespace fovea
