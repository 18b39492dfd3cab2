#pragma once
/// The state of linear attention while it is computed: S with z as a further column (the values' own columns, then one of
/// v = 1), rows of features, and the padding that whole strips need.

#include <algorithm>
#include <cstddef>

#include "core/saturated.hpp"
#include "core/workspace.hpp"
#include "gemm/panels.hpp"
#include "gemm/row_tiles.hpp"
#include "linear_attention/linear_attention.hpp"
#include "simd/simd.hpp"

namespace fovea {

/// The sizes that all of a call shares, and where its sums lie: in rows of features, or for products of matrices in column
/// panels, with z behind them.
struct LinearSizes {
  std::size_t features, rows;  // rows: features in whole strips
  bool has_ones;               // a further column, that of v = 1
  std::size_t value_width;     // Dv
  std::size_t stride;          // of rows of Dv and that column, in whole panels
  std::size_t feature_stride;  // between rows of features
  std::size_t stabilizers;     // of a head: one for each feature, or none
  std::size_t panels;          // of Dv columns
  bool is_in_panels;

  explicit LinearSizes(const LinearArgs& args, bool in_panels = false) noexcept
      : features(args.features.count()),
        rows(round_up(features, kMr)),
        has_ones(args.normalize || args.features.map == FeatureMap::Softmax),
        value_width(args.value_width),
        stride(round_up(value_width + (has_ones ? 1 : 0), kNr)),
        feature_stride(round_up(features, simd::f32::size)),
        stabilizers(args.features.is_stabilized() ? features : 0),
        panels(round_up(value_width, kNr) / kNr),
        is_in_panels(in_panels) {}

  /// Room for `count` sums: sum_floats() each.
  float* take_sums(Workspace& workspace, std::size_t count = 1) const noexcept {
    if (!is_in_panels) return workspace.take<float>(count, rows, stride);
    return workspace.take<float>(count, saturated_sum(saturated_product(panels, rows, kNr), ones_floats()));
  }
  float* take_stabilizers(Workspace& workspace, std::size_t count = 1) const noexcept {
    return workspace.take<float>(count, stabilizers);
  }
  [[nodiscard]] std::size_t sum_floats() const noexcept { return is_in_panels ? z_at(ones_floats()) : rows * stride; }
  /// Floats between the φ(q) of a strip: where all of them fit, as products read them.
  [[nodiscard]] std::size_t query_stride() const noexcept { return std::max(feature_stride, kStripStride); }
  /// Columns of S that lie side by side.
  [[nodiscard]] std::size_t side_by_side() const noexcept { return is_in_panels ? kNr : value_width; }
  /// Where row f of the panel of column c is, or of all.
  [[nodiscard]] std::size_t at(std::size_t f, std::size_t c) const noexcept {
    return is_in_panels ? c * rows + f * kNr : f * stride + c;
  }
  [[nodiscard]] std::size_t z_at(std::size_t f) const noexcept {
    return is_in_panels ? panels * rows * kNr + f : f * stride + value_width;
  }

 private:
  /// Behind the panels: z.
  [[nodiscard]] std::size_t ones_floats() const noexcept { return has_ones ? round_up(rows, simd::f32::size) : 0; }
};

/// exp(from - to) of stabilizers, from <= to: 0 where there was no key yet, 1 where there still is none.
[[nodiscard]] float rescale_factor(float from, float to) noexcept;

/// Sums of keys and values, row f divided by exp(m[f]).
struct LinearSums {
  float* s;  // [rows][stride]
  float* m;  // [stabilizers]

  void clear(const LinearSizes& sizes) const noexcept;
  /// s[f], m[f] <- s[f] exp(m[f] - higher[f]), higher[f]
  void rescale(const LinearSizes& sizes, const float* higher) const noexcept;
  /// s[f], m[f] <- s[f] exp(m[f] - higher[f]) + other.s[f] exp(other.m[f] - higher[f]), higher[f]; sums in panels
  void rescale_and_add(const LinearSizes& sizes, const float* higher, const LinearSums& other) const noexcept;
  void copy_to(const LinearSizes& sizes, const LinearSums& to) const noexcept;
};

/// sums, compensation <- sums + compensation + part, where `compensation` holds what rounding has lost so far (Neumaier 1974).
/// `part` is overwritten.
void add_sums(const LinearSizes& sizes, const LinearSums& sums, float* compensation, const LinearSums& part) noexcept;

/// s[f] <- s[f] / z[f]: what Softmax makes of its sums when all keys are in them
void divide_by_ones(const LinearSizes& sizes, const LinearSums& sums, float* compensation) noexcept;

/// The state of a key/value head as the caller holds it, to and from sums.
void read_state(const LinearArgs& args, const LinearSizes& sizes, std::size_t head, const LinearSums& sums) noexcept;
void write_state(const LinearArgs& args, const LinearSizes& sizes, std::size_t head, const LinearSums& sums,
                 const float* compensation) noexcept;

/// D of a row: the sum of its similarities, divided by the exponential of `exponent` as everything of the row, and eps.
[[nodiscard]] float linear_divisor(const LinearArgs& args, float sum, float exponent) noexcept;

/// out <- output_scale o / (o[Dv] + eps), or output_scale o. `exponent` is what o was divided by the exponential of.
void write_linear_row(const LinearArgs& args, const float* o, float exponent, float* out) noexcept;

/// Whether this batch entry and head has no key, and a state that none came to: then rows are 0.
[[nodiscard]] bool is_without_keys(const LinearArgs& args, std::size_t batch, std::size_t head) noexcept;

/// row <- (v, 1 where normalize, zeros), `stride` floats
void write_values(const LinearArgs& args, const LinearSizes& sizes, const float* v, float* row) noexcept;

}  // namespace fovea
