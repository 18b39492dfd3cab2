#pragma once
/// The gradient of attention by its definition, one pair at a time. With f the factor of a weight:
///   A[i,j]  = d_output[i] · (v[j] + rV) + d_weights[i,j]
///   dS[i,j] = w[i,j] (f A[i,j] - Σ_j w f A) + d_lse[i] exp(s[i,j] - lse[i])
///   dB[i,j] = dS[i,j] / T                          of what is added to the logit
///   dX[i,j] = scale dB[i,j] (1 - (capped / softcap)²)                                  (arXiv:2205.14135 appendix B.4)
///   d_q[i] = Σ_j dX[i,j] (k[j] + rK)     d_k[j] = Σ_i dX[i,j] q[i]       d_v[j] = Σ_i w[i,j] f d_output[i]
///   d_rK[c] = Σ dX[i,j] q[i]             d_rV[c] = Σ w f d_output[i]     d_f = w A     d_sink = - Σ_i exp(sink - total) Σ_j w f A
/// over the allowed pairs; a row without one gives nothing. backward_ref<double> is the oracle, backward_ref<float> the plain
/// definition; attention_loss<std::complex<double>> is the definition of the call itself, whose derivatives check the oracle.

#include <complex>

#include "attention/backward/attention_backward.hpp"
#include "reference/attention.hpp"

namespace fovea::test {

/// Floats from the first entry of an array of pairs to its last.
inline std::size_t extent_of(const PairsView<float>& array, const AttentionArgs& args) {
  if (array.data == nullptr) return 0;
  const auto last = [](std::size_t count, std::ptrdiff_t stride) {
    return (std::max<std::size_t>(count, 1) - 1) * static_cast<std::size_t>(stride);
  };
  return last(args.batch, array.batch) + last(args.heads, array.head) + last(args.queries, array.query) +
         last(args.positioned_keys(), array.key) + 1;
}

inline std::size_t extent_of(const RelativeTable& table, std::size_t width, const AttentionArgs& args) {
  return table.data == nullptr ? 0 : (args.heads - 1) * static_cast<std::size_t>(table.head) + table.distances() * width;
}

inline std::size_t extent_of(const BucketTable& table, const AttentionArgs& args) {
  if (table.data == nullptr) return 0;
  return (table.buckets - 1) * static_cast<std::size_t>(table.bucket) +
         (args.heads - 1) * static_cast<std::size_t>(table.head) + 1;
}

/// Numbers for every array of a call: its gradients, or its inputs. q, k and v in the order b, h, t, d, others as they lie.
template <class Real>
struct Gradients {
  std::vector<Real> q, k, v, float_mask, key_float_mask, pair_bias, relative_bias, buckets, relative_keys, relative_values,
      weight_scale, sinks, score_weights, edge_biases;  // edge_biases: sized by who knows the graph

  explicit Gradients(const AttentionArgs& args)
      : q(args.batch * args.heads * args.queries * args.width),
        k(args.batch * args.kv_heads * args.keys * args.width),
        v(args.batch * args.kv_heads * args.keys * args.value_width),
        float_mask(extent_of(args.float_mask, args)),
        key_float_mask(extent_of(args.key_float_mask, args)),
        pair_bias(extent_of(args.variant.pair_bias, args)),
        relative_bias(extent_of(args.variant.relative_bias, 1, args)),
        buckets(extent_of(args.variant.buckets, args)),
        relative_keys(extent_of(args.variant.relative_keys, args.width, args)),
        relative_values(extent_of(args.variant.relative_values, args.value_width, args)),
        weight_scale(extent_of(args.variant.weight_scale.pairs, args)),
        sinks(args.sinks == nullptr ? 0 : args.heads),
        score_weights(args.variant.score_weights == nullptr
                          ? 0
                          : (args.heads - 1) * static_cast<std::size_t>(args.variant.score_weights_head) + args.width) {}
};

template <class Real>
struct NamedGradient {
  const char* name;
  std::vector<Real> Gradients<Real>::*numbers;
};

template <class Real>
std::vector<NamedGradient<Real>> gradient_names() {
  using G = Gradients<Real>;
  return {{"d_q", &G::q},
          {"d_k", &G::k},
          {"d_v", &G::v},
          {"d_float_mask", &G::float_mask},
          {"d_key_float_mask", &G::key_float_mask},
          {"d_pair_bias", &G::pair_bias},
          {"d_relative_bias", &G::relative_bias},
          {"d_bucket_table", &G::buckets},
          {"d_relative_keys", &G::relative_keys},
          {"d_relative_values", &G::relative_values},
          {"d_weight_scale", &G::weight_scale},
          {"d_sinks", &G::sinks},
          {"d_score_weights", &G::score_weights},
          {"d_edge_biases", &G::edge_biases}};
}

/// One pair, and its entry in each array; -1: none.
struct PairAt {
  std::size_t b, h, i, j, row, key;
  std::ptrdiff_t float_mask = -1, key_float_mask = -1, pair_bias = -1, relative_bias = -1, bucket = -1, relative_key = -1,
                 relative_value = -1, weight_scale = -1;

