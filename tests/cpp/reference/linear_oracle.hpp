#pragma once
/// The oracle of a call of linear attention: its outputs and its state, in double and in plain float32, and how far rounding
/// may move them (support/tolerance.hpp).
///   floor: what is below exp(-60) of the highest feature may be lost.

#include "reference/linear.hpp"

namespace fovea::test {

struct LinearTruth : LinearRef<double> {
  std::vector<double> size = std::vector<double>(features * columns);  // Σ |terms| of S
  std::vector<double> move = std::vector<double>(features * columns);  // what an eps at every step moves S by
  std::vector<double> values = std::vector<double>(columns);           // Σ |values|
  std::vector<double> top = std::vector<double>(features, -static_cast<double>(kInfinity));  // the highest exponents
  std::vector<double> top_move = std::vector<double>(features);

  void begin_truth(const LinearState& start) {
    begin(start);
    for (std::size_t f = 0; stabilized && f < features; ++f) {
      top[f] = static_cast<double>(start.m[(batch * args.kv_heads + head) * features + f]);
    }
    for (std::size_t n = 0; n < s.size(); ++n) {
      size[n] = move[n] = std::abs(s[n]);
      const double shift = stabilized ? -top[n / columns] : 0;
      if (s[n] != 0) values[n % columns] = std::max(values[n % columns], std::abs(s[n]) * std::exp(shift));
    }
  }

  void rise_to(std::size_t f, double higher, double higher_move) {
    if (!(higher > top[f])) return;
    for (std::size_t n = f * columns; n < (f + 1) * columns && std::isfinite(top[f]); ++n) {
      move[n] += 2 * (higher - top[f]) * size[n];
    }
    top[f] = higher;
    top_move[f] = higher_move;
  }

  void add_truth(std::size_t token) {
    take_key(token);
    std::vector<double> k_move = k.move;
    if (stabilized) {
      for (std::size_t f = 0; f < features; ++f) rise_to(f, std::log(k.value[f] / weight), k.move[f]);
      for (std::size_t f = 0; f < features; ++f) {
        k_move[f] = k.value[f] * (1 + k.move[f] + 2 * (top[f] - std::log(k.value[f] / weight)));
      }
    }
    apply_decay(token);
    for (std::size_t n = 0; args.is_gated() && n < s.size(); ++n) {
      const double a = decay[n / columns];
      size[n] *= a;
      move[n] = a * move[n] + std::abs(s[n]) * (1 + std::abs(std::log(a)));
    }
    take_value(token);
    for (std::size_t c = 0; c < columns; ++c) {
      double u_move = 0;
      if (args.is_delta()) {
        const double beta = std::abs(static_cast<double>(*args.beta.row(batch, head, token)));
        for (std::size_t f = 0; f < features; ++f) {
          const double shift = stabilized ? 2 * std::abs(top[f]) * std::abs(k.value[f]) : 0;
          u_move += (2 * std::abs(k.value[f]) + k_move[f] + shift) * std::abs(s[f * columns + c]);
        }
        u_move = beta * (u_move + std::abs(expected[c])) + 2 * std::abs(u[c]);
      }
      values[c] += std::abs(u[c]);
      for (std::size_t f = 0; f < features; ++f) {
        const double term = std::abs(k.value[f] * u[c]);
        size[f * columns + c] += term;
        move[f * columns + c] += term + k_move[f] * std::abs(u[c]) + std::abs(k.value[f]) * u_move;
      }
    }
    update();
  }

  void add_columns_truth(std::size_t length) {
    add_columns(length, [&](std::size_t j, std::size_t f, double share, double below) {
      const float* const v = args.v.row(batch, head, j);
      const auto x = std::abs(static_cast<double>(args.k.row(batch, head, j)[f]) * static_cast<double>(args.key_scale));
      for (std::size_t c = 0; c + 1 < columns; ++c) {
        const double value = std::abs(static_cast<double>(v[c]));
        size[f * columns + c] += share * value;
        move[f * columns + c] += 2 * share * (2 + x + 2 * below) * value;
        values[c] += value;
      }
    });
  }

