#include "attention/backward/logit_gradients.hpp"

#include <algorithm>

#include "attention/score/clipped_distance.hpp"
#include "attention/softmax/weight_scale.hpp"
#include "simd/simd.hpp"

namespace fovea {

using simd::f32;
using simd::load;
using simd::madd;
using simd::splat;
using simd::store;

namespace {

/// A weight, and the gradient of its logit from the gradient x of the weight.
struct WeightAndGradient {
  f32 w, x;
};

struct SoftmaxRow {
  f32 shift, weight, factor, offset;

  WeightAndGradient operator()(f32 s, f32 x) const noexcept {
    const f32 e = simd::exp(s - shift);
    return {weight * e, e * madd(factor, x, offset)};
  }
};

struct ReluRow {
  f32 weight, factor, zero = splat(0.0f);

  WeightAndGradient operator()(f32 s, f32 x) const noexcept {
    const auto lives = s > zero;
    // Weights and factors of a row with a NaN are NaN, wherever the score lies.
    return {weight * simd::select(lives, s, zero), factor * simd::select(lives, x, zero)};
  }
};

struct SigmoidRow {
  f32 weight, factor, bias;

  WeightAndGradient operator()(f32 s, f32 x) const noexcept {
    const f32 z = s + bias, w = simd::sigmoid(z);
    return {weight * w, factor * (w * simd::sigmoid(splat(0.0f) - z)) * x};
  }
};

struct SparsemaxRow {
  f32 shift, threshold, weight, factor, offset, zero = splat(0.0f);

  WeightAndGradient operator()(f32 s, f32 x) const noexcept {
    const f32 above = s - shift - threshold;
    const auto lives = above > zero;
    return {weight * simd::select(lives, above, zero), weight * simd::select(lives, madd(factor, x, offset), zero)};
  }
};

struct EntmaxRow {
  f32 shift, threshold, weight, factor, offset, zero = splat(0.0f), half = splat(0.5f);

  WeightAndGradient operator()(f32 s, f32 x) const noexcept {
    const f32 root = simd::at_least((s - shift) * half - threshold, zero);
    // A factor of a row with a NaN is NaN, a root of -inf is 0.
    return {weight * (root * root), weight * root * madd(factor, x, offset)};
  }
};

/// Row r of a tile.
template <class Row>
void differentiate_row(const Row& row, const ScoreTile& tile, std::size_t r, float* w, float* x) noexcept {
  const std::uint64_t allowed = tile.allowed[r];
  if (allowed == ~std::uint64_t{0}) {
    over_columns(tile, [&](std::size_t j) {
      const WeightAndGradient pair = row(load(tile.s[r] + j), load(x + j));
      store(w + j, pair.w);
      store(x + j, pair.x);
    });
    return;
  }
  const f32 zero = splat(0.0f);
  over_columns(tile, [&](std::size_t j) {
    const WeightAndGradient pair = row(load(tile.s[r] + j), load(x + j));
    const simd::mask32 here = simd::lanes(allowed >> j);
    store(w + j, simd::select(here, pair.w, zero));
    store(x + j, simd::select(here, pair.x, zero));
  });
}

}  // namespace

void differentiate_normalizer(const Normalizer& normalizer, const ScoreTile& tile, const BlockTerms& terms, std::size_t row,
                              float* w, float* x) noexcept {
  for (std::size_t r = 0; r < kMr; ++r, w += kKeyTile, x += kKeyTile) {
    const f32 weight = splat(terms.weight[row + r]), factor = splat(terms.factor[row + r]);
    const f32 shift = splat(terms.shift[row + r]), offset = splat(terms.offset[row + r]);
    const f32 threshold = splat(terms.threshold[row + r]);
    switch (normalizer.kind) {
      case NormalizerKind::Relu: differentiate_row(ReluRow{weight, factor}, tile, r, w, x); break;
      case NormalizerKind::Sigmoid: differentiate_row(SigmoidRow{weight, factor, splat(normalizer.bias)}, tile, r, w, x); break;
      case NormalizerKind::Sparsemax:
        differentiate_row(SparsemaxRow{shift, threshold, weight, factor, offset}, tile, r, w, x);
        break;
      case NormalizerKind::Entmax15:
        differentiate_row(EntmaxRow{shift, threshold, weight, factor, offset}, tile, r, w, x);
        break;
      default: differentiate_row(SoftmaxRow{shift, weight, factor, offset}, tile, r, w, x);
    }
  }
}

void find_factors(const AttentionArgs& args, const ScoreTile& tile, float (&f)[kMr][kKeyTile]) noexcept {
  const std::size_t end = std::min(tile.to, tile.keys);
  for (std::size_t r = 0; r < kMr; ++r) {
    std::fill_n(f[r], kKeyTile, r < tile.queries ? 1.0f : 0.0f);
    if (r >= tile.queries) continue;
    scale_weights(args, tile.batch, tile.head, tile.query_of(r),
                  TokenList{tile.key, tile.keys, tile.key_list}.part(tile.from, end - tile.from), f[r] + tile.from);
    for (std::size_t j = tile.from; j < tile.to; ++j) {
      if ((tile.allowed[r] >> j & 1) == 0) f[r][j] = 0.0f;
    }
  }
}

void multiply_by(const ScoreTile& tile, const float (&f)[kMr][kKeyTile], float* x) noexcept {
  for (std::size_t r = 0; r < kMr; ++r, x += kKeyTile) {
    over_columns(tile, [&](std::size_t j) { store(x + j, load(x + j) * load(f[r] + j)); });
  }
}

void add_relative_gradients(const AttentionArgs& args, const ScoreTile& tile, const RelativeProducts& products, std::size_t row,
                            float* x) noexcept {
  ScoreTile sums = tile;
  products.set(sums, row);
  for (std::size_t r = 0; r < kMr; ++r)
    std::copy(x + r * kKeyTile + tile.from, x + r * kKeyTile + tile.to, sums.s[r] + tile.from);
  add_by_distance(args, sums, sums.relative, sums.relative_stride, args.variant.relative_values.clip);
  const std::size_t end = std::min(tile.to, positioned_columns(args.position_rules(tile.batch), tile));
  for (std::size_t r = 0; r < tile.queries && tile.from < end; ++r) {
    std::copy(sums.s[r] + tile.from, sums.s[r] + end, x + r * kKeyTile + tile.from);
  }
}

void scale_products(const AttentionArgs& args, const ScoreTile& tile, float* x) noexcept {
  const f32 scale = splat(args.scale);
  for (std::size_t r = 0; r < kMr; ++r, x += kKeyTile) {
    over_columns(tile, [&](std::size_t j) { store(x + j, load(x + j) * scale); });
  }
}

void differentiate_softcap(const AttentionArgs& args, const ScoreTile& tile, const float (&capped)[kMr][kKeyTile],
                           float* x) noexcept {
  const f32 softcap = splat(args.softcap), scale = splat(args.scale), zero = splat(0.0f), one = splat(1.0f);
  for (std::size_t r = 0; r < kMr; ++r, x += kKeyTile) {
    over_columns(tile, [&](std::size_t j) {
      const f32 ratio = load(capped[r] + j) / softcap;
      const f32 scaled = load(x + j) * (scale * ((one - ratio) * (one + ratio)));
      store(x + j, simd::select(simd::lanes(tile.allowed[r] >> j), scaled, zero));
    });
  }
}

}  // namespace fovea