  PairAt(const AttentionArgs& args, std::size_t batch, std::size_t head, std::size_t query, std::size_t column)
      : b(batch),
        h(head),
        i(query),
        j(column),
        row(args.row_index(batch, head, query)),
        key((batch * args.kv_heads + head / (args.heads / args.kv_heads)) * args.keys + column) {
    const AttentionVariant& variant = args.variant;
    const auto entry = [&](const PairsView<float>& array) {
      return array.data == nullptr ? -1 : array.row(b, h, i) - array.data + static_cast<std::ptrdiff_t>(j) * array.key;
    };
    if (j < args.positioned_keys() || variant.weight_scale.of_appended) weight_scale = entry(variant.weight_scale.pairs);
    if (j >= args.positioned_keys()) return;
    float_mask = entry(args.float_mask);
    key_float_mask = entry(args.key_float_mask);
    pair_bias = entry(variant.pair_bias);
    const auto row_of = [&](const RelativeTable& table, std::size_t width) {
      return table.data == nullptr ? -1 : relative_row(args, table, width, b, h, i, j) - table.data;
    };
    relative_bias = row_of(variant.relative_bias, 1);
    relative_key = row_of(variant.relative_keys, args.width);
    relative_value = row_of(variant.relative_values, args.value_width);
    if (const BucketTable& table = variant.buckets; table.data != nullptr) {
      const std::size_t n = bucket_ref(distance_ref(args, b, i, j), table.bidirectional, table.buckets, table.max_distance);
      bucket = static_cast<std::ptrdiff_t>(n) * table.bucket + static_cast<std::ptrdiff_t>(h) * table.head;
    }
  }
};

/// The gradients of one pair's numbers, or how far they move.
template <class Real>
struct PairGradient {
  Real weight;  // times its factor
  Real factor, biased, product;
};

/// f'(x); 0 at 0 for relu, the slope for leaky relu
template <class Real>
Real score_slope_ref(const ActivationArgs& f, Real x) {
  switch (f.kind) {
    case Activation::Tanh: return 1 - std::tanh(x) * std::tanh(x);
    case Activation::Relu: return x > 0 ? 1 : 0;
    case Activation::LeakyRelu: return x > 0 ? Real{1} : static_cast<Real>(f.parameter);
    default: return 1;
  }
}

/// sums <- sums + what the pair gives to q, k and w of an additive score. How far these move: a tanh by an eps of 1.
template <class Real, class Size>
void spread_additive(const AttentionBackwardArgs& args, const PairAt& at, Real product, Size size_of, Gradients<Real>& sums) {
  const AttentionArgs& forward = args.forward;
  const ActivationArgs& f = forward.variant.score_activation;
  const std::size_t kv_head = at.h / (forward.heads / forward.kv_heads);
  const std::size_t first = at.h * static_cast<std::size_t>(forward.variant.score_weights_head);
  const bool is_size = size_of(Real{-1}) > 0 && f.kind == Activation::Tanh;
  for (std::size_t d = 0; d < forward.width; ++d) {
    const Real x =
        static_cast<Real>(forward.q.row(at.b, at.h, at.i)[d]) + static_cast<Real>(forward.k.row(at.b, kv_head, at.j)[d]);
    const Real w = size_of(static_cast<Real>(forward.variant.score_weights[first + d]));
    const Real slope = is_size ? Real{4} : size_of(score_slope_ref(f, x));
    sums.q[at.row * forward.width + d] += product * w * slope;
    sums.k[at.key * forward.width + d] += product * w * slope;
    sums.score_weights[first + d] += product * (is_size ? Real{4} : size_of(score_activation_ref(f, x)));
  }
}

/// sums <- sums + what the pair gives to each array; `size_of` is applied to what it is multiplied by
template <class Real, class Size>
void spread(const AttentionBackwardArgs& args, const PairAt& at, const PairGradient<Real>& pair, Size size_of,
            Gradients<Real>& sums) {
  const AttentionArgs& forward = args.forward;
  const auto add = [](std::vector<Real>& to, std::ptrdiff_t entry, Real x) {
    if (entry >= 0) to[static_cast<std::size_t>(entry)] += x;
  };
  add(sums.float_mask, at.float_mask, pair.biased);
  add(sums.key_float_mask, at.key_float_mask, pair.biased);
  add(sums.pair_bias, at.pair_bias, pair.biased);
  add(sums.relative_bias, at.relative_bias, pair.biased);
  add(sums.buckets, at.bucket, pair.biased);
  add(sums.weight_scale, at.weight_scale, pair.factor);
  const std::size_t kv_head = at.h / (forward.heads / forward.kv_heads);
  const float *const q = forward.q.row(at.b, at.h, at.i), *const k = forward.k.row(at.b, kv_head, at.j);
  const bool is_additive = forward.variant.score == Score::Additive;
  if (is_additive) spread_additive<Real>(args, at, pair.product, size_of, sums);
  for (std::size_t d = 0; d < forward.width && !is_additive; ++d) {
    const auto column = static_cast<std::ptrdiff_t>(d);
    sums.q[at.row * forward.width + d] += pair.product * size_of(static_cast<Real>(k[d]));
    if (at.relative_key >= 0) {
      const float rk = forward.variant.relative_keys.data[at.relative_key + column];
      sums.q[at.row * forward.width + d] += pair.product * size_of(static_cast<Real>(rk));
      add(sums.relative_keys, at.relative_key + column, pair.product * size_of(static_cast<Real>(q[d])));
    }
    sums.k[at.key * forward.width + d] += pair.product * size_of(static_cast<Real>(q[d]));
  }
  for (std::size_t d = 0; d < forward.value_width && args.d_output.data != nullptr; ++d) {
    const Real x = pair.weight * size_of(static_cast<Real>(args.d_output.row(at.b, at.h, at.i)[d]));
    sums.v[at.key * forward.value_width + d] += x;
    if (at.relative_value >= 0) add(sums.relative_values, at.relative_value + static_cast<std::ptrdiff_t>(d), x);
  }
}

/// One row: its weights, and the gradients of its logits, 0 where not allowed.
template <class Real>
struct RowGradient {
  LogitRow<Real> logits;
  std::vector<Real> weights, output, gradient, d_logits;  // gradient: A
  Real mean = 0, lse = 0, sink_share = 0, keys = 0;
  Real max_logit = -std::numeric_limits<Real>::infinity(), exp_sum = 0;  // exp_sum = Σ exp(s - max_logit)
  bool is_pointwise = false;

