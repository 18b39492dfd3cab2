#include "optimizers/sgd.hpp"

#include "optimizers/for_vectors.hpp"
#include "simd/simd.hpp"

namespace fovea {

void sgd(const SgdArgs& args, std::size_t count, const float* gradient, float* parameter, float* momentum,
         ThreadPool* pool) noexcept {
  using simd::f32;
  const auto constant = [](double number) { return simd::splat(static_cast<float>(number)); };
  const f32 rate = constant(args.learning_rate), decay = constant(args.weight_decay), kept = constant(args.momentum),
            added = constant(1 - args.dampening);
  const bool decays = args.weight_decay != 0, moves = momentum != nullptr, is_first = args.is_first, nesterov = args.nesterov;
  for_vectors(
      count, pool,
      [=](f32 g, f32& p, f32& m) {
        if (decays) g = g + decay * p;
        if (moves) {
          m = is_first ? g : kept * m + added * g;
          g = nesterov ? g + kept * m : m;
        }
        p = p - rate * g;
      },
      gradient, parameter, momentum);
}

}  // namespace fovea
