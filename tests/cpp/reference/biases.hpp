#pragma once
/// Biases of a score, and rows of tables by distance, one pair at a time.
///   relative   table[clip(j - p, -clip, clip) + clip]                     (rows: Shaw et al. 2018, arXiv:1803.02155 eq. 3, 4)
///   buckets    table[bucket(j - p), h], T5's _relative_position_bucket    (Raffel et al. 2020, arXiv:1910.10683 §2.1)
///   pairs      an array of all pairs
///   Gaussian   - (j - center)² / (2 sigma²)                               (Yang et al. 2018, arXiv:1810.10182 §3.1)

#include <array>
#include <cmath>

#include "attention/attention.hpp"

namespace fovea::test {

inline std::int64_t distance_ref(const AttentionArgs& args, std::size_t b, std::size_t i, std::size_t j) noexcept {
  const std::int64_t offset = args.offsets == nullptr ? 0 : args.offsets[b];
  return static_cast<std::int64_t>(j) - (static_cast<std::int64_t>(i) + offset);
}

/// The table's row for the pair, of `width` floats; null where there is no table, and for appended keys.
inline const float* relative_row(const AttentionArgs& args, const RelativeTable& table, std::size_t width, std::size_t b,
                                 std::size_t h, std::size_t i, std::size_t j) noexcept {
  if (table.data == nullptr || j >= args.positioned_keys()) return nullptr;
  const auto clip = static_cast<std::int64_t>(table.clip);
  std::int64_t distance = distance_ref(args, b, i, j);
  if (distance < -clip) distance = -clip;
  if (distance > clip) distance = clip;
  return table.data + static_cast<std::ptrdiff_t>(h) * table.head + (distance + clip) * static_cast<std::ptrdiff_t>(width);
}

/// T5's function, line by line, its logarithms in long double. A quotient that is whole but for rounding is whole.
inline std::size_t bucket_ref(std::int64_t relative_position, bool bidirectional, std::size_t num_buckets,
                              std::size_t max_distance) noexcept {
  std::size_t bucket = 0;
  if (bidirectional) {
    num_buckets /= 2;
    bucket += relative_position > 0 ? num_buckets : 0;
    relative_position = relative_position < 0 ? -relative_position : relative_position;
  } else {
    relative_position = relative_position < 0 ? -relative_position : 0;
  }
  const std::size_t max_exact = num_buckets / 2;
  const auto position = static_cast<std::size_t>(relative_position);
  if (position < max_exact) return bucket + position;
  const auto exact = static_cast<long double>(max_exact);
  const long double large = std::log(static_cast<long double>(position) / exact) /
                            std::log(static_cast<long double>(max_distance) / exact) *
                            static_cast<long double>(num_buckets - max_exact);
  const auto steps = static_cast<std::size_t>(std::floor(large + 1e-9L));
  const std::size_t far = max_exact + steps;
  return bucket + (far < num_buckets ? far : num_buckets - 1);
}

/// 0 for what a call does not choose, and for appended keys.
template <class Real>
std::array<Real, 4> biases_ref(const AttentionArgs& args, std::size_t b, std::size_t h, std::size_t i, std::size_t j) {
  std::array<Real, 4> biases{};
  if (j >= args.positioned_keys()) return biases;
  const AttentionVariant& variant = args.variant;
  if (const float* const relative = relative_row(args, variant.relative_bias, 1, b, h, i, j); relative != nullptr) {
    biases[0] = static_cast<Real>(*relative);
  }
  if (const BucketTable& table = variant.buckets; table.data != nullptr) {
    const std::size_t bucket = bucket_ref(distance_ref(args, b, i, j), table.bidirectional, table.buckets, table.max_distance);
    biases[1] = static_cast<Real>(
        table.data[static_cast<std::ptrdiff_t>(bucket) * table.bucket + static_cast<std::ptrdiff_t>(h) * table.head]);
  }
  if (variant.gaussian_center.data != nullptr) {
    const auto sigma = static_cast<Real>(variant.gaussian_sigma.at(b, h, i));
    const Real away = static_cast<Real>(j) - static_cast<Real>(variant.gaussian_center.at(b, h, i));
    biases[2] = -(away * away) / (2 * sigma * sigma);
  }
  if (const PairsView<float>& pairs = variant.pair_bias; pairs.data != nullptr) {
    biases[3] = static_cast<Real>(pairs.row(b, h, i)[static_cast<std::ptrdiff_t>(j) * pairs.key]);
  }
  return biases;
}

}  // namespace fovea::test