  RowGradient(const AttentionBackwardArgs& args, std::size_t b, std::size_t h, std::size_t i)
      : logits(cooled(logits_ref<Real>(args.forward, b, h, i), args.forward.variant.temperature)),
        weights(args.forward.keys),
        output(args.forward.value_width),
        gradient(args.forward.keys),
        d_logits(args.forward.keys) {
    const AttentionArgs& forward = args.forward;
    const std::size_t kv_head = h / (forward.heads / forward.kv_heads), row = forward.row_index(b, h, i);
    const Normalizer& normalizer = forward.variant.normalizer;
    const bool is_softmax = normalizer.kind == NormalizerKind::Softmax || normalizer.kind == NormalizerKind::TopK;
    is_pointwise = normalizer.kind == NormalizerKind::Relu || normalizer.kind == NormalizerKind::Sigmoid;
    if (normalizer.kind == NormalizerKind::TopK) keep_chosen(forward, logits, b, h, i);
    if (!is_softmax) {
      weigh_ref(forward, logits, weights);
      keys = static_cast<Real>(
          std::count_if(logits.biased.begin(), logits.biased.end(), [](Real s) { return !(s == -INFINITY); }));
      lse = keys == 0 ? -std::numeric_limits<Real>::infinity() : weights[0] != weights[0] ? weights[0] : Real{0};
    } else {
      lse = attention_row_ref(forward, logits, b, h, i, weights.data(), output.data());
    }
    if (is_empty()) return;
    for (const Real s : logits.biased) max_logit = std::max(max_logit, s);
    for (const Real s : logits.biased) exp_sum += std::exp(s - max_logit);
    if (forward.sinks != nullptr) sink_share = 1 / (1 + std::exp(lse - static_cast<Real>(forward.sinks[h])));
    for (std::size_t j = 0; j < forward.keys; ++j) {
      if (!logits.allowed[j]) continue;
      const float* const added = relative_row(forward, forward.variant.relative_values, forward.value_width, b, h, i, j);
      for (std::size_t d = 0; d < forward.value_width && args.d_output.data != nullptr; ++d) {
        const Real value =
            static_cast<Real>(forward.v.row(b, kv_head, j)[d]) + (added == nullptr ? 0 : static_cast<Real>(added[d]));
        gradient[j] += static_cast<Real>(args.d_output.row(b, h, i)[d]) * value;
      }
      if (args.d_weights != nullptr) gradient[j] += static_cast<Real>(args.d_weights[row * forward.keys + j]);
      mean += weights[j] * factor(forward, b, h, i, j) * gradient[j];
    }
    if (!is_softmax && !is_pointwise) set_mean_over_support(forward, b, h, i);
    for (std::size_t j = 0; j < forward.keys; ++j) {
      if (!logits.allowed[j]) continue;
      if (!is_softmax && !is_pointwise) {
        d_logits[j] = root(normalizer, j) * (factor(forward, b, h, i, j) * gradient[j] - mean);
        continue;
      }
      if (is_pointwise) {
        d_logits[j] = own_slope(normalizer, j) * factor(forward, b, h, i, j) * gradient[j];
        continue;
      }
      d_logits[j] = weights[j] * (factor(forward, b, h, i, j) * gradient[j] - mean);
      // Not exp(s - lse): where lse is as large as -FLT_MAX, ln of the number of keys is rounded away.
      if (args.d_lse != nullptr) {
        d_logits[j] += static_cast<Real>(args.d_lse[row]) * (std::exp(logits.biased[j] - max_logit) / exp_sum);
      }
    }
  }

