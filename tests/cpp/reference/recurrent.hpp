#pragma once
/// Recurrent layers as PyTorch's documentation defines them (torch.nn.RNN, GRU, LSTM), one sequence at a time; the GRU whose
/// reset comes before the product as ONNX does (GRU, linear_before_reset = 0).
/// Computed in double, in float, and in numbers that carry their own first-order condition.

#include <functional>

#include "ops/recurrent.hpp"
#include "support/tolerance.hpp"

namespace fovea::test {

/// A value, and how much it moves, per eps, when every term it is made of is off by one eps of its own size.
struct Conditioned {
  double value = 0, scale = 0;
  Conditioned() = default;
  Conditioned(double of) : value(of) {}  // NOLINT: exact numbers are numbers
  explicit operator double() const { return value; }
};
inline Conditioned operator+(Conditioned a, Conditioned b) {
  Conditioned sum(a.value + b.value);
  sum.scale = a.scale + b.scale;
  return sum;
}
inline Conditioned operator-(Conditioned a, Conditioned b) {
  b.value = -b.value;
  return a + b;
}
inline Conditioned operator*(Conditioned a, Conditioned b) {
  Conditioned product(a.value * b.value);
  product.scale = std::abs(a.value) * b.scale + std::abs(b.value) * a.scale + std::abs(product.value);
  return product;
}

template <class Real>
Real tanh_ref(Real x) {
  return std::tanh(x);
}
template <>
inline Conditioned tanh_ref(Conditioned x) {
  Conditioned y(std::tanh(x.value));
  y.scale = (1 - y.value * y.value) * x.scale + std::abs(y.value);
  return y;
}

template <class Real>
Real sigmoid_ref(Real x) {
  return 1 / (1 + std::exp(-x));
}
template <>
inline Conditioned sigmoid_ref(Conditioned x) {
  Conditioned y(1 / (1 + std::exp(-x.value)));
  y.scale = y.value * (1 - y.value) * x.scale + y.value;
  return y;
}

/// output [B, T, directions P], hidden [directions, B, P], cell [directions, B, Hd], one after another.
template <class Real>
std::vector<Real> recurrent_values_ref(const RecurrentArgs& args) {
  const std::size_t hidden = args.hidden, state = args.state, wide = args.direction_count * state;
  const std::size_t gates = args.cell == RecurrentCell::Lstm ? 4 : args.cell >= RecurrentCell::Gru ? 3 : 1;
  std::vector<Real> output(args.batch * args.tokens * wide), last_h, last_c;
  for (std::size_t d = 0; d < args.direction_count; ++d) {
    const RecurrentDirection& direction = args.directions[d];
    for (std::size_t b = 0; b < args.batch; ++b) {
      std::vector<Real> h(state), c(hidden);
      for (std::size_t j = 0; j < state && direction.initial_hidden; ++j) h[j] = Real(direction.initial_hidden[b * state + j]);
      for (std::size_t j = 0; j < hidden && direction.initial_cell; ++j) c[j] = Real(direction.initial_cell[b * hidden + j]);
      const auto length = args.lengths ? static_cast<std::size_t>(args.lengths[b]) : args.tokens;
      for (std::size_t n = 0; n < length; ++n) {
        const std::size_t t = direction.backward ? length - 1 - n : n;
        const float* const x =
            args.x + static_cast<std::ptrdiff_t>(b) * args.x_batch + static_cast<std::ptrdiff_t>(t) * args.x_token;
        const auto from_x = [&](std::size_t row) {
          Real sum = 0;
          for (std::size_t i = 0; i < args.width; ++i) sum = sum + Real(direction.weight_ih[row * args.width + i]) * Real(x[i]);
          return direction.bias_ih ? sum + Real(1.0f) * Real(direction.bias_ih[row]) : sum;
        };
        const auto from_h = [&](std::size_t row, const std::vector<Real>& with) {
          Real sum = 0;
          for (std::size_t i = 0; i < state; ++i) sum = sum + Real(direction.weight_hh[row * state + i]) * with[i];
          return direction.bias_hh ? sum + Real(1.0f) * Real(direction.bias_hh[row]) : sum;
        };
        const auto both = [&](std::size_t gate, std::size_t j) {
          return from_x(gate * hidden + j) + from_h(gate * hidden + j, h);
        };
        std::vector<Real> next(hidden);
        if (gates == 1) {
          for (std::size_t j = 0; j < hidden; ++j) {
            const Real sum = both(0, j);
            if (args.cell == RecurrentCell::Tanh)
              next[j] = tanh_ref(sum);
            else
              next[j] = static_cast<double>(sum) <= 0 ? Real(0.0f) : sum;
          }
        } else if (gates == 3) {
          std::vector<Real> reset(state);
          for (std::size_t j = 0; j < hidden; ++j) reset[j] = sigmoid_ref(both(0, j)) * h[j];
          for (std::size_t j = 0; j < hidden; ++j) {
            const Real r = sigmoid_ref(both(0, j)), z = sigmoid_ref(both(1, j));
            const Real inner = args.cell == RecurrentCell::Gru ? r * from_h(2 * hidden + j, h) : from_h(2 * hidden + j, reset);
            const Real fresh = tanh_ref(from_x(2 * hidden + j) + inner), rest = Real(1.0f) - z;
            next[j] = args.update_replaces ? rest * h[j] + z * fresh : rest * fresh + z * h[j];
          }
        } else {
          for (std::size_t j = 0; j < hidden; ++j) {
            const Real i = sigmoid_ref(both(0, j)), f = sigmoid_ref(both(1, j)), g = tanh_ref(both(2, j));
            const Real o = sigmoid_ref(both(3, j));
            c[j] = f * c[j] + i * g;
            next[j] = o * tanh_ref(c[j]);
          }
        }
        for (std::size_t p = 0; p < state; ++p) {
          if (direction.weight_hr == nullptr) {
            h[p] = next[p];
          } else {
            h[p] = 0;
            for (std::size_t j = 0; j < hidden; ++j) h[p] = h[p] + Real(direction.weight_hr[p * hidden + j]) * next[j];
          }
          output[(b * args.tokens + t) * wide + d * state + p] = h[p];
        }
      }
      last_h.insert(last_h.end(), h.begin(), h.end());
      if (args.cell == RecurrentCell::Lstm) last_c.insert(last_c.end(), c.begin(), c.end());
    }
  }
  output.insert(output.end(), last_h.begin(), last_h.end());
  output.insert(output.end(), last_c.begin(), last_c.end());
  return output;
}

inline Oracle recurrent_ref(const RecurrentArgs& args) {
  Oracle oracle;
  oracle.truth = recurrent_values_ref<double>(args);
  oracle.plain = recurrent_values_ref<float>(args);
  for (const Conditioned& one : recurrent_values_ref<Conditioned>(args)) oracle.scale.push_back(one.scale);
  oracle.line = args.state;
  return oracle;
}

}  // namespace fovea::test