  /// Appends the row's truth, its scale and its floor.
  void read(std::size_t query_head, std::size_t token, Oracle& oracle) const {
    FeaturesRef<double> q;
    take_query(query_head, token, q);
    const bool softmax = args.features.map == FeatureMap::Softmax;
    const double highest = *std::max_element(q.value.begin(), q.value.end());
    double peak = highest;
    for (std::size_t f = 0; stabilized && f < features; ++f) {
      peak = std::max(f == 0 ? 0.0 : peak, q.value[f] * weight * std::exp(top[f]));
    }
    std::vector<double> moves(columns), out(columns);
    for (std::size_t f = 0; f < features; ++f) {
      double q_move = q.move[f];
      if (stabilized || softmax) {
        const double term = stabilized ? q.value[f] * weight * std::exp(top[f]) : q.value[f];
        // The exponent of the query and that of the feature are added.
        const double added = stabilized && term > 0 ? std::abs(std::log(q.value[f] / weight)) + std::abs(top[f]) : 0;
        q_move = term == 0 ? 0 : q.value[f] * (1 + q.move[f] + added + 2 * std::log(peak / term));
        if (softmax) q_move *= 2;
      }
      for (std::size_t c = 0; c < columns; ++c) {
        moves[c] += (q.value[f] < 0 ? -q.value[f] : q.value[f]) * (move[f * columns + c] + 2 * std::abs(s[f * columns + c])) +
                    q_move * std::abs(s[f * columns + c]);
      }
    }
    const std::vector<double> o = products(q);
    write(o, 0, out.data());
    const double lost = stabilized || softmax ? std::exp(-60) * static_cast<double>(features) * peak : 0;
    const double output_scale = std::abs(static_cast<double>(args.output_scale));
    const double divisor = args.normalize ? std::abs(o[columns - 1] + static_cast<double>(args.eps)) : 1;
    for (std::size_t c = 0; c + 1 < columns; ++c) {
      double scale = output_scale * moves[c] / divisor + std::abs(out[c]), floor = output_scale * lost * values[c] / divisor;
      if (args.normalize) {
        scale += std::abs(out[c]) * (moves[columns - 1] + static_cast<double>(args.eps)) / divisor;
        floor += std::abs(out[c]) * lost * values[columns - 1] / divisor;
      } else if (stabilized) {
        scale += std::abs(out[c]) * std::abs(std::log(peak));
      }
      oracle.truth.push_back(out[c]);
      oracle.scale.push_back(scale);
      oracle.floor.push_back(floor);
    }
  }
};

struct LinearOracle {
  Oracle output;                   // in the order b, h, i
  std::vector<LinearTruth> truth;  // of each key/value head, when all is seen
  std::vector<LinearRef<float>> plain;
};

/// The oracle's results of a call. `start`: null, or the state it starts from.
inline LinearOracle linear_ref(const LinearArgs& args, const LinearState* start = nullptr) {
  LinearOracle oracle;
  for (std::size_t b = 0; b < args.batch; ++b) {
    for (std::size_t head = 0; head < args.kv_heads; ++head) {
      LinearTruth truth{{args, b, head}};
      LinearRef<float> plain{args, b, head};
      const bool softmax = args.features.map == FeatureMap::Softmax;
      if (start != nullptr && !softmax) {
        truth.begin_truth(*start);
        plain.begin(*start);
      }
      const std::size_t length = args.length(b);
      const auto add = [&](std::size_t token) {
        truth.add_truth(token);
        plain.add(token);
      };
      if (softmax) {
        truth.add_columns_truth(length);
        plain.add_columns(length, [](auto...) {});
      }
      for (std::size_t j = 0; !args.causal && !softmax && j < length; ++j) add(j);
      const bool is_empty = length == 0 && std::all_of(truth.s.begin(), truth.s.end(), [](double x) { return x == 0; });
      std::vector<Oracle> rows(args.group());
      for (std::size_t i = 0; i < args.queries; ++i) {
        if (args.causal && i < length) add(i);
        for (std::size_t g = 0; g < args.group(); ++g) {
          const std::size_t h = head * args.group() + g;
          std::vector<float> out(plain.columns);
          if (is_empty) {
            for (auto* list : {&rows[g].truth, &rows[g].scale, &rows[g].floor}) list->resize(list->size() + args.value_width);
          } else {
            FeaturesRef<float> q;
            truth.read(h, i, rows[g]);
            const float shift = plain.take_query(h, i, q);
            plain.write(plain.products(q), shift, out.data());
          }
          rows[g].plain.insert(rows[g].plain.end(), out.begin(), out.end() - 1);
        }
      }
      for (const Oracle& of_head : rows) {
        Oracle& all = oracle.output;
        all.truth.insert(all.truth.end(), of_head.truth.begin(), of_head.truth.end());
        all.scale.insert(all.scale.end(), of_head.scale.begin(), of_head.scale.end());
        all.floor.insert(all.floor.end(), of_head.floor.begin(), of_head.floor.end());
        all.plain.insert(all.plain.end(), of_head.plain.begin(), of_head.plain.end());
      }
      oracle.truth.push_back(std::move(truth));
      oracle.plain.push_back(std::move(plain));
    }
  }
  oracle.output.line = args.value_width;
  return oracle;
}

/// s, then z where there is one, of every head, relative to the stabilizers that the call left.
inline Oracle state_oracle(const LinearArgs& args, const LinearOracle& oracle, const std::vector<float>& m) {
  Oracle state;
  state.line = oracle.truth.empty() ? 1 : oracle.truth[0].features;
  const std::size_t count = args.value_width + (args.normalize ? 1 : 0);
  for (std::size_t n = 0; n < oracle.truth.size(); ++n) {
    const LinearTruth& truth = oracle.truth[n];
    const LinearRef<float>& plain = oracle.plain[n];
    for (std::size_t c = 0; c < count; ++c) {
      for (std::size_t f = 0; f < truth.features; ++f) {
        const float own = truth.stabilized ? m[n * truth.features + f] : 0;
        const double shift = std::isfinite(own) ? static_cast<double>(own) : 0;
        const double factor = std::exp(-shift);
        const double plain_factor = std::isfinite(plain.m[f]) ? std::exp(static_cast<double>(plain.m[f]) - shift) : 1;
        const std::size_t at = f * truth.columns + c;
        state.truth.push_back(truth.s[at] * factor);
        state.plain.push_back(static_cast<float>(static_cast<double>(plain.s[at]) * plain_factor));
        state.scale.push_back((truth.move[at] + std::abs(truth.s[at])) * factor);
        state.floor.push_back(truth.stabilized ? std::exp(-60) * truth.values[c] : 0);
      }
    }
  }
  return state;
}

}  // namespace fovea::test