  /// d weight / d logit of relu and sigmoid
  Real own_slope(const Normalizer& normalizer, std::size_t j) const {
    if (lse != lse) return lse;
    if (normalizer.kind == NormalizerKind::Sigmoid)
      return weights[j] * (1 / (1 + std::exp(logits.biased[j] + static_cast<Real>(normalizer.bias))));
    return logits.biased[j] > 0 ? 1 / (normalizer.scaled ? keys : Real{1}) : Real{0};
  }

  /// d weight / d logit of sparsemax and entmax, apart from the threshold's
  Real root(const Normalizer& normalizer, std::size_t j) const {
    if (lse != lse) return lse;
    if (normalizer.kind == NormalizerKind::Entmax15) return std::sqrt(weights[j]);
    return weights[j] > 0 ? Real{1} : Real{0};
  }

  /// mean <- the mean of f A by the roots
  void set_mean_over_support(const AttentionArgs& args, std::size_t b, std::size_t h, std::size_t i) {
    Real sum = 0, roots = 0;
    for (std::size_t j = 0; j < args.keys; ++j) {
      if (!logits.allowed[j]) continue;
      const Real own = root(args.variant.normalizer, j);
      roots += own;
      if (own != 0) sum += own * factor(args, b, h, i, j) * gradient[j];
    }
    mean = sum / roots;
  }

