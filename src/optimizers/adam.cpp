#include "optimizers/adam.hpp"

#include <cmath>

#include "optimizers/for_vectors.hpp"
#include "simd/simd.hpp"

namespace fovea {

void adam(const AdamArgs& args, std::size_t count, const AdamArrays& arrays, ThreadPool* pool) noexcept {
  using simd::f32;
  const auto constant = [](double number) { return simd::splat(static_cast<float>(number)); };
  const f32 decay = constant(args.decoupled ? 1 - args.learning_rate * args.weight_decay : args.weight_decay);
  const f32 rest1 = constant(1 - args.beta1), beta2 = constant(args.beta2), rest2 = constant(1 - args.beta2),
            eps = constant(args.eps), root = constant(std::sqrt(1 - args.beta2_power)),
            step = constant(args.learning_rate / (1 - args.beta1_power));
  const bool decays = args.weight_decay != 0, decoupled = args.decoupled;
  for_vectors(
      count, pool,
      [=](f32 g, f32& p, f32& m, f32& v) {
        if (decays && decoupled) p = p * decay;
        if (decays && !decoupled) g = g + decay * p;
        m = m + rest1 * (g - m);
        v = beta2 * v + rest2 * g * g;
        p = p - step * m / (simd::sqrt(v) / root + eps);
      },
      arrays.gradient, arrays.parameter, arrays.first_moment, arrays.second_moment);
}

}  // namespace fovea
