#pragma once
/// Gradients of the feature maps (linear_attention/feature_maps.hpp), for x <- scale x: dX += scale Jᵀ dφ.
///   identity    dφ                        elu1         dφ where x > 0, else dφ exp(x)
///   relu        dφ where x > 0, else 0    squaredRelu  2 max(x, 0) dφ
///   taylor      dφ[1 + d] + Σ_e x[e] (dφ[d, e] + dφ[e, d]) / √2
///   exp, favor  of the exponents: dφ; favor: Σ_f w_f dφ[f] - x Σ_f dφ[f]
///   softmax     of x: dφ
/// Shapes: x [D], d_features [F], d_x [D].   Accuracy: float32, sums in order.

#include "linear_attention/feature_maps.hpp"

namespace fovea {

/// Adds the gradient of one row. `d_features` of exp, favor and softmax is that of the exponents.
void add_feature_gradient(const Features& features, const float* x, float scale, const float* d_features, float* d_x) noexcept;

}  // namespace fovea