  bool is_empty() const { return lse == -std::numeric_limits<Real>::infinity(); }

  static Real factor(const AttentionArgs& args, std::size_t b, std::size_t h, std::size_t i, std::size_t j) {
    return weight_scale_ref<Real>(args, b, h, i, j);
  }

  /// d biased logit / d product
  Real slope(const AttentionArgs& args, std::size_t j) const {
    const auto cap = static_cast<Real>(args.softcap);
    const Real ratio = args.softcap == 0 ? 0 : logits.capped[j] / cap;
    return static_cast<Real>(args.scale) * (1 - ratio) * (1 + ratio);
  }
};

/// Calls visit(row, b, h, i) for the rows that have an allowed key.
template <class Real, class Visit>
void for_each_row_gradient(const AttentionBackwardArgs& args, Visit visit) {
  const AttentionArgs& forward = args.forward;
  for (std::size_t b = 0; b < forward.batch; ++b) {
    for (std::size_t h = 0; h < forward.heads; ++h) {
      for (std::size_t i = 0; i < forward.queries; ++i) {
        const RowGradient<Real> row(args, b, h, i);
        if (!row.is_empty()) visit(row, b, h, i);
      }
    }
  }
}

template <class Real>
Gradients<Real> backward_ref(const AttentionBackwardArgs& args) {
  const AttentionArgs& forward = args.forward;
  Gradients<Real> sums(forward);
  for_each_row_gradient<Real>(args, [&](const RowGradient<Real>& row, std::size_t b, std::size_t h, std::size_t i) {
    if (forward.sinks != nullptr) sums.sinks[h] -= row.sink_share * row.mean;
    for (std::size_t j = 0; j < forward.keys; ++j) {
      if (!row.logits.allowed[j]) continue;
      const Real biased = row.d_logits[j] / static_cast<Real>(forward.variant.temperature);
      spread<Real>(
          args, {forward, b, h, i, j},
          {row.weights[j] * row.factor(forward, b, h, i, j), row.weights[j] * row.gradient[j], biased,
           biased * row.slope(forward, j)},
          [](Real x) { return x; }, sums);
    }
  });
  return sums;
}

/// A row of sparsemax or entmax: how far scores move against the threshold, and the mean; and whether one is so near to the
/// threshold that it may have a weight or none.
struct SupportMoves {
  double shift = 0, mean_move = 0;
  bool jumps = false;

