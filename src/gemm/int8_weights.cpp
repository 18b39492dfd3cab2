#include "gemm/int8_weights.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gemm/panels.hpp"

namespace fovea {
namespace {

constexpr float kLeast = 0x1p-119f;  // of a maximum whose quotient by 127 is still a normal number

std::size_t panels_of(std::size_t columns) noexcept { return (columns + kNr - 1) / kNr; }

/// The place of an element of its panel.
std::size_t place(std::size_t k, std::size_t column) noexcept { return k / 4 * 32 + column % kNr * 4 + k % 4; }

}  // namespace

Int8Weights::Int8Weights(const void* data, std::size_t depth, std::size_t columns) noexcept
    : panels(static_cast<const std::int8_t*>(data)),
      scales(reinterpret_cast<const float*>(panels + panels_of(columns) * int8_panel_bytes(depth))),
      offsets(reinterpret_cast<const std::int32_t*>(scales + panels_of(columns) * kNr)) {}

void quantize_weights(const MatrixView<const float>& b, std::size_t first, std::size_t columns, void* data) noexcept {
  const Int8Weights weights(data, b.rows, columns);
  auto* const scales = const_cast<float*>(weights.scales);
  auto* const offsets = const_cast<std::int32_t*>(weights.offsets);
  for (std::size_t column = first; column < first + round_up(b.columns, kNr); ++column) {
    std::int8_t* const panel = static_cast<std::int8_t*>(data) + column / kNr * int8_panel_bytes(b.rows);
    const bool exists = column - first < b.columns;
    float most = 0.0f;
    for (std::size_t k = 0; exists && k < b.rows; ++k) {
      const float size = std::abs(*b.at(k, column - first));
      if (!(size <= most)) most = size;  // NaN stays
      if (std::isnan(most)) break;
    }
    const bool is_zero = most < kLeast, is_finite = std::isfinite(most);
    const float factor = is_zero || !is_finite ? 0.0f : 127.0f / most;
    std::int32_t sum = 0;
    for (std::size_t k = 0; k < round_up(b.rows, 4); ++k) {
      const float w = exists && is_finite && k < b.rows ? *b.at(k, column - first) : 0.0f;
      const auto q = static_cast<std::int8_t>(std::clamp(std::nearbyint(w * factor), -127.0f, 127.0f));
      panel[place(k, column)] = q;
      sum += q;
    }
    scales[column] = is_zero ? 0.0f : is_finite ? most / 127.0f : std::numeric_limits<float>::quiet_NaN();
    offsets[column] = 64 * sum;
  }
}

void dequantize_weights(const Int8Weights& weights, std::size_t first, const std::uint32_t* list,
                        const MatrixView<float>& out) noexcept {
  for (std::size_t i = 0; i < out.columns; ++i) {
    const std::size_t column = list != nullptr ? list[i] : first + i;
    const std::int8_t* const panel = weights.panels + column / kNr * int8_panel_bytes(out.rows);
    for (std::size_t k = 0; k < out.rows; ++k)
      *out.at(k, i) = weights.scales[column] * static_cast<float>(panel[place(k, column)]);
  }
}

}  // namespace fovea