  SupportMoves(const AttentionBackwardArgs& args, const RowGradient<double>& row, const std::vector<double>& size,
               std::size_t b, std::size_t h, std::size_t i) {
    const AttentionArgs& forward = args.forward;
    const Normalizer& normalizer = forward.variant.normalizer;
    const bool halves = normalizer.kind == NormalizerKind::Entmax15;
    if (!halves && normalizer.kind != NormalizerKind::Sparsemax) return;
    double highest = -static_cast<double>(kInfinity), least_weight = 1, roots = 0;
    for (std::size_t j = 0; j < forward.keys; ++j) {
      if (!row.logits.allowed[j] || !(row.weights[j] > 0)) continue;
      highest = std::max(highest, row.logits.biased[j]);
      shift = std::max(shift, row.logits.terms[j] + std::abs(row.logits.biased[j]) + 2);
      least_weight = std::min(least_weight, row.weights[j]);
      roots += row.root(normalizer, j);
    }
    double threshold = 0;
    for (std::size_t j = 0; j < forward.keys; ++j) {
      if (row.logits.allowed[j] && row.logits.biased[j] == highest)
        threshold = halves ? highest / 2 - std::sqrt(row.weights[j]) : highest - row.weights[j];
    }
    for (std::size_t j = 0; j < forward.keys; ++j) {
      if (!row.logits.allowed[j]) continue;
      const double away = (halves ? row.logits.biased[j] / 2 : row.logits.biased[j]) - threshold;
      jumps = jumps || (!halves && std::abs(away) < 1e-5 * shift);
      if (!(row.weights[j] > 0)) continue;
      const double of_gradient = RowGradient<double>::factor(forward, b, h, i, j);
      mean_move += (row.root(normalizer, j) * std::abs(of_gradient) * size[j] * 2 +
                    (halves ? shift : 0) * (std::abs(of_gradient * row.gradient[j]) + std::abs(row.mean))) /
                   roots;
    }
  }
};

/// How far the gradients move, per eps, when every term of every step does by an eps of its own size. A weight moves by m[j]
/// of itself: by the terms of its logit, by the mean move of its row, and by the lse, which is a float32. Σ_j w f A is
/// d_output · output, of which every term moves as well.
inline Gradients<double> backward_condition(const AttentionBackwardArgs& args) {
  constexpr double kLargestLse = 16;
  // A weight below the smallest normal float may be 0.
  constexpr double kFlushed =
      static_cast<double>(std::numeric_limits<float>::min()) / (kToleranceFactor * static_cast<double>(kEpsilon));
  const AttentionArgs& forward = args.forward;
  Gradients<double> scale(forward);
  for_each_row_gradient<double>(args, [&](const RowGradient<double>& row, std::size_t b, std::size_t h, std::size_t i) {
    if (!std::isfinite(row.lse)) return;
    const std::size_t kv_head = h / (forward.heads / forward.kv_heads), index = forward.row_index(b, h, i);
    double m = -static_cast<double>(kInfinity), mean_move = 0, size_of_mean = 0;
    for (const double s : row.logits.biased) m = std::max(m, s);
    std::vector<double> moves(forward.keys), size(forward.keys);
    for (std::size_t j = 0; j < forward.keys; ++j) {
      if (!row.logits.allowed[j]) continue;
      // Beside a large sink a pair without a weight may still have a share of the lse.
      const bool counts = row.weights[j] != 0 || row.d_logits[j] != 0;
      moves[j] = !counts ? 0 : row.logits.terms[j] + (m - row.logits.biased[j]);
      mean_move += row.weights[j] * moves[j];
      const float* const added = relative_row(forward, forward.variant.relative_values, forward.value_width, b, h, i, j);
      for (std::size_t d = 0; d < forward.value_width && args.d_output.data != nullptr; ++d) {
        const double value = std::abs(static_cast<double>(forward.v.row(b, kv_head, j)[d])) +
                             (added == nullptr ? 0 : std::abs(static_cast<double>(added[d])));
        size[j] += std::abs(static_cast<double>(args.d_output.row(b, h, i)[d])) * (value + std::abs(row.output[d]));
      }
      if (args.d_weights != nullptr) size[j] += std::abs(static_cast<double>(args.d_weights[index * forward.keys + j]));
    }
    mean_move += std::min(std::abs(row.lse), kLargestLse);
    const NormalizerKind kind = forward.variant.normalizer.kind;
    const SupportMoves support(args, row, size, b, h, i);
    double mean_size = 0;
    for (std::size_t j = 0; j < forward.keys; ++j) {
      if (!row.logits.allowed[j]) continue;
      const ScaleCondition scaling(forward, b, h, i, j);
      mean_size += row.weights[j] * scaling.factor * size[j];
      size_of_mean += row.weights[j] * scaling.factor * size[j] * (moves[j] + mean_move + scaling.moves + 2);
    }
    if (forward.sinks != nullptr) {
      const double away = std::min(std::abs(row.lse - static_cast<double>(forward.sinks[h])), 200.0);
      scale.sinks[h] += (row.sink_share + kFlushed) * (size_of_mean + mean_size * (mean_move + away + 2));
    }
    for (std::size_t j = 0; j < forward.keys; ++j) {
      if (!row.logits.allowed[j]) continue;
      const ScaleCondition scaling(forward, b, h, i, j);
      const double move = moves[j] + mean_move + scaling.moves + 2, weight = row.weights[j] + kFlushed;
      if (kind == NormalizerKind::Sparsemax || kind == NormalizerKind::Entmax15) {
        const Normalizer& normalizer = forward.variant.normalizer;
        const double own_root = row.root(normalizer, j),
                     difference = std::abs(row.gradient[j]) * scaling.factor + std::abs(row.mean);
        const double of_root = support.jumps                                 ? 1 / static_cast<double>(kEpsilon)
                               : normalizer.kind == NormalizerKind::Entmax15 ? support.shift
                                                                             : 0;
        const double own = (of_root * difference + own_root * (difference + size[j] * scaling.factor + support.mean_move)) * 2 /
                           static_cast<double>(forward.variant.temperature);
        // The square of a root that moves.
        const double of_weight = 2 * own_root * support.shift + row.weights[j] * (2 + scaling.moves) +
                                 kToleranceFactor * static_cast<double>(kEpsilon) * support.shift * support.shift +
                                 (normalizer.kind == NormalizerKind::Sparsemax ? support.shift : 0);
        spread<double>(
            args, {forward, b, h, i, j},
            {of_weight * scaling.factor, of_weight * (std::abs(row.gradient[j]) + size[j]), own,
             own * std::abs(row.slope(forward, j)) * (1 + row.logits.raw_terms[j])},
            [](double x) { return std::abs(x); }, scale);
        continue;
      }
      if (row.is_pointwise) {
        // Relu's slope jumps where the logit is 0, within its error.
        const Normalizer& normalizer = forward.variant.normalizer;
        const double a = row.logits.terms[j] + std::abs(row.logits.biased[j]) + 2,
                     of_weight = std::abs(row.own_slope(normalizer, j));
        const bool may_jump = normalizer.kind == NormalizerKind::Relu && std::abs(row.logits.biased[j]) < 1e-5 * a;
        const double jump = may_jump ? 1 / static_cast<double>(kEpsilon) : 0;
        const double slope_move =
            (of_weight * (a + std::abs(static_cast<double>(normalizer.bias)) + 2) + kFlushed + jump) * scaling.factor;
        const double own =
            slope_move * (std::abs(row.gradient[j]) + size[j]) / static_cast<double>(forward.variant.temperature);
        const double of_w = (of_weight * a + row.weights[j] * 4 + kFlushed) * (1 + scaling.moves);
        spread<double>(
            args, {forward, b, h, i, j},
            {of_w * scaling.factor, of_w * (std::abs(row.gradient[j]) + size[j]), own,
             own * std::abs(row.slope(forward, j)) * (1 + row.logits.raw_terms[j])},
            [](double x) { return std::abs(x); }, scale);
        continue;
      }
      const double flushed = args.d_lse == nullptr ? 0 : kFlushed * std::abs(static_cast<double>(args.d_lse[index]));
      const double biased =
          (std::abs(row.d_logits[j]) * move + weight * (2 * scaling.factor * size[j] + size_of_mean) + flushed) /
          static_cast<double>(forward.variant.temperature);
      // Where the cap is nearly reached, 1 - ratio is what is left of two numbers near 1.
      const double of_cap = forward.softcap == 0 ? 0
                                                 : std::abs(row.d_logits[j] * static_cast<double>(forward.scale)) *
                                                       (1 + row.logits.raw_terms[j] / static_cast<double>(forward.softcap)) /
                                                       static_cast<double>(forward.variant.temperature);
      spread<double>(
          args, {forward, b, h, i, j},
          {weight * scaling.factor * move, weight * (move * std::abs(row.gradient[j]) + 2 * size[j]), biased,
           biased * std::abs(row.slope(forward, j)) + of_cap},
          [](double x) { return std::abs(x); }, scale);
    }
  });
  return scale;
}

/// Σ d_output · output + Σ d_weights · weights + Σ d_lse lse as a function of the arrays of a call: attention's definition again,
/// for numbers that have no order.
template <class Number>
Number attention_loss(const AttentionBackwardArgs& args, const Gradients<Number>& inputs) {
  const AttentionArgs& forward = args.forward;
  const auto entry = [](const std::vector<Number>& array, std::ptrdiff_t at, double otherwise) {
    return at < 0 ? Number{otherwise} : array[static_cast<std::size_t>(at)];
  };
  const bool is_softmax = forward.variant.normalizer.kind == NormalizerKind::Softmax;
  Number loss = 0;
  for (std::size_t row = 0; row < forward.batch * forward.heads * forward.queries; ++row) {
    const std::size_t i = row % forward.queries, h = row / forward.queries % forward.heads,
                      b = row / forward.queries / forward.heads;
    std::vector<Number> e(forward.keys);
    Number sum = 0;
    for (std::size_t j = 0; j < forward.keys; ++j) {
      if (!attention_allows(forward, b, h, i, j)) continue;
      const PairAt at(forward, b, h, i, j);
      Number s = 0;
      for (std::size_t d = 0; d < forward.width && forward.variant.score == Score::Additive; ++d) {
        const ActivationArgs& f = forward.variant.score_activation;
        const Number x = inputs.q[row * forward.width + d] + inputs.k[at.key * forward.width + d];
        const Number w = inputs.score_weights[h * static_cast<std::size_t>(forward.variant.score_weights_head) + d];
        const double below = f.kind == Activation::Relu        ? 0
                             : f.kind == Activation::LeakyRelu ? static_cast<double>(f.parameter)
                                                               : 1;
        s += w * (f.kind == Activation::Tanh ? std::tanh(x) : std::real(x) > 0 ? x : below * x);
      }
      for (std::size_t d = 0; d < forward.width && forward.variant.score == Score::Dot; ++d) {
        const Number key =
            inputs.k[at.key * forward.width + d] +
            (at.relative_key < 0 ? Number{0}
                                 : entry(inputs.relative_keys, at.relative_key + static_cast<std::ptrdiff_t>(d), 0));
        s += inputs.q[row * forward.width + d] * key;
      }
      s *= static_cast<double>(forward.scale);
      const auto cap = static_cast<double>(forward.softcap);
      if (cap != 0) s = cap * std::tanh(s / cap);
      if (forward.alibi_slopes != nullptr) {
        s -= static_cast<double>(forward.alibi_slopes[h]) * std::abs(static_cast<double>(distance_ref(forward, b, i, j)));
      }
      s += entry(inputs.float_mask, at.float_mask, 0) + entry(inputs.key_float_mask, at.key_float_mask, 0) +
           entry(inputs.pair_bias, at.pair_bias, 0) + entry(inputs.relative_bias, at.relative_bias, 0) +
           entry(inputs.buckets, at.bucket, 0);
      s /= static_cast<double>(forward.variant.temperature);
      const Normalizer& normalizer = forward.variant.normalizer;
      switch (normalizer.kind) {
        case NormalizerKind::Relu: e[j] = std::real(s) > 0 ? s : Number{0}; break;
        case NormalizerKind::Sigmoid: e[j] = 1.0 / (1.0 + std::exp(-s - static_cast<double>(normalizer.bias))); break;
        default: e[j] = std::exp(s);
      }
      sum += is_softmax ? e[j] : Number{normalizer.kind == NormalizerKind::Relu && normalizer.scaled ? 1.0 : 0.0};
    }
    if (is_softmax && sum == Number{0}) continue;
    if (!is_softmax && sum == Number{0}) sum = 1;
    if (args.d_lse != nullptr) loss += static_cast<double>(args.d_lse[row]) * std::log(sum);
    const Number total = forward.sinks == nullptr ? sum : sum + std::exp(inputs.sinks[h]);
    for (std::size_t j = 0; j < forward.keys; ++j) {
      if (!attention_allows(forward, b, h, i, j)) continue;
      const PairAt at(forward, b, h, i, j);
      const Number weight = e[j] / total * entry(inputs.weight_scale, at.weight_scale, 1);
      if (args.d_weights != nullptr) loss += static_cast<double>(args.d_weights[row * forward.keys + j]) * weight;
      for (std::size_t d = 0; d < forward.value_width && args.d_output.data != nullptr; ++d) {
        const Number value =
            inputs.v[at.key * forward.value_width + d] +
            (at.relative_value < 0 ? Number{0}
                                   : entry(inputs.relative_values, at.relative_value + static_cast<std::ptrdiff_t>(d), 0));
        loss += static_cast<double>(args.d_output.row(b, h, i)[d]) * weight * value;
      }
    }
  }
  return loss;
}

}  // namespace fovea::test
